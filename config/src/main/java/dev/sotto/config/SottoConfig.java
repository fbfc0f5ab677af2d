package dev.sotto.config;

import dev.sotto.config.key.ConfigText;
import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.key.SecretValues;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.learner.optimizer.BlockKeys;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A configuration without errors.
 *
 * @param learner what to learn
 * @param service where; without {@code bootstrap.servers} where a broker is yet to be started
 * @param http where health and metrics are served, if anywhere
 * @param effective every setting that applies, with its value (a text, a number, a truth value or a
 *     list of texts); secrets included
 * @param warnings what is allowed but should be looked at, one sentence each
 */
public record SottoConfig(
    LearnerSettings learner,
    ServiceSettings service,
    Optional<HttpSettings> http,
    Map<String, Object> effective,
    List<String> warnings) {
  private static final Pattern OF_PREFIXES =
      Pattern.compile("privacy\\.(mechanism|blt|generation)|metrics\\.");
  private static final Pattern OF_POOLS =
      Pattern.compile("resque\\.(rounds|points|rate|radius|pull|solver)");
  private static final Pattern NOT_OF_CALLS = Pattern.compile("resque\\.(points|rate|solver)");
  private static final String FORM = "momentum.form";
  private static final String BATCHES = "momentum.batches";
  private static final Set<String> OF_BLOCKS = Set.of(BlockKeys.SLOTS.name(), BATCHES);
  private static final Set<String> OF_ROUNDS =
      Set.of(PlanKeys.BATCH_SIZE.name(), VersionKeys.SLOTS.name(), VersionKeys.INTERVAL.name());

  /**
   * Reads and checks everything that can be checked without a network.
   *
   * @throws ConfigException with all errors
   */
  public static SottoConfig load(ConfigSource source) {
    return new ConfigLoader(source).load();
  }

  /** The same on other brokers. */
  public SottoConfig withBootstrapServers(String servers) {
    Map<String, String> clients = new HashMap<>(service.clients());
    clients.put(ApplicationKeys.BOOTSTRAP_SERVERS.name(), servers);
    ServiceSettings moved = new ServiceSettings(
        clients,
        service.stateFolder(),
        service.firstStart(),
        service.threads(),
        service.transactionTimeout(),
        service.memory());
    return new SottoConfig(learner, moved, http, effective, warnings);
  }

  /**
   * The effective settings as a configuration file, secrets masked: without those that mean nothing
   * with the algorithm, which would refuse them.
   */
  public String masked() {
    Map<String, Object> shown = new LinkedHashMap<>(effective);
    shown.keySet().removeIf(this::isIdle);
    return ConfigText.yaml(shown);
  }

  /** Whether a setting has a value and means nothing with the algorithm. */
  private boolean isIdle(String key) {
    Plan plan = learner.plan();
    if (!plan.hasOwnMechanism()) {
      return false;
    }
    if (key.equals(BATCHES) && effective.containsKey(FORM)) {
      return !ConfigText.value(FORM, effective.get(FORM)).equals("window");
    }
    return OF_PREFIXES.matcher(key).lookingAt()
        || plan.hasPaths() && idleInOrder(plan).matcher(key).matches()
        || (plan.learnsFromBlocks() ? OF_ROUNDS : OF_BLOCKS).contains(key);
  }

  private static Pattern idleInOrder(Plan plan) {
    return plan.paths().get().isPerturbed() ? NOT_OF_CALLS : OF_POOLS;
  }

  /** The effective settings as texts, secrets masked. */
  public Map<String, String> shown() {
    Map<String, String> shown = new LinkedHashMap<>();
    effective.forEach((key, value) -> shown.put(key, ConfigText.value(key, value)));
    return shown;
  }

  /** The value of one of Kafka's own settings for listings, masked where it is a secret. */
  public static String shownClient(String name, String value) {
    return SecretValues.isSecret(KafkaSettings.PREFIX + name) ? SecretValues.MASK : value;
  }
}

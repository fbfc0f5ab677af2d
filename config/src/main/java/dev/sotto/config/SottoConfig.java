package dev.sotto.config;

import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.key.SecretValues;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration without errors.
 *
 * @param learner what to learn
 * @param service where; without {@code bootstrap.servers} where a broker is yet to be started
 * @param http where health and metrics are served, if anywhere
 * @param effective every setting that applies, secrets included
 * @param warnings what is allowed but should be looked at, one sentence each
 */
public record SottoConfig(
    LearnerSettings learner,
    ServiceSettings service,
    Optional<HttpSettings> http,
    EffectiveSettings effective,
    List<String> warnings) {
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

  /** The value of one of Kafka's own settings for listings, masked where it is a secret. */
  public static String shownClient(String name, String value) {
    return SecretValues.isSecret(KafkaSettings.PREFIX + name) ? SecretValues.MASK : value;
  }
}

package dev.sotto.app.config;

import dev.sotto.app.http.HttpSettings;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ServiceSettings;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration without faults.
 *
 * @param learner what to learn
 * @param service where; without {@code bootstrap.servers} where a broker is yet to be started
 * @param http where health and metrics are told, if anywhere
 * @param effective every setting that applies, with its value (a text, a number, a truth value or a list of texts);
 *     secrets included
 * @param warnings what is allowed but should be looked at, one sentence each
 */
public record SottoConfig(
    LearnerSettings learner,
    ServiceSettings service,
    Optional<HttpSettings> http,
    Map<String, Object> effective,
    List<String> warnings) {
  /** The horizon of a stream that does not end. */
  public static final String ENDLESS = "endless";

  /** Below {@code state.dir}: where an embedded broker keeps its logs. */
  public static final String BROKER_FOLDER = "embedded-broker";

  /**
   * Reads and checks everything that can be checked without a network.
   *
   * @throws ConfigFailure with all faults
   */
  public static SottoConfig load(ConfigSource source) {
    return new ConfigLoader(source).load();
  }

  /** The same on other brokers. */
  public SottoConfig withBootstrapServers(String servers) {
    Map<String, String> clients = new HashMap<>(service.clients());
    clients.put("bootstrap.servers", servers);
    ServiceSettings moved = new ServiceSettings(
        clients,
        service.stateFolder(),
        service.replication(),
        service.fromLatest(),
        service.historyHorizon(),
        service.threads(),
        service.transactionTimeout());
    return new SottoConfig(learner, moved, http, effective, warnings);
  }

  /** The effective settings as a configuration file, secrets masked. */
  public String masked() {
    return ConfigText.yaml(effective);
  }

  /** The effective settings as texts, secrets masked. */
  public Map<String, String> shown() {
    Map<String, String> shown = new LinkedHashMap<>();
    effective.forEach((key, value) -> shown.put(key, ConfigText.value(key, value)));
    return shown;
  }

  /** The value of one of Kafka's own settings for listings, masked where it is a secret. */
  public static String shownClient(String name, String value) {
    return Secrets.isSecret(KafkaSettings.PREFIX + name) ? Secrets.MASK : value;
  }
}

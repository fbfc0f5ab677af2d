package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.Trial;
import dev.sotto.topology.rocksdb.BoundedRocksDbConfig;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamsSettingsTest {
  private static final Map<String, String> HOSTILE = Map.ofEntries(
      Map.entry("application.id", "another"),
      Map.entry("state.dir", "elsewhere"),
      Map.entry("num.stream.threads", "7"),
      Map.entry("processing.guarantee", "at_least_once"),
      Map.entry("producer.transaction.timeout.ms", "1"),
      Map.entry("transaction.timeout.ms", "2"),
      Map.entry("ensure.explicit.internal.resource.naming", "false"),
      Map.entry("rocksdb.config.setter", "java.lang.String"),
      Map.entry("enable.metrics.push", "true"),
      Map.entry(
          "deserialization.exception.handler",
          "org.apache.kafka.streams.errors.LogAndContinueExceptionHandler"),
      Map.entry(
          "default.deserialization.exception.handler",
          "org.apache.kafka.streams.errors.LogAndContinueExceptionHandler"),
      Map.entry("production.exception.handler", "java.lang.String"),
      Map.entry("default.production.exception.handler", "java.lang.String"),
      Map.entry(
          "processing.exception.handler",
          "org.apache.kafka.streams.errors.LogAndContinueProcessingExceptionHandler"));

  private static Properties settings(Map<String, String> more) {
    return settings(Layout.DIRECT, more);
  }

  private static Properties settings(Layout layout, Map<String, String> more) {
    Map<String, String> clients = new HashMap<>(more);
    clients.put("bootstrap.servers", "localhost:1");
    LearnerSettings learner = Trial.settings(layout, Trial.ONE, Trial.plan(2, 2));
    return StreamsSettings.of(learner, Trial.service(Path.of("state"), clients));
  }

  @Test
  void keepsWhatTheGuaranteeRestsOn() {
    StreamsConfig config = new StreamsConfig(settings(HOSTILE));
    assertThat(config.getString("application.id")).isEqualTo(Trial.APP);
    assertThat(config.getString("state.dir")).isEqualTo("state");
    assertThat(config.getInt("num.stream.threads")).isEqualTo(1);
    assertThat(config.getString("processing.guarantee")).isEqualTo("exactly_once_v2");
    assertThat(config.getBoolean("ensure.explicit.internal.resource.naming")).isTrue();
    assertThat(config.getClass("rocksdb.config.setter")).isEqualTo(BoundedRocksDbConfig.class);
    assertThat(config.deserializationExceptionHandler().getClass().getSimpleName())
        .isEqualTo("LogAndFailExceptionHandler");
    assertThat(config.productionExceptionHandler().getClass().getSimpleName())
        .isEqualTo("DefaultProductionExceptionHandler");
    assertThat(config.processingExceptionHandler().getClass().getSimpleName())
        .isEqualTo("LogAndFailProcessingExceptionHandler");
    assertThat(config.getProducerConfigs("id"))
        .containsEntry("transaction.timeout.ms", "10000")
        .containsEntry("enable.idempotence", true);
  }

  @Test
  void waitsForNothingLongBetweenTheTwoHopsOfARound() {
    StreamsConfig config = new StreamsConfig(settings(Layout.ROUNDS, Map.of()));
    assertThat(config.getLong("poll.ms")).isEqualTo(5);
    assertThat(config.getProducerConfigs("id")).containsEntry("linger.ms", "0");
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("fetch.max.wait.ms", "10");
    StreamsConfig other =
        new StreamsConfig(settings(Layout.ROUNDS, Map.of("consumer.fetch.max.wait.ms", "50")));
    assertThat(other.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("fetch.max.wait.ms", "50");
    assertThat(new StreamsConfig(settings(Map.of())).getMainConsumerConfigs("group", "client", 0))
        .doesNotContainKey("fetch.max.wait.ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "consumer.", "main.consumer."})
  void readsCommittedRecordsWhateverTheClientIsTold(String prefix) {
    StreamsConfig config = new StreamsConfig(settings(Map.of(
        prefix + "isolation.level", "read_uncommitted",
        prefix + "enable.auto.commit", "true")));
    assertThat(config.getMainConsumerConfigs("group", "client", 0))
        .containsEntry("isolation.level", "read_committed")
        .satisfies(all -> assertThat(all.get("enable.auto.commit").toString()).isEqualTo("false"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "consumer.", "main.consumer.", "producer.", "admin.", "restore.consumer."})
  void keepsTheCountsOfClientsInThisProcess(String prefix) {
    StreamsConfig config =
        new StreamsConfig(settings(Map.of(prefix + "enable.metrics.push", "true")));
    assertThat(config.getMainConsumerConfigs("group", "client", 0).get("enable.metrics.push"))
        .hasToString("false");
    assertThat(config.getRestoreConsumerConfigs("client").get("enable.metrics.push"))
        .hasToString("false");
    assertThat(config.getProducerConfigs("client").get("enable.metrics.push")).hasToString("false");
    assertThat(config.getAdminConfigs("client").get("enable.metrics.push")).hasToString("false");
  }

  @ParameterizedTest
  @CsvSource({
    "commit.interval.ms, 100, 250",
    "consumer.max.poll.records, 10000, 7",
    "buffered.records.per.partition, 20000, 8",
  })
  void letsWhatOnlyChangesSpeedBeOverridden(String name, String byDefault, String value) {
    assertThat(settings(Map.of())).containsEntry(name, byDefault);
    assertThat(settings(Map.of(name, value))).containsEntry(name, value);
  }

  /** Streams takes what has a client's prefix first, and our defaults have. */
  @Test
  void obeysSettingsWithoutAPrefix() {
    StreamsConfig byDefault = new StreamsConfig(settings(Map.of()));
    assertThat(sessionTimeout(byDefault)).hasToString("6000");
    assertThat(batch(byDefault)).hasToString("65536");
    StreamsConfig theirs = new StreamsConfig(settings(Map.of(
        "session.timeout.ms", "31000",
        "consumer.session.timeout.ms", "32000",
        "batch.size", "1000")));
    assertThat(sessionTimeout(theirs)).hasToString("32000");
    assertThat(batch(theirs)).hasToString("1000");
    theirs = new StreamsConfig(settings(Map.of("session.timeout.ms", "31000")));
    assertThat(sessionTimeout(theirs)).hasToString("31000");
  }

  private static Object sessionTimeout(StreamsConfig config) {
    return config.getMainConsumerConfigs("group", "client", 0).get("session.timeout.ms");
  }

  private static Object batch(StreamsConfig config) {
    return config.getProducerConfigs("client").get("batch.size");
  }

  @Test
  void keepsAServicesSettingsFromBeingChangedLater() {
    Map<String, String> clients = new HashMap<>(Map.of("bootstrap.servers", "a:1"));
    ServiceSettings service = Trial.service(Path.of("state"), clients);
    clients.put("bootstrap.servers", "b:2");
    assertThat(service.bootstrapServers()).isEqualTo("a:1");
    assertThatThrownBy(() -> service.clients().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** What has read its state gets its work soon; where brokers decide, the setting is not theirs. */
  @Test
  void looksOftenWhetherAnInstanceHasCaughtUp() {
    assertThat(new StreamsConfig(settings(Map.of())).getLong("probing.rebalance.interval.ms"))
        .isEqualTo(60_000);
    Map<String, String> own = Map.of("probing.rebalance.interval.ms", "120000");
    assertThat(new StreamsConfig(settings(own)).getLong("probing.rebalance.interval.ms"))
        .isEqualTo(120_000);
    assertThat(settings(Map.of("group.protocol", "streams")))
        .doesNotContainKey("probing.rebalance.interval.ms");
  }

  @Test
  void learnsOneModelInOneOrder() {
    ModelIdRule byKey = new ModelIdRule(ModelIdRule.Source.KEY, null);
    assertThatThrownBy(() -> Trial.settings(Layout.ORDERED, byKey, Trial.plan(2, 2)))
        .hasMessage(
            "layout ordered learns one model: the model id must be constant, but comes from key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "group.instance.id",
        "consumer.group.instance.id",
        "main.consumer.group.instance.id"
      })
  void knowsAMemberThatHasAName(String key) {
    assertThat(StreamsSettings.staticMembers(Trial.service(Path.of("state"), Map.of(key, "one"))))
        .isTrue();
    assertThat(new StreamsConfig(settings(Map.of(key, "one"))).getMainConsumerConfigs("a", "b", 1))
        .containsEntry("group.instance.id", "one-1");
    assertThat(StreamsSettings.staticMembers(Trial.service(Path.of("state"), Map.of())))
        .isFalse();
  }

  /** Under the streams protocol groups know no names, and a name of the user's own comes first. */
  @Test
  void namesAMemberThatHasNoName() {
    assertThat(named(Map.of())).isEqualTo("own-1");
    assertThat(named(Map.of("consumer.group.instance.id", "one"))).isEqualTo("one-1");
    assertThat(named(Map.of("group.protocol", "streams"))).isNull();
  }

  private static Object named(Map<String, String> clients) {
    Properties config = settings(clients);
    StreamsSettings.name(config, Trial.service(Path.of("state"), clients), "own");
    return new StreamsConfig(config).getMainConsumerConfigs("a", "b", 1).get("group.instance.id");
  }

  @Test
  void keepsNothingInStoresThatIsNotCommitted() {
    String name = StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG;
    assertThat(new StreamsConfig(settings(Map.of())).getBoolean(name)).isTrue();
    assertThat(new StreamsConfig(settings(Map.of(name, "false"))).getBoolean(name))
        .isFalse();
  }
}

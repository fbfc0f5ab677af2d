package dev.sotto.config.key;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.ClientConfigs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** What passes through to Kafka, and what does not since the guarantee rests on it. */
public final class KafkaSettings {
  /** The beginning of the names of all settings that are passed through. */
  public static final String PREFIX = "kafka.";

  /** Any of them. */
  public static final ConfigKey<String> ANY = ConfigKey.of(
          PREFIX + ConfigKey.FREE,
          Domain.text("", value -> true),
          "Any setting of Kafka's clients or Streams: `kafka.security.protocol`,"
              + " `kafka.consumer.max.poll.records`.")
      .optional();

  private static final String ONCE =
      "every record is learned exactly once only with exactly_once_v2";
  private static final String COMMITTED = "only committed records may be learned from";
  private static final String POSITIONS =
      "the learner keeps its own position and must never skip records";
  private static final String RAW =
      "values are decoded inside the learner, so that unreadable ones keep their slot";
  private static final String WATCHED = "nothing may change or copy records on their way";
  private static final String STOP =
      "a record that cannot be handled must stop the learner, not be skipped";
  private static final String SHAPE =
      "the drawing of the topology is part of what restarts rely on";
  private static final String NAMES = "names of transactions follow from " + ApplicationKeys.APP_ID;

  /** Settings that cannot be overridden, each with the reason. */
  static final Map<String, String> REFUSED = refused();

  private static final String SET_ASIDE =
      "a record that is too long for the dead letters would stop the stream";

  /** What a setting must be at least, where less would break something. */
  private static final Map<String, Long> LEAST =
      Map.of("max.request.size", 1L << 20, "buffer.memory", 32L << 20);

  private static final List<String> CLIENTS = List.of(
      "main.consumer.",
      "restore.consumer.",
      "global.consumer.",
      "consumer.",
      "producer.",
      "admin.");
  private static final String TOPIC = "topic.";
  private static final List<ConfigDef> KNOWN = List.of(
      StreamsConfig.configDef(),
      ConsumerConfig.configDef(),
      ProducerConfig.configDef(),
      AdminClientConfig.configDef());

  private KafkaSettings() {}

  private static Map<String, String> refused() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("bootstrap.servers", "set " + ApplicationKeys.BOOTSTRAP_SERVERS + " instead");
    all.put("application.id", "set " + ApplicationKeys.APP_ID + " instead");
    all.put("group.id", "set " + ApplicationKeys.APP_ID + " instead");
    all.put("state.dir", "set " + ApplicationKeys.STATE_DIR + " without kafka. instead");
    all.put("num.stream.threads", "set " + ApplicationKeys.THREADS + " instead");
    all.put("replication.factor", "set " + ApplicationKeys.REPLICATION + " instead");
    all.put(
        "transaction.timeout.ms",
        "set " + ApplicationKeys.TRANSACTION_TIMEOUT + " without kafka. instead");
    all.put("processing.guarantee", ONCE);
    all.put("enable.idempotence", ONCE);
    all.put("acks", ONCE);
    all.put("isolation.level", COMMITTED);
    all.put("auto.offset.reset", POSITIONS);
    all.put("enable.auto.commit", POSITIONS);
    all.put("key.deserializer", RAW);
    all.put("value.deserializer", RAW);
    all.put("key.serializer", RAW);
    all.put("value.serializer", RAW);
    all.put("default.key.serde", RAW);
    all.put("default.value.serde", RAW);
    all.put("default.timestamp.extractor", RAW);
    all.put("interceptor.classes", WATCHED);
    all.put("default.client.supplier", WATCHED);
    all.put("processor.wrapper.class", WATCHED);
    all.put("deserialization.exception.handler", STOP);
    all.put("default.deserialization.exception.handler", STOP);
    all.put("production.exception.handler", STOP);
    all.put("default.production.exception.handler", STOP);
    all.put("processing.exception.handler", STOP);
    all.put("processing.exception.handler.global.enabled", STOP);
    all.put("errors.dead.letter.queue.topic.name", STOP);
    all.put("topology.optimization", SHAPE);
    all.put("ensure.explicit.internal.resource.naming", SHAPE);
    all.put("rocksdb.config.setter", SHAPE);
    all.put("partition.assignment.strategy", SHAPE);
    all.put("transactional.id", NAMES);
    all.put("transactional.id.prefix", NAMES);
    all.put("transaction.two.phase.commit.enable", NAMES);
    all.put(
        "enable.metrics.push",
        "what Kafka's clients count depends on the data, and must stay in this process");
    all.put("topic.cleanup.policy", "state is restored from compacted topics");
    return all;
  }

  /** A name without the prefix of one client. */
  public static String bare(String name) {
    for (String client : CLIENTS) {
      if (name.startsWith(client)) {
        return name.substring(client.length());
      }
    }
    return name;
  }

  /** Why a setting cannot be overridden; null where it can. */
  public static String reason(String name) {
    String direct = REFUSED.get(name);
    return direct != null ? direct : REFUSED.get(bare(name));
  }

  /** The rule that a value breaks by being too small; null where it breaks none. */
  public static String tooSmall(String name, Number value) {
    boolean produces = name.equals(bare(name)) || name.startsWith("producer.");
    Long least = produces ? LEAST.get(bare(name)) : null;
    return least == null || value.longValue() >= least
        ? null
        : "be at least " + least + ", since " + SET_ASIDE;
  }

  /**
   * Kafka's own definition of a setting, with or without a client's prefix; null where there is
   * none.
   */
  public static ConfigDef.ConfigKey definition(String name) {
    String bare = bare(name);
    for (ConfigDef known : KNOWN) {
      if (known.configKeys().containsKey(bare)) {
        return known.configKeys().get(bare);
      }
    }
    return null;
  }

  /** Whether Kafka has such a setting. */
  public static boolean isKnown(String name) {
    boolean ofTopics =
        name.startsWith(TOPIC) && TOPIC_NAMES.contains(name.substring(TOPIC.length()));
    return ofTopics || ClientConfigs.isOfProviders(name) || definition(name) != null;
  }

  /** Names of all settings of Kafka's clients and Streams. */
  public static Set<String> names() {
    Set<String> all = new TreeSet<>();
    KNOWN.forEach(known -> all.addAll(known.names()));
    return all;
  }

  private static final Set<String> TOPIC_NAMES = Set.of(
      TopicConfig.SEGMENT_BYTES_CONFIG,
      TopicConfig.SEGMENT_MS_CONFIG,
      TopicConfig.RETENTION_BYTES_CONFIG,
      TopicConfig.RETENTION_MS_CONFIG,
      TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
      TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
      TopicConfig.COMPRESSION_TYPE_CONFIG,
      TopicConfig.DELETE_RETENTION_MS_CONFIG,
      TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
      TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
      TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG);
}

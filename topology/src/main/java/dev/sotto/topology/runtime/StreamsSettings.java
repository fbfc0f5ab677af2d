package dev.sotto.topology.runtime;

import dev.sotto.topology.fetch.RecordLimits;
import dev.sotto.topology.layout.LayoutTopology;
import dev.sotto.topology.rocksdb.BoundedRocksDbConfig;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DefaultProductionExceptionHandler;
import org.apache.kafka.streams.errors.LogAndFailExceptionHandler;
import org.apache.kafka.streams.errors.LogAndFailProcessingExceptionHandler;

/** The Streams settings of a learner: defaults that can be overridden, and a few that cannot. */
public final class StreamsSettings {
  private static final List<String> CLIENTS = List.of(
      "main.consumer.",
      "restore.consumer.",
      "global.consumer.",
      "consumer.",
      "producer.",
      "admin.");

  /** What the guarantee rests on; Streams itself checks some of it, but not under every prefix. */
  private static final Set<String> NOT_THEIRS = Set.of(
      ConsumerConfig.ISOLATION_LEVEL_CONFIG,
      ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
      ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
      ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
      ProducerConfig.ACKS_CONFIG,
      ProducerConfig.TRANSACTIONAL_ID_CONFIG,
      ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
      "enable.metrics.push");

  private static final Set<String> MEMBER_NAMES = Set.of(
      ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
      StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
      StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG));

  private StreamsSettings() {}

  public static Properties of(LearnerSettings settings, ServiceSettings service) {
    Properties config = new Properties();
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, "100");
    // Streams' defaults fetch little at a time; these were measured a quarter faster.
    config.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), "10000");
    config.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG), "4194304");
    config.put(StreamsConfig.consumerPrefix(ConsumerConfig.RECEIVE_BUFFER_CONFIG), "1048576");
    // Histories of units are many small records: in a quarter of the requests they were measured a
    // twentieth faster.
    config.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), "65536");
    // Bytes are bounded by our own consumer, where Streams lets us give it one.
    config.put(
        StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG,
        streamsGroup(service) ? "1000" : "20000");
    config.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG),
        Long.toString(fetchBytes(service)));
    // What a crash leaves on disk holds nothing that was not committed, and is read on from there.
    config.put(StreamsConfig.TRANSACTIONAL_STATE_STORES_CONFIG, "true");
    config.put(BoundedRocksDbConfig.BYTES, Long.toString(service.memory().rocksDb()));
    if (!streamsGroup(service)) {
      // A killed instance is missed for this long; with the streams protocol the broker decides.
      config.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), "6000");
      // Whoever remains hears of it with its own next heartbeat.
      config.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), "500");
      // An instance that has caught up gets its work after this time; Kafka's default is 10
      // minutes.
      config.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, "60000");
    }
    LayoutTopology layout = LayoutTopology.of(settings);
    layout.prefer(config);
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, Short.toString(service.replication()));
    Map<String, String> theirs = new HashMap<>(service.clients());
    theirs.keySet().removeIf(name -> NOT_THEIRS.contains(bare(name)));
    // Without a prefix it is meant for all clients; Streams takes one with a prefix first.
    theirs.keySet().forEach(name -> CLIENTS.forEach(client -> config.remove(client + name)));
    config.putAll(theirs);

    layout.require(config);
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, settings.app());
    config.put(StreamsConfig.STATE_DIR_CONFIG, service.stateFolder().toString());
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Integer.toString(service.threads()));
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(
        StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG),
        Long.toString(service.transactionTimeout().toMillis()));
    config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, "true");
    config.put(
        StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDbConfig.class.getName());
    if (settings.modelIds().header() != null) {
      config.put(RecordLimits.MODEL_HEADER, settings.modelIds().header());
    }
    // What Kafka's clients count depends on the data; it stays in this process.
    config.put("enable.metrics.push", "false");
    config.put(
        StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
        LogAndFailExceptionHandler.class.getName());
    config.put(
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG,
        DefaultProductionExceptionHandler.class.getName());
    config.put(
        StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
        LogAndFailProcessingExceptionHandler.class.getName());
    return config;
  }

  /**
   * What one fetch brings, at most: half of what may wait, and no more than Kafka's own default.
   */
  static long fetchBytes(ServiceSettings service) {
    long most = ConsumerConfig.DEFAULT_FETCH_MAX_BYTES;
    return Math.max(1, Math.min(most, service.memory().events() / 2 / service.threads()));
  }

  /** Whether brokers hand out the work, by the streams protocol. */
  public static boolean streamsGroup(ServiceSettings service) {
    return "streams".equalsIgnoreCase(service.clients().get(StreamsConfig.GROUP_PROTOCOL_CONFIG));
  }

  /**
   * Names the members that an instance has in the group, unless they have names of the user's own.
   * A killed instance that comes back is then the member that it was, and goes on at once; without
   * a name its work waits until the session of the member that died has ended.
   *
   * <p>Not under the streams protocol, whose groups know no names.
   */
  static void name(Properties config, ServiceSettings service, String name) {
    if (!streamsGroup(service) && !staticMembers(service)) {
      config.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), name);
    }
  }

  /**
   * Whether members of the group have names of the user's own, that outlive a restart; their tasks
   * wait for them then, even after they have been closed.
   */
  static boolean staticMembers(ServiceSettings service) {
    return service.clients().entrySet().stream()
        .anyMatch(
            each -> MEMBER_NAMES.contains(each.getKey()) && !each.getValue().isBlank());
  }

  private static String bare(String name) {
    return CLIENTS.stream()
        .filter(name::startsWith)
        .findFirst()
        .map(client -> name.substring(client.length()))
        .orElse(name);
  }
}

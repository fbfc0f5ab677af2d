package dev.sotto.topology.read;

import dev.sotto.topology.fetch.BoundedRecords;
import dev.sotto.topology.fetch.RecordLimits;
import dev.sotto.topology.fetch.TopicIds;
import dev.sotto.topology.settings.ClientConfigs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** Consumers of our own, beside the one of Streams: assigned, without a group, read-committed. */
public final class ReaderConfig {
  /** Before the name of a setting that counts more than those of the application. */
  public static final String OWN = "sotto.reader.";

  /** Of the heap, for the records of one poll. */
  private static final int PART_OF_HEAP = 32;

  private static final List<String> PREFIXES = List.of("", "consumer.", "main.consumer.", OWN);

  private ReaderConfig() {}

  /**
   * A consumer of bytes with the client settings of an application.
   *
   * @param isolation {@code read_committed} but for looking at the very end of a log
   */
  public static Consumer<byte[], byte[]> consumer(Map<String, ?> config, String isolation) {
    return consumer(config, isolation, null);
  }

  /**
   * The same for reading what is there and no more: a fetch does not wait for records to come,
   * which it would do for half a second at the end of a log, and at an open transaction.
   */
  public static Consumer<byte[], byte[]> toTheEnd(Map<String, ?> config, String isolation) {
    Map<String, Object> own = new HashMap<>(config);
    own.put(OWN + ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
    return consumer(own, isolation);
  }

  /**
   * One that can ask for the offsets of a group, which it does not join.
   *
   * @param group null for none
   */
  public static Consumer<byte[], byte[]> consumer(
      Map<String, ?> config, String isolation, String group) {
    Map<String, Object> own = ClientConfigs.choose(config, PREFIXES, ConsumerConfig.configNames());
    own.remove(ConsumerConfig.GROUP_ID_CONFIG);
    if (group != null) {
      own.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    }
    own.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    own.remove(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
    own.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    own.remove(ConsumerConfig.CLIENT_ID_CONFIG);
    own.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
    own.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    Stream.concat(RecordLimits.SETTINGS.stream(), Stream.of(TopicIds.SETTING))
        .filter(config::containsKey)
        .forEach(name -> own.put(name, config.get(name)));
    return new BoundedRecords(own, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }
}

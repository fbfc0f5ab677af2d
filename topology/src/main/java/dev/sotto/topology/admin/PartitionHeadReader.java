package dev.sotto.topology.admin;

import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.encryption.StoragePlace;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.store.HeapTable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far each partition has been learned, as the changelog of a stopped learner says; inside the
 * trust boundary.
 */
public final class PartitionHeadReader {
  private static final String HEAD = "partition";

  private PartitionHeadReader() {}

  /**
   * The heads by partition of the training topic; one that was never begun, or was reset, has none.
   *
   * @param clients Kafka client settings
   * @throws dev.sotto.topology.failure.UnsafeToContinueException where the state was encrypted
   *     otherwise
   * @throws SottoException where it cannot be read
   */
  public static Map<Integer, PartitionHead> read(Map<String, ?> clients, LearnerSettings settings) {
    Map<Integer, HeapTable> tables = new TreeMap<>();
    try (CommittedTopic topic =
        new CommittedTopic(clients, Names.changelog(settings.app(), Names.HEADS))) {
      topic.readToEnd(record -> tables
          .computeIfAbsent(record.partition(), each -> new HeapTable())
          .put(new String(record.key(), StandardCharsets.UTF_8), record.value()));
    } catch (SottoException failure) {
      if (failure.kind() == FailureKind.TOPIC) {
        return Map.of();
      }
      throw failure;
    }
    Map<Integer, PartitionHead> heads = new TreeMap<>();
    tables.forEach((partition, table) -> {
      byte[] head = settings
          .encryption()
          .table(table, StoragePlace.store(settings.app(), Names.HEADS, partition))
          .get(HEAD);
      if (head != null) {
        heads.put(partition, Codecs.PARTITION_HEAD.decode(head));
      }
    });
    return heads;
  }
}

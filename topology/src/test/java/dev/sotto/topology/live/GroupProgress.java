package dev.sotto.topology.live;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * How far an application has come, as its group and its transactions tell.
 *
 * @param app its group, and the beginning of its transactional ids
 */
public record GroupProgress(Admin admin, String app) {
  /** Whether the group has committed the end of every partition of a topic. */
  public boolean hasReachedEndOf(String topic) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> done = offsets();
    for (Map.Entry<TopicPartition, Long> end : ends(topic).entrySet()) {
      OffsetAndMetadata here = done.get(end.getKey());
      if (here == null || here.offset() < end.getValue()) {
        return false;
      }
    }
    return true;
  }

  /** Whether a topic holds something that is not committed yet, nor aborted. */
  public boolean hasUncommitted(String topic) throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> written = ends(topic, IsolationLevel.READ_UNCOMMITTED);
    Map<TopicPartition, Long> decided = ends(topic, IsolationLevel.READ_COMMITTED);
    return written.entrySet().stream()
        .anyMatch(each -> decided.get(each.getKey()) < each.getValue());
  }

  private Map<TopicPartition, Long> ends(String topic)
      throws ExecutionException, InterruptedException {
    return ends(topic, IsolationLevel.READ_UNCOMMITTED);
  }

  private Map<TopicPartition, Long> ends(String topic, IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    int count = admin
        .describeTopics(Set.of(topic))
        .allTopicNames()
        .get()
        .get(topic)
        .partitions()
        .size();
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    for (int i = 0; i < count; i++) {
      asked.put(new TopicPartition(topic, i), OffsetSpec.latest());
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin
        .listOffsets(asked, new ListOffsetsOptions(isolation))
        .all()
        .get()
        .forEach((partition, info) -> ends.put(partition, info.offset()));
    return ends;
  }

  private Map<TopicPartition, OffsetAndMetadata> offsets()
      throws ExecutionException, InterruptedException {
    return admin.listConsumerGroupOffsets(app).partitionsToOffsetAndMetadata().get();
  }

  /** The sum of all committed offsets. */
  public long committed() throws ExecutionException, InterruptedException {
    return offsets().values().stream()
        .filter(each -> each != null)
        .mapToLong(OffsetAndMetadata::offset)
        .sum();
  }

  /** Whether a transaction of the application is under way. */
  public boolean hasOpenTransaction() throws ExecutionException, InterruptedException {
    return admin
        .listTransactions(
            new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING)))
        .all()
        .get()
        .stream()
        .anyMatch(each -> each.transactionalId().startsWith(app));
  }
}

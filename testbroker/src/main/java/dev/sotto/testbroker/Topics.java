package dev.sotto.testbroker;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.awaitility.Awaitility;

/** Topics of tests. */
public final class Topics {
  private Topics() {}

  /**
   * Makes a topic, and waits until the logs of all its partitions are open. Who sends before that
   * may have a later batch taken before an earlier one, which the broker then refuses for ever
   * (OUT_OF_ORDER_SEQUENCE_NUMBER).
   */
  public static void create(Admin admin, NewTopic topic)
      throws ExecutionException, InterruptedException {
    if (topic.numPartitions() < 1) {
      throw new IllegalArgumentException("say how many partitions " + topic.name() + " has");
    }
    admin.createTopics(List.of(topic)).all().get();
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < topic.numPartitions(); partition++) {
      ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
    }
    Awaitility.await().until(() -> isOpen(admin, ends));
  }

  private static boolean isOpen(Admin admin, Map<TopicPartition, OffsetSpec> ends)
      throws ExecutionException, InterruptedException {
    try {
      admin.listOffsets(ends).all().get();
      return true;
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RetriableException) {
        return false; // the broker has not heard of the topic yet
      }
      throw failed;
    }
  }
}

package dev.sotto.app.reset;

import dev.sotto.config.SottoConfig;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.AdminRequests;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Utils;

/**
 * Plans a reset and carries it out, in an order in which every interruption is harmless: offsets
 * first, of which the state's own position is the truth; then the local copy, which the changelogs
 * restore; then the changelogs, the one with the positions first, without which the others are
 * refused.
 */
public final class ResetRun implements AutoCloseable {
  private static final long SECONDS = 30;

  private final SottoConfig config;
  private final Admin admin;
  private final ClusterInspector cluster;

  /** A reset of a configured learner. */
  public ResetRun(SottoConfig config) {
    this.config = config;
    this.admin = AdminClients.of(config.service());
    this.cluster = new ClusterInspector(admin, config.service().bootstrapServers());
  }

  /**
   * What would go; nothing is changed.
   *
   * @throws SottoException where it would not be sound, with the reason
   */
  public ResetPlan plan() {
    cluster.nodes();
    return ResetPlanner.plan(config, cluster);
  }

  /**
   * Carries a plan out.
   *
   * @param said receives each step that is done
   */
  public void execute(ResetPlan plan, Consumer<String> said) {
    ResetPlanner.requireStopped(config, cluster);
    if (!plan.offsets().isEmpty()) {
      Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
      plan.offsets().forEach((where, offset) -> offsets.put(where, new OffsetAndMetadata(offset)));
      cluster.await(
          admin.alterConsumerGroupOffsets(plan.app(), offsets).all(),
          "set the offsets of group " + plan.app());
      said.accept("set the offsets of group " + plan.app());
    }
    if (Files.exists(plan.folder())) {
      delete(plan.folder());
      said.accept("deleted the folder " + plan.folder());
    }
    for (String topic : plan.changelogs()) {
      delete(topic);
      said.accept("deleted the topic " + topic);
    }
  }

  /** Deletes a topic, and waits until its name is free, so that the next run can make it again. */
  private void delete(String topic) {
    try {
      cluster.await(admin.deleteTopics(List.of(topic)).all(), "delete topic " + topic);
    } catch (UnknownTopicOrPartitionException gone) {
      return;
    }
    long deadline = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (System.nanoTime() - deadline < 0) {
      try {
        cluster.await(
            admin.describeTopics(List.of(topic)).allTopicNames(), "describe topic " + topic);
        AdminRequests.pause(50);
      } catch (UnknownTopicOrPartitionException gone) {
        return;
      }
    }
    throw new SottoException(
        FailureKind.TOPIC,
        "topic " + topic + " was deleted, but is still there after " + SECONDS
            + " s; run the reset again");
  }

  private static void delete(Path folder) {
    try {
      Utils.delete(folder.toFile());
    } catch (IOException failed) {
      throw new SottoException(
          FailureKind.STATE_FOLDER,
          "the folder " + folder + " could not be deleted: " + failed
              + "; correct its permissions and run the reset again",
          failed);
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}

package dev.sotto.app.page;

import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a cluster says of a running application: who its instances are, and up to where the topic
 * that it learns from is committed. That follows from when and how often records arrive, and not
 * from what they hold. The group's committed offsets are never looked at. It is looked up every few
 * seconds, in a thread of its own, which nothing that goes wrong here ends.
 */
final class ClusterWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
  private static final long SECONDS = 5;

  private final Admin admin;
  private final String servers;
  private final LearnerSettings learner;
  private final boolean fromBeginning;
  private final InstanceHistory instances;
  private final ScheduledExecutorService timer;
  private volatile Map<Integer, Long> ends = Map.of();
  private volatile int count;
  private volatile Map<Integer, Long> beginnings = Map.of();

  private ClusterWatch(
      ServiceSettings service, LearnerSettings learner, InstanceHistory instances) {
    this.admin = AdminClients.of(service);
    this.servers = service.bootstrapServers();
    this.learner = learner;
    this.fromBeginning = !service.fromLatest() && learner.learnedBefore().isEmpty();
    this.instances = instances;
    this.timer = Executors.newSingleThreadScheduledExecutor(work -> {
      Thread thread = new Thread(work, "sotto-watch-cluster");
      thread.setDaemon(true);
      return thread;
    });
  }

  /** Watches from now on. */
  static ClusterWatch start(
      ServiceSettings service, LearnerSettings learner, InstanceHistory instances) {
    ClusterWatch watch = new ClusterWatch(service, learner, instances);
    watch.timer.scheduleWithFixedDelay(watch::look, 0, SECONDS, TimeUnit.SECONDS);
    return watch;
  }

  private void look() {
    try {
      ClusterInspector cluster = new ClusterInspector(admin, servers);
      ConsumerGroup.of(cluster, learner.app())
          .ifPresent(group -> instances.accept(group.members(), System.currentTimeMillis()));
      List<TopicPartition> partitions = cluster.all(learner.eventTopic());
      count = partitions.size();
      if (learner.labels().isPresent()) {
        return; // the topic of joined events has transactions of our own, and they depend on
        // content
      }
      if (fromBeginning && !partitions.isEmpty()) {
        beginnings = byNumber(cluster.beginnings(partitions));
      }
      ends = partitions.isEmpty() ? Map.of() : byNumber(cluster.committedEnds(partitions));
    } catch (RuntimeException failed) {
      LOG.debug("the cluster does not say who runs what; it is asked again", failed);
    }
  }

  private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
    Map<Integer, Long> sorted = new TreeMap<>();
    offsets.forEach((partition, offset) -> sorted.put(partition.partition(), offset));
    return sorted;
  }

  /** The partitions of the events; 0 as long as that is not known. */
  int partitions() {
    return count;
  }

  /**
   * Up to where each partition of the events is committed; always empty with late labels, and
   * as long as that is not known.
   */
  Map<Integer, Long> ends() {
    return ends;
  }

  /** Where a run begins to read that has published nothing yet; empty where that is not known. */
  Map<Integer, Long> beginnings() {
    return beginnings;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    admin.close(Duration.ZERO);
  }
}

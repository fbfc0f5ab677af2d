package dev.sotto.app.page;

import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the topic of events ends, asked for every few seconds in a thread of its own. */
final class InputEnds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InputEnds.class);
  private static final long SECONDS = 3;

  private final ServiceSettings service;
  private final String topic;
  private final Admin admin;
  private final ScheduledExecutorService looks;
  private volatile Ends ends = new Ends(Map.of(), Map.of());

  /**
   * What a topic holds.
   *
   * @param first offset that is held, by partition
   * @param next offset of each partition
   */
  record Ends(Map<Integer, Long> first, Map<Integer, Long> next) {
    Ends {
      first = Map.copyOf(first);
      next = Map.copyOf(next);
    }

    /** Offsets that are held and come after those that are learned. */
    long waiting(Map<Integer, Long> learned) {
      return next.entrySet().stream()
          .mapToLong(each -> {
            long from = first.getOrDefault(each.getKey(), 0L);
            long begin = Math.max(from, learned.getOrDefault(each.getKey(), from));
            return Math.max(0, each.getValue() - begin);
          })
          .sum();
    }
  }

  /** The ends of a topic, not known before {@link #start}. */
  InputEnds(ServiceSettings service, String topic) {
    this.service = service;
    this.topic = topic;
    this.admin = AdminClients.of(service);
    this.looks = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, "sotto-input-ends");
      thread.setDaemon(true);
      return thread;
    });
  }

  /** Looks from now on. */
  InputEnds start() {
    looks.scheduleWithFixedDelay(this::look, 0, SECONDS, TimeUnit.SECONDS);
    return this;
  }

  private void look() {
    try {
      // A new one each time: it remembers how many partitions there are.
      ClusterInspector cluster = new ClusterInspector(admin, service.bootstrapServers());
      List<TopicPartition> partitions = cluster.all(topic);
      if (!partitions.isEmpty()) {
        ends =
            new Ends(byNumber(cluster.beginnings(partitions)), byNumber(cluster.ends(partitions)));
      }
    } catch (RuntimeException unknown) { // whatever it is, the next look may do better
      LOG.debug("the ends of {} are not known now", topic, unknown);
    }
  }

  private static Map<Integer, Long> byNumber(Map<TopicPartition, Long> offsets) {
    return offsets.entrySet().stream()
        .collect(Collectors.toMap(each -> each.getKey().partition(), Map.Entry::getValue));
  }

  /** How many partitions there are; 0 where that is not known yet. */
  int partitions() {
    return ends.next().size();
  }

  /** How many offsets come after those that are learned. */
  long waiting(Map<Integer, Long> learned) {
    return ends.waiting(learned);
  }

  @Override
  public void close() {
    looks.shutdownNow();
    admin.close(Duration.ZERO);
  }
}

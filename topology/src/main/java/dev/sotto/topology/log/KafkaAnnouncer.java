package dev.sotto.topology.log;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.fetch.TopicIds;
import dev.sotto.topology.read.OffsetRangeReader;
import dev.sotto.topology.read.ReaderConfig;
import dev.sotto.topology.settings.ClientConfigs;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces on a cluster, in a thread of its own: at every multiple of the interval by the clock it
 * asks for the last stable offsets, whatever the stream threads are at, and behind a join reads
 * when the events were appended ({@link KafkaJoinedEvents}). An announcement states a fact that
 * stays true, so it needs no transaction, and another instance that announces too, before it hears
 * that it has lost the task, does no harm.
 */
final class KafkaAnnouncer implements Announcing {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaAnnouncer.class);
  private static final long INTERVAL = 50; // milliseconds
  private static final long PAUSE = 1_000; // milliseconds, after a fault that may pass
  private static final long UNTIL_CLOSED = 5_000; // milliseconds
  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofSeconds(5);
  private static final int MOST_LACKING = 200; // looks, which a change of leaders may take
  private static final List<String> PREFIXES = List.of("", "producer.");

  private final Map<String, Object> config;
  private final Topics topics;
  private final OrderPlace place;
  private final Duration patience;
  private final Thread thread = new Thread(this::run, "sotto-announcer");
  private volatile boolean closed;
  private volatile Throwable failure;
  private volatile Exception unsent;
  private int lacking; // looks one after the other

  /**
   * Begins at once.
   *
   * @param place in the order, behind which announcements are looked up
   * @param patience for how long reading those may stand still
   */
  KafkaAnnouncer(Map<String, Object> config, Topics topics, OrderPlace place, Duration patience) {
    this.config = new HashMap<>(config);
    this.topics = topics;
    this.place = place;
    this.patience = patience;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        try {
          live();
        } catch (RetriableException | OutOfOrderSequenceException passing) {
          LOG.warn(
              "announcing failed and is tried again in {} ms: {}",
              PAUSE,
              passing.getClass().getSimpleName(),
              passing);
          Thread.sleep(PAUSE);
        }
      }
    } catch (InterruptedException | InterruptException stop) {
      // closed
    } catch (RuntimeException | Error thrown) {
      failure = thrown;
    }
  }

  /** Announces until it is closed, or something cannot be asked or sent. */
  private void live() throws InterruptedException {
    Consumer<byte[], byte[]> events =
        ReaderConfig.consumer(config, "read_committed", topics.group());
    Producer<byte[], byte[]> order = null;
    KafkaJoinedEvents joined = null;
    try {
      order = producer();
      OrderTurns turns = turns();
      joined = topics.labels().isEmpty() ? null : new KafkaJoinedEvents(config, topics, turns);
      while (!closed) {
        Map<Integer, Long> ends = ends(events, turns);
        if (joined == null) {
          announce(order, to -> turns.announce(ends, to));
        } else {
          JoinedTurns merged = joined.read(ends);
          announce(order, to -> merged.announce(turns, to));
        }
        Thread.sleep(INTERVAL - System.currentTimeMillis() % INTERVAL);
      }
    } finally {
      boolean interrupted = Thread.interrupted(); // clients do not close in such a thread
      if (joined != null) {
        joined.close();
      }
      if (order != null) {
        order.close(Duration.ZERO);
      }
      events.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Behind all that was announced. */
  private OrderTurns turns() {
    OrderTurns turns = new OrderTurns(place);
    TopicPartition where = new TopicPartition(topics.order(), 0);
    try (Consumer<byte[], byte[]> consumer = ReaderConfig.toTheEnd(config, "read_committed")) {
      consumer.assign(List.of(where));
      long begin = consumer.beginningOffsets(List.of(where)).get(where);
      long end = consumer.endOffsets(List.of(where)).get(where);
      OffsetRangeReader.read(
          consumer,
          where,
          Math.max(begin, Math.min(end, place.nextAnnouncement())),
          end,
          patience,
          record -> {
            turns.knows(Codecs.ANNOUNCEMENT.decode(record.value()));
            return !closed;
          });
    }
    return turns;
  }

  /** One without a leader cannot be asked, and must not keep the others waiting. */
  private Map<Integer, Long> ends(Consumer<byte[], byte[]> events, OrderTurns turns) {
    Set<TopicPartition> there = new HashSet<>();
    List<PartitionInfo> all = events.partitionsFor(topics.events());
    for (PartitionInfo each : all) {
      if (each.leader() != null) {
        there.add(new TopicPartition(each.topic(), each.partition()));
      }
    }
    if (!there.equals(events.assignment())) {
      events.assign(there); // it is not polled, and keeps what it knows of them up to date
    }
    for (TopicPartition each : there) {
      if (!turns.knows(each.partition())) {
        turns.begin(each.partition(), KafkaLogs.groupPosition(events, each));
      }
    }
    Map<Integer, Long> ends = new HashMap<>();
    events
        .endOffsets(there, UNTIL_ASKED_AGAIN)
        .forEach((where, end) -> ends.put(where.partition(), end));
    boolean lacks = all.isEmpty()
        || ends.entrySet().stream().anyMatch(each -> turns.lacks(each.getKey(), each.getValue()));
    requireWhole(lacks);
    return ends;
  }

  /** Of a topic that was made again and has grown nothing can be read: {@link TopicIds}. */
  private void requireWhole(boolean lacks) {
    lacking = lacks ? lacking + 1 : 0;
    if (lacking > MOST_LACKING) {
      throw new UnsafeToContinueException("topic " + topics.events()
          + " is gone, or ends before events that have been announced: it was deleted, made again,"
          + " or has lost records. Restore it, or " + NewHistory.START);
    }
  }

  private void announce(
      Producer<byte[], byte[]> order,
      java.util.function.Consumer<java.util.function.Consumer<Announcement>> turns) {
    unsent = null;
    turns.accept(each -> order.send(record(each), (where, failed) -> {
      if (failed != null) {
        unsent = failed;
      }
    }));
    order.flush();
    if (unsent instanceof RuntimeException failed) {
      throw failed; // what was announced is looked up again
    } else if (unsent != null) {
      throw new KafkaException(unsent);
    }
  }

  private ProducerRecord<byte[], byte[]> record(Announcement announced) {
    return new ProducerRecord<>(topics.order(), 0, null, Codecs.ANNOUNCEMENT.encode(announced));
  }

  private Producer<byte[], byte[]> producer() {
    Map<String, Object> own = ClientConfigs.choose(config, PREFIXES, ProducerConfig.configNames());
    own.remove(ProducerConfig.CLIENT_ID_CONFIG);
    own.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    own.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    own.put(ProducerConfig.ACKS_CONFIG, "all");
    own.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    own.put("enable.metrics.push", false);
    return new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public void check() {
    if (failure != null) {
      throw new KafkaException("nothing is announced any more", failure);
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(UNTIL_CLOSED);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.sotto.app.scale;

import dev.sotto.serdes.record.ExampleCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes so many events a second until it is told to stop, and remembers where they lie. */
final class SoakWriter implements Runnable {
  static final int DIMENSION = 8;
  static final int PER_SECOND = 300;

  private final String servers;
  private final String topic;
  private final int models;
  private final Map<String, Map<Integer, List<Long>>> slots = new ConcurrentHashMap<>();
  private volatile int partitions;
  private volatile boolean stopped;
  private volatile boolean ended;
  private volatile Exception failure;
  private volatile long sent;

  /**
   * A writer.
   *
   * @param models ids of keys; 0 for records without a key, to each partition in turn
   */
  SoakWriter(String servers, String topic, int models, int partitions) {
    this.servers = servers;
    this.topic = topic;
    this.models = models;
    this.partitions = partitions;
  }

  @Override
  public void run() {
    var bytes = new ByteArraySerializer();
    Map<String, Object> config = Map.of(
        "bootstrap.servers", servers, "metadata.max.age.ms", 1000, "delivery.timeout.ms", 120_000);
    try (var producer = new KafkaProducer<>(config, bytes, bytes)) {
      long start = System.nanoTime();
      while (!stopped && failure == null) {
        int number = (int) sent;
        String model = "m" + (models == 0 ? 0 : number % models);
        double[] values = new double[DIMENSION];
        values[number % DIMENSION] = 0.5;
        byte[] event = ExampleCodec.encodeDense(null, null, values, number % 2, 1);
        producer.send(
            models == 0
                ? new ProducerRecord<>(topic, number % partitions, null, event)
                : new ProducerRecord<>(topic, model.getBytes(), event),
            (where, failed) -> {
              failure = failed == null ? failure : failed;
              if (failed == null && models > 0) {
                slots
                    .computeIfAbsent(model, id -> new TreeMap<>())
                    .computeIfAbsent(where.partition(), id -> new ArrayList<>())
                    .add(where.offset());
              }
            });
        sent++;
        long due = start + sent * TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
        while (System.nanoTime() - due < 0) {
          Thread.sleep(1);
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
    }
  }

  void partitions(int count) {
    partitions = count;
  }

  void requireAlive() {
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  /** Waits until everything is written. */
  void stop() throws InterruptedException {
    stopped = true;
    while (!ended) {
      Thread.sleep(10);
    }
  }

  long sent() {
    return sent;
  }

  /** The offsets of a model's records, by partition. */
  Map<Integer, List<Long>> slots(String model) {
    return slots.get(model);
  }
}

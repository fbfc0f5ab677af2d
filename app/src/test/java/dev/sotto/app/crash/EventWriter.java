package dev.sotto.app.crash;

import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes events in transactions, one in five of which it aborts, until it is stopped. If asked to,
 * it sends some that were committed once more, as a producer does that saw no acknowledgement.
 */
public final class EventWriter implements Runnable {
  /** Features of an event. */
  public static final int DIMENSION = CrashLearner.DIMENSION;

  private static final int UNITS = 1024;
  private static final int MOST_OF_A_TRANSACTION = 150;

  private final Map<String, String> clients;
  private final String topic;
  private final int partitions;
  private final long seed;
  private final List<byte[]> sent = new ArrayList<>();
  private long events;
  private volatile boolean repeating;
  private volatile boolean stopped;
  private volatile int pauseMillis;
  private volatile long limit = Long.MAX_VALUE;
  private volatile long committed;
  private final AtomicLongArray committedIn; // by partition
  private volatile RuntimeException failure;

  /** A writer that pauses so long between two transactions, in the mean. */
  public EventWriter(
      String bootstrapServers, String topic, int partitions, int pauseMillis, long seed) {
    this(Map.of("bootstrap.servers", bootstrapServers), topic, partitions, pauseMillis, seed);
  }

  /** The same with settings of its client. */
  public EventWriter(
      Map<String, String> clients, String topic, int partitions, int pauseMillis, long seed) {
    this.clients = clients;
    this.topic = topic;
    this.partitions = partitions;
    this.pauseMillis = pauseMillis;
    this.seed = seed;
    this.committedIn = new AtomicLongArray(partitions);
  }

  @Override
  public void run() {
    Random random = Seed.random(seed);
    Map<String, Object> config = new HashMap<>(clients);
    config.put("transactional.id", "events-of-" + topic);
    config.put("linger.ms", 0);
    ByteArraySerializer bytes = new ByteArraySerializer();
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config, bytes, bytes)) {
      producer.initTransactions();
      while (!stopped) {
        if (committed + MOST_OF_A_TRANSACTION > limit) {
          Thread.sleep(10);
          continue;
        }
        producer.beginTransaction();
        int count = 1 + random.nextInt(MOST_OF_A_TRANSACTION);
        List<byte[]> now = new ArrayList<>();
        int[] nowIn = new int[partitions];
        for (int i = 0; i < count; i++) {
          boolean again = repeating && !sent.isEmpty() && random.nextInt(5) == 0;
          now.add(again ? sent.get(random.nextInt(sent.size())) : event(random));
          int partition = random.nextInt(partitions);
          producer.send(new ProducerRecord<>(topic, partition, null, now.get(i)));
          nowIn[partition]++;
        }
        if (random.nextInt(5) == 0) {
          producer.flush(); // so that aborted records really lie in the log
          producer.abortTransaction();
        } else {
          producer.commitTransaction();
          for (int i = 0; i < partitions; i++) {
            committedIn.addAndGet(i, nowIn[i]);
          }
          committed += count;
          sent.addAll(now);
        }
        Thread.sleep(random.nextInt(2 * pauseMillis));
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException broken) {
      failure = broken;
    }
  }

  private byte[] event(Random random) {
    if (random.nextInt(50) == 0) {
      return new byte[random.nextInt(30)]; // poison
    }
    double[] values = new double[DIMENSION];
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextDouble(-0.25, 0.25);
      sum += values[i];
    }
    double label = sum + random.nextGaussian() / 4 > 0 ? 1 : 0;
    byte[] unit = {(byte) random.nextInt(UNITS / 256), (byte) random.nextInt()};
    return ExampleCodec.encodeDense("event " + ++events, unit, values, label, 1);
  }

  /** From now on one event in five is one that was committed before. */
  public void repeat() {
    repeating = true;
  }

  /** Changes the mean pause between two transactions. */
  public void pause(int millis) {
    pauseMillis = millis;
  }

  /** Commits no more events than this in all, until another limit is set. */
  public void limit(long events) {
    limit = events;
  }

  /** How many events have been committed; throws what ended the writer, if something did. */
  public long committed() {
    if (failure != null) {
      throw failure;
    }
    return committed;
  }

  /**
   * How many rounds the committed events fill; they are all closed once a learner has learned them.
   *
   * @param batch slots of a round
   * @param homes 1 where one model learns from all partitions, else there is one in each of them
   */
  public long fullRounds(int batch, int homes) {
    if (homes == 1) {
      return committed() / batch;
    }
    long rounds = 0;
    for (int i = 0; i < partitions; i++) {
      rounds += committedIn.get(i) / batch;
    }
    return rounds;
  }

  public void stop() {
    stopped = true;
  }
}

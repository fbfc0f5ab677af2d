package dev.sotto.app.demo;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Plays recorded events into a topic, in their order, each exactly once: by transactions of {@value
 * #STEP} events where the client settings have a {@code transactional.id}, by an idempotent
 * producer otherwise. Record timestamps are those of now; recorded times travel in the values.
 */
public final class StreamPlayer implements AutoCloseable {
  /** Events per transaction, or per flush, after which the progress is told. */
  static final int STEP = 1000;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final Producer<byte[], byte[]> producer;
  private final boolean transactional;
  private final String topic;
  private final LongConsumer progress;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private volatile boolean stopped;

  /**
   * Makes the producer; nothing is sent yet.
   *
   * @param settings of Kafka's producer, {@code bootstrap.servers} among them
   * @param topic must exist
   * @param progress told, in the playing thread, how many events the broker has for certain
   *     (committed, where there are transactions), after each step
   */
  public StreamPlayer(Map<String, Object> settings, String topic, LongConsumer progress) {
    this(producer(settings), settings.containsKey("transactional.id"), topic, progress);
  }

  StreamPlayer(
      Producer<byte[], byte[]> producer,
      boolean transactional,
      String topic,
      LongConsumer progress) {
    this.topic = Objects.requireNonNull(topic, "topic");
    this.progress = Objects.requireNonNull(progress, "progress");
    this.producer = producer;
    this.transactional = transactional;
  }

  private static Producer<byte[], byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.putIfAbsent("linger.ms", 5);
    all.put("enable.idempotence", true);
    all.put("acks", "all");
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Sends all events, or those before {@link #stop}, and returns when the broker has them. To be
   * called once.
   *
   * @return how many were sent
   * @throws KafkaException if one could not be sent; the open transaction is aborted then
   */
  public long play(Iterable<StreamEvent> events) {
    if (transactional) {
      producer.initTransactions();
    }
    long sent = 0;
    var iterator = events.iterator();
    while (!stopped && iterator.hasNext()) {
      begin();
      try {
        for (int i = 0; i < STEP && !stopped && iterator.hasNext(); i++, sent++) {
          StreamEvent event = iterator.next();
          producer.send(
              new ProducerRecord<>(topic, event.key(), event.value()),
              (metadata, e) -> failure.compareAndSet(null, e));
        }
        complete();
      } catch (RuntimeException e) {
        abort(e);
        throw e;
      }
      progress.accept(sent);
    }
    return sent;
  }

  /** Ends {@link #play} after the event being sent; what has been sent stays. From any thread. */
  public void stop() {
    stopped = true;
  }

  /** Stops and closes the producer. */
  @Override
  public void close() {
    stop();
    producer.close(CLOSE_TIMEOUT);
  }

  private void begin() {
    if (transactional) {
      producer.beginTransaction();
    }
  }

  private void complete() {
    producer.flush();
    Exception e = failure.get();
    if (e != null) {
      throw new KafkaException(
          "every event must be taken by topic " + topic + ", but one was not", e);
    }
    if (transactional) {
      producer.commitTransaction();
    }
  }

  private void abort(RuntimeException reason) {
    if (transactional) {
      try {
        producer.abortTransaction();
      } catch (RuntimeException e) {
        reason.addSuppressed(e); // a fenced producer cannot even abort
      }
    }
  }
}

package dev.sotto.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The floor under a round: one small record that goes to and fro between two topics, through two
 * processors that ask for a commit each time, so two transactions a round trip. Its configuration
 * is the very one that a learner over rounds was seen to run with, but for its name.
 */
final class TwoHops {
  private static final long PATIENCE_MILLIS = 120_000;
  private static final int WARM_UP = 20;

  private final ConfigCapture captured;

  TwoHops(ConfigCapture captured) {
    this.captured = captured;
  }

  /** The time of a number of round trips; each counts as one record. */
  MeasuredRun run(int trips, BenchmarkBroker broker) throws Exception {
    String app = "hops-" + UUID.randomUUID();
    String there = app + "-there";
    String back = app + "-back";
    broker.create(there, 1);
    broker.create(back, 1);
    Map<String, Object> config = new HashMap<>(captured.config());
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, app);
    try (var folder = new TemporaryFolder()) {
      config.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
      var timer = new StageTimer(trips + 1, broker);
      try (var streams =
          new KafkaStreams(topology(there, back, timer), new StreamsConfig(config))) {
        var failure = new AtomicReference<Throwable>();
        streams.setUncaughtExceptionHandler(thrown -> {
          failure.compareAndSet(null, thrown);
          return StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
        var bytes = new ByteArraySerializer();
        try (var producer = new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()), bytes, bytes)) {
          producer
              .send(new ProducerRecord<>(there, new byte[] {1}, new byte[64]))
              .get();
        }
        if (!timer.await(PATIENCE_MILLIS)) {
          throw new IllegalStateException(
              "the two hops must end, but are " + streams.state(), failure.get());
        }
      }
      MeasuredRun run = timer.run();
      return new MeasuredRun(
          trips, run.seconds(), run.cpuSeconds(), run.threadCpuSeconds(), run.brokerCpuSeconds());
    } finally {
      broker.deleteAll(app);
    }
  }

  private static Topology topology(String there, String back, StageTimer timer) {
    var bytes = new ByteArrayDeserializer();
    var toBytes = new ByteArraySerializer();
    return new Topology()
        .addSource(AutoOffsetReset.earliest(), "there", bytes, bytes, there)
        .addProcessor("first", () -> new Hop(null), "there")
        .addSink("toBack", back, toBytes, toBytes, "first")
        .addSource(AutoOffsetReset.earliest(), "back", bytes, bytes, back)
        .addProcessor("second", () -> new Hop(timer), "back")
        .addSink("toThere", there, toBytes, toBytes, "second");
  }

  private static final class Hop implements Processor<byte[], byte[], byte[], byte[]> {
    private final StageTimer timer; // null where nothing is counted
    private int seen;
    private ProcessorContext<byte[], byte[]> context;

    Hop(StageTimer timer) {
      this.timer = timer;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> newContext) {
      context = newContext;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      if (timer != null && ++seen > WARM_UP && timer.run() == null) {
        timer.tick();
      }
      context.forward(record);
      context.commit();
    }
  }
}

package dev.sotto.benchmarks;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The floor under any Streams application: one processor that counts. Its configuration is the very
 * one that a learner was seen to run with, but for its name: exactly_once_v2, commits every 100 ms.
 */
final class PassThrough implements Contender {
  private static final long PATIENCE_MILLIS = 120_000;

  private final ConfigCapture captured;

  PassThrough(ConfigCapture captured) {
    this.captured = captured;
  }

  @Override
  public String name() {
    return Report.PASS_THROUGH;
  }

  @Override
  public MeasuredRun read(BenchmarkCase what, String topic, long records, BenchmarkBroker broker)
      throws Exception {
    String app = "pass-" + UUID.randomUUID();
    Map<String, Object> config = new HashMap<>(captured.config());
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, app);
    try (var folder = new TemporaryFolder()) {
      config.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
      var timer = new StageTimer(records, broker);
      try (var streams = new KafkaStreams(topology(topic, timer), new StreamsConfig(config))) {
        streams.start();
        if (!timer.await(PATIENCE_MILLIS)) {
          throw new TimeoutException("the pass-through must end, but is " + streams.state());
        }
      }
      return timer.run();
    }
  }

  private static Topology topology(String topic, StageTimer timer) {
    var bytes = new ByteArrayDeserializer();
    return new Topology()
        .addSource(AutoOffsetReset.earliest(), "events", bytes, bytes, topic)
        .addProcessor("count", () -> new Count(timer), "events");
  }

  private record Count(StageTimer timer) implements Processor<byte[], byte[], Void, Void> {
    @Override
    public void process(Record<byte[], byte[]> record) {
      timer.tick();
    }
  }
}

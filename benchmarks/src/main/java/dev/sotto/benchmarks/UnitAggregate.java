package dev.sotto.benchmarks;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * What one would write without Sotto to bound what a user contributes: an aggregate by user in
 * Streams, exactly once, that counts records and sums labels. It learns nothing and hides nothing.
 * RocksDB, a changelog, no cache, as the learner's histories; the record's bytes are decoded as the
 * learner decodes them.
 */
final class UnitAggregate implements Contender {
  static final String NAME = "unitAggregate";

  private static final String STORE = "users";
  private static final long PATIENCE_MILLIS = 300_000;

  private final ConfigCapture captured;

  UnitAggregate(ConfigCapture captured) {
    this.captured = captured;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MeasuredRun read(BenchmarkCase what, String topic, long records, BenchmarkBroker broker)
      throws Exception {
    String app = "aggregate-" + UUID.randomUUID();
    Map<String, Object> config = new HashMap<>(captured.config());
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, app);
    try (var folder = new TemporaryFolder()) {
      config.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
      var timer = new StageTimer(records, broker);
      try (var streams =
          new KafkaStreams(topology(what, topic, timer), new StreamsConfig(config))) {
        streams.start();
        if (!timer.await(PATIENCE_MILLIS)) {
          throw new TimeoutException("the aggregate must end, but is " + streams.state());
        }
      }
      return timer.run();
    } finally {
      broker.deleteAll(app);
    }
  }

  private static Topology topology(BenchmarkCase what, String topic, StageTimer timer) {
    var bytes = new ByteArrayDeserializer();
    return new Topology()
        .addSource(AutoOffsetReset.earliest(), "events", bytes, bytes, topic)
        .addProcessor("aggregate", () -> new Aggregate(what.decoder(), timer), "events")
        .addStateStore(
            Stores.keyValueStoreBuilder(
                    Stores.persistentKeyValueStore(STORE), Serdes.ByteArray(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of())
                .withCachingDisabled(),
            "aggregate");
  }

  private static final class Aggregate implements Processor<byte[], byte[], Void, Void> {
    private final EventDecoder decoder;
    private final StageTimer timer;
    private final Slot slot;
    private KeyValueStore<byte[], byte[]> store;

    Aggregate(EventDecoder decoder, StageTimer timer) {
      this.decoder = decoder;
      this.timer = timer;
      this.slot = new Slot(decoder.dimension());
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
      store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      timer.tick();
      if (decoder.decode(record.key(), record.value(), slot) == RecordStatus.USED) {
        byte[] user = Arrays.copyOf(slot.unit(), slot.unitLength());
        byte[] before = store.get(user);
        long count = before == null ? 0 : ByteBuffer.wrap(before).getLong();
        double sum = before == null ? 0 : ByteBuffer.wrap(before).getDouble(Long.BYTES);
        store.put(
            user,
            ByteBuffer.allocate(Long.BYTES + Double.BYTES)
                .putLong(count + 1)
                .putDouble(sum + slot.example().label())
                .array());
      }
    }
  }
}

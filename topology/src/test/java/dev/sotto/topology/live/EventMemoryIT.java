package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A learner that catches up on twelve partitions of large records holds few of them. */
class EventMemoryIT {
  private static final int PARTITIONS = 12;
  private static final int EVENTS = 200; // in each partition
  private static final int DIMENSION = 1000; // 8 KB
  private static final long BOUND = 4L << 20;
  private static final long ROOM = 256L << 20;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  private Path folder;

  /** Slower than a fetch, so that records wait; it asks how long it is to take. */
  private static EventDecoder slow(LongSupplier nanos) {
    EventDecoder quick = new ExampleCodec(DIMENSION, 1 << 20, UnitSource.NONE);
    return new EventDecoder() {
      @Override
      public int dimension() {
        return DIMENSION;
      }

      @Override
      public RecordStatus decode(byte[] key, byte[] value, Slot into) {
        LockSupport.parkNanos(nanos.getAsLong());
        return quick.decode(key, value, into);
      }
    };
  }

  private long mostBytes(Layout layout, long bound) {
    String app = "memory-" + layout.configName() + "-" + bound;
    boolean direct = layout == Layout.DIRECT;
    long batch = direct ? 100 : 600;
    AtomicLong most = new AtomicLong();
    AtomicReference<LearnerService> learning = new AtomicReference<>();
    LongSupplier look = () -> {
      long now =
          most.accumulateAndGet(learning.get().status().threads().buffered().bytes(), Math::max);
      // With room for all: until more wait than may under a bound, however slow a fetch is.
      return bound == BOUND ? 300_000 : now > 2 * BOUND ? 0 : 10_000_000;
    };
    Trial trial = Trial.of(app, folder.resolve(app), cluster.clients())
        .with(layout)
        .withModel(DIMENSION, batch, () -> slow(look));
    LearnerSettings of = trial.learner();
    ModelIdRule ids =
        new ModelIdRule(direct ? ModelIdRule.Source.PARTITION : ModelIdRule.Source.CONSTANT, "m");
    LearnerSettings learner = new LearnerSettings(
        app,
        layout,
        new LearnerSettings.Events(of.eventTopic(), ids, of.decoder()),
        of.run(),
        of.cadence());
    ServiceSettings service = new ServiceSettings(
        trial.clients(),
        folder.resolve(app),
        trial.service().firstStart(),
        1,
        Duration.ofSeconds(20),
        new ServiceSettings.Memory(bound, 16 << 20));
    cluster.createTopic(trial.topic(), PARTITIONS, java.util.Map.of());
    byte[] event = ExampleCodec.encodeDense(null, null, new double[DIMENSION], 1, 1);
    assertThat(event.length).isGreaterThan(8000);
    List<byte[]> events = Collections.nCopies(EVENTS, event);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      cluster.send(trial.topic(), partition, events);
    }
    int versions = (int) (EVENTS * PARTITIONS / batch);
    try (LearnerService running = new LearnerService(learner, service)) {
      learning.set(running);
      running.start();
      Awaitility.await().until(() -> {
        assertThat(running.failure()).isNull();
        return running.status().roundsCommitted() >= versions;
      });
    }
    cluster.awaitMarkers(Names.ledger(app));
    assertThat(Published.read(cluster.clients(), Names.ledger(app))).hasSize(versions);
    return most.get();
  }

  @ParameterizedTest
  @EnumSource(
      value = Layout.class,
      names = {"DIRECT", "ROUNDS"})
  void boundsTheBytesThatWait(Layout layout) {
    long all = (long) EVENTS * PARTITIONS * 8000;
    long most = mostBytes(layout, BOUND);
    System.out.printf("%s: at most %d of %d bytes waited%n", layout, most, all);
    assertThat(most).isPositive().isLessThanOrEqualTo(BOUND + BOUND / 2 + (1 << 20));
    if (layout == Layout.DIRECT) { // it can fail: with room for all, far more of them wait
      assertThat(mostBytes(layout, ROOM)).isGreaterThan(2 * BOUND);
    }
  }
}

package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In layout rounds nothing that was learned and published is read again behind a stop: retention may
 * have taken the events of published rounds. Their sums are read again where the state is older, and
 * compaction leaves them. CleanStopTest has the other layouts.
 */
class StopOfRoundsTest {
  private static final int PARTITIONS = 2;
  private static final int SLICE = 3;
  private static final int ROUNDS = 90; // published when it is stopped; none is in the state
  private static final int EVENTS = SLICE * (ROUNDS + 10); // of a partition

  private final LearnerSettings settings = SmallLearner.with(
      SmallLearner.settings(Mechanisms.BLT, PARTITIONS * SLICE, 1_000_000, 2 * ROUNDS),
      Layout.ROUNDS);
  private final Retained events = new Retained(events());
  private final InMemoryCluster cluster = cluster(events);

  private static InMemoryRecording events() {
    Random random = Seed.random(1);
    InMemoryRecording.Builder made = InMemoryRecording.of(SmallLearner.EVENTS);
    for (int i = 0; i < EVENTS * PARTITIONS; i++) {
      double[] values = random.doubles(SmallLearner.DIMENSION + 1, -0.5, 0.5).toArray();
      values[SmallLearner.DIMENSION] = random.nextInt(2);
      made.add(i % PARTITIONS, null, PackedDoubles.pack(values));
    }
    return made.build();
  }

  private InMemoryCluster cluster(Recording recording) {
    InMemoryCluster made = new InMemoryCluster(
        settings, RecordedInput.of(recording), new OutputListener() {}, (model, round) -> null);
    made.all().forEach(ProcessorTask::start);
    return made;
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** A recording of whose partitions retention takes the beginning. */
  private record Retained(InMemoryRecording whole, Map<Integer, Long> starts) implements Recording {
    Retained(InMemoryRecording whole) {
      this(whole, new HashMap<>());
    }

    @Override
    public RecordingHeader header() {
      return whole.header();
    }

    @Override
    public RecordCursor open(int partition) {
      RecordCursor cursor = whole.open(partition);
      return (RecordCursor) Proxy.newProxyInstance(
          RecordCursor.class.getClassLoader(),
          new Class<?>[] {RecordCursor.class},
          (proxy, method, arguments) -> {
            Object found = method.invoke(cursor, arguments);
            while (method.getName().equals("next")
                && (boolean) found
                && cursor.offset() < starts.getOrDefault(partition, 0L)) {
              found = cursor.next();
            }
            return found;
          });
    }

    @Override
    public void close() {}
  }

  /** One record after the other, until as many versions are published, or nothing is left. */
  private static void run(InMemoryCluster cluster, int versions) {
    int idle = 0;
    while (idle < 3 && cluster.ledger(0).size() < versions) {
      boolean stepped = false;
      for (ProcessorTask task : cluster.all()) {
        stepped |= task.step();
        commit(cluster, task);
      }
      if (!stepped) {
        pass(cluster, 1_000);
      }
      idle = stepped ? 0 : idle + 1;
    }
  }

  private static void commit(InMemoryCluster cluster, ProcessorTask task) {
    InMemoryTransaction transaction = cluster.begin();
    task.commit(transaction);
    transaction.end();
    cluster.transactionBegan();
  }

  private static void pass(InMemoryCluster cluster, long millis) {
    cluster.passTime(millis);
    for (ProcessorTask task : cluster.all()) {
      task.advanceClock(cluster.now());
      commit(cluster, task);
    }
  }

  private static List<String> ledger(InMemoryCluster cluster) {
    return cluster.ledger(0).stream().map(OnePartition::hex).toList();
  }

  private List<String> undisturbed() {
    try (InMemoryCluster whole = cluster(events())) {
      run(whole, Integer.MAX_VALUE);
      return ledger(whole);
    }
  }

  private void restart() {
    cluster.all().forEach(ProcessorTask::move);
    pass(cluster, 1_000);
  }

  /** Retention takes the events of the first rounds. */
  private void loseEvents(long rounds) {
    for (int i = 0; i < PARTITIONS; i++) {
      events.starts().put(i, rounds * SLICE);
    }
  }

  /** Compaction leaves the newest sum of each key, and of those what is not lost otherwise. */
  private void compactSums(Predicate<RoundPart> kept) {
    InMemoryPartition sums = cluster.topics().log(Names.sums(settings.app()), 0);
    Map<String, Long> newest = new HashMap<>();
    List<RecordedRecord> all = sums.records();
    all.forEach(each -> newest.put(OnePartition.hex(each.key()), each.offset()));
    long end = sums.end();
    sums.clear(0);
    for (RecordedRecord each : all) {
      if (newest.get(OnePartition.hex(each.key())) == each.offset()
          && kept.test(RoundCodecs.PART.decode(each.value()))) {
        sums.skip(each.offset() - sums.end());
        sums.append(
            new Record<>(each.key(), each.value(), Math.max(0, each.timestamp()), each.headers()));
      }
    }
    sums.skip(end - sums.end());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void needsNoEventOfAPublishedRoundAgain(boolean clean) throws InterruptedException {
    if (clean) {
      cluster.cleanStop().expect();
    }
    run(cluster, ROUNDS);
    if (clean) {
      assertThat(cluster.cleanStop().ask(Duration.ZERO)).isFalse();
      pass(cluster, 1_000);
      assertThat(cluster.cleanStop().ask(Duration.ZERO)).isTrue();
    }
    long published = cluster.ledger(0).size();
    assertThat(published).isGreaterThanOrEqualTo(ROUNDS).isLessThan(ROUNDS + 5);
    loseEvents(published);
    compactSums(part -> true);
    restart();
    run(cluster, Integer.MAX_VALUE);
    assertThat(ledger(cluster)).isEqualTo(undisturbed()).hasSize(ROUNDS + 10);
  }

  /** The twins: what is still needed is missed where it is lost. */
  @Test
  void missesAnEventOfTheOpenRound() {
    run(cluster, ROUNDS);
    loseEvents(cluster.ledger(0).size() + 1);
    restart();
    run(cluster, Integer.MAX_VALUE);
    assertThat(ledger(cluster)).hasSize(ROUNDS + 10).isNotEqualTo(undisturbed());
  }

  @Test
  void missesTheSumsThatTheStateLacks() {
    run(cluster, ROUNDS);
    compactSums(part -> part.round() > 64);
    assertThatThrownBy(() -> {
          restart();
          run(cluster, Integer.MAX_VALUE);
        })
        .isInstanceOf(UnsafeToContinueException.class);
  }
}

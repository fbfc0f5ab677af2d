package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Tier;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.LedgerChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Versions of several rounds: where they are cut, and that they hold what a learner alone gives. */
class VersionsTest {
  private static final int RECORDS = 400;
  private static final long BATCH = 7;
  private static final int SEEDS = Tier.choose(2, 12);

  private static Plan plan(Mechanisms mechanism, VersionSchedule versions) {
    return SmallLearner.plan(mechanism, BATCH, 1e6).toBuilder()
        .versions(versions)
        .build();
  }

  private static OnePartition partition(Plan plan, long checkpointSlots, long stateEvery) {
    return new OnePartition(SmallLearner.settings(plan, checkpointSlots, stateEvery))
        .fill(RECORDS, 1, 11);
  }

  /** Goes up by about 10 a slot, and back now and then, as leaders with different clocks do. */
  private static long clock(long offset) {
    return 1_000_000 + 10 * offset - (offset % 5 == 0 ? 35 : 0);
  }

  private static OnePartition at(OnePartition partition, LongUnaryOperator clock) {
    partition.times = clock;
    return partition;
  }

  /** What a learner without a log, a store and faults gives: a line for each version. */
  private static List<String> pure(OnePartition partition, Plan plan) {
    ModelLearner learner = ModelLearner.start(
        plan,
        ModelKeys.of(NoiseKey.of(new byte[32])),
        "model",
        new RunName(SmallLearner.APP, "1"),
        new InMemoryHistories());
    Slot slot = new Slot(SmallLearner.DIMENSION);
    LiteralDecoder decoder = new LiteralDecoder(SmallLearner.DIMENSION);
    List<String> lines = new ArrayList<>();
    partition.log.forEach((offset, event) -> {
      decoder.decode(event.key(), event.value(), slot);
      if (learner.fill(slot, partition.times.applyAsLong(offset))) {
        var round = learner.close();
        round
            .version()
            .ifPresent(version -> lines.add(line(
                version.firstRound(),
                round.number(),
                ModelSnapshot.digest(version.weights(), version.guarantee()))));
      }
    });
    return lines;
  }

  private static String line(long firstRound, long round, byte[] digest) {
    return firstRound + "-" + round + " " + OnePartition.hex(digest);
  }

  private static List<String> lines(OnePartition partition) {
    return partition.ledger().stream()
        .map(each -> line(each.firstRound(), each.round(), each.snapshotDigest()))
        .toList();
  }

  /** Of what a transaction sends, the cost comes first: nobody sees a version that is not paid for. */
  @Test
  void paysForAVersionBeforeItIsPublished() {
    OnePartition partition = partition(
            plan(Mechanisms.BINARY_TREE, new VersionSchedule(40, 0)), 1_000, 1)
        .run();
    long paid = 0;
    int published = 0;
    for (OnePartition.Output each : partition.committed) {
      if (each.topic().equals("ledger")) {
        paid = Codecs.LEDGER.decode(each.value()).round();
      } else if (each.key().endsWith("/manifest")) {
        assertThat(Codecs.SNAPSHOT.decode(each.value()).version()).isEqualTo(paid);
        published++;
      } else {
        assertThat(Codecs.CHUNK.decode(each.value()).version()).isEqualTo(paid);
      }
    }
    assertThat(published).isEqualTo(partition.ledger().size()).isGreaterThan(4);
  }

  private static void assertWhole(OnePartition partition) {
    LedgerChecker checker = new LedgerChecker();
    long[] place = {0};
    partition.committed.stream()
        .filter(each -> each.topic().equals("ledger"))
        .forEach(each -> checker.accept(0, place[0]++, each.value()));
    assertThat(checker.faults()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void publishesWhatAnUndisturbedLearnerDoes(Mechanisms mechanism) {
    Plan plan = plan(mechanism, new VersionSchedule(40, 0)); // six rounds of 7 slots
    OnePartition expected = partition(plan, 1_000, 1).run();
    assertThat(expected.ledger()).hasSize(RECORDS / 42);
    assertThat(expected.ledger()).allMatch(each -> each.round() - each.firstRound() == 5);
    assertThat(lines(expected)).isEqualTo(pure(expected, plan));
    assertWhole(expected);
  }

  /** The rule, computed apart from the learner. */
  @ParameterizedTest
  @CsvSource({"200, 300", "70, 250", "1000, 90", "1000, 400"})
  void cutsByLogTimeToo(long slots, long interval) {
    Plan plan = plan(Mechanisms.BLT, new VersionSchedule(slots, interval));
    OnePartition expected = at(partition(plan, 1_000, 1), VersionsTest::clock).run();
    List<Long> offsets = List.copyOf(expected.log.keySet());
    List<Long> cuts = new ArrayList<>();
    long since = clock(offsets.get(0));
    long time = 0;
    long last = 0;
    for (int i = 0; i < offsets.size(); i++) {
      time = Math.max(time, clock(offsets.get(i)));
      boolean close = (i + 1) % BATCH == 0;
      if (close && (i + 1 - last >= slots || time - since >= interval)) {
        cuts.add((i + 1) / BATCH);
        since = time;
        last = i + 1;
      }
    }
    assertThat(cuts.size()).isGreaterThan(3);
    assertThat(expected.ledger()).extracting(LedgerEntry::round).isEqualTo(cuts);
    assertThat(lines(expected)).isEqualTo(pure(expected, plan));
  }

  /** Broken on purpose: records that have other times when they are read again. */
  @Test
  void noticesTimesThatChange() {
    Plan plan = plan(Mechanisms.BLT, new VersionSchedule(1_000, 250));
    OnePartition partition = at(partition(plan, 1_000, 1), VersionsTest::clock).run();
    partition.loseStores();
    at(partition, offset -> clock(offset) + 10 * Math.max(0, offset - 150)); // twice as quick
    partition.groupOffset = partition.log.lastKey();
    assertThatThrownBy(partition::run).isInstanceOf(UnsafeToContinueException.class);
  }

  @Test
  void derivesEverythingAgainWhereTheStateIsLost() {
    Plan plan = plan(Mechanisms.BINARY_TREE, new VersionSchedule(40, 170));
    OnePartition partition = at(partition(plan, 1_000, 1), VersionsTest::clock).run();
    List<String> published = partition.published();
    partition.loseStores();
    partition.groupOffset = partition.log.lastKey();
    partition.run();
    assertThat(partition.published()).isEqualTo(published);
  }

  /** A window of three rounds and versions of two end together after four. */
  @Test
  void endsWindowsWithVersions() {
    Plan plan = SmallLearner.plan(Mechanisms.BLT, BATCH, 1e6).toBuilder()
        .metrics(new PrivateMetrics(20, 2, 4, 3))
        .versions(new VersionSchedule(14, 0))
        .build();
    OnePartition partition = partition(plan, 1_000, 1).run();
    assertThat(partition.committed.stream()
            .filter(each -> each.topic().equals("metrics"))
            .map(each -> Codecs.METRICS.decode(each.value()).noisy())
            .map(each -> each.firstRound() + "-" + each.lastRound()))
        .startsWith("1-4", "5-8", "9-12");
  }

  /** The budget ends the last version early, and nothing comes behind it. */
  @Test
  void endsWithTheLastRoundThatTheBudgetAffords() {
    Plan rich = SmallLearner.plan(Mechanisms.BINARY_TREE, BATCH, 1e6);
    Plan plan =
        SmallLearner.plan(Mechanisms.BINARY_TREE, BATCH, rich.guarantee(20).epsilon() * 1.0001)
            .toBuilder()
            .versions(new VersionSchedule(63, 0))
            .build();
    long allowed = 20;
    while (plan.allows(allowed + 1)) {
      allowed++;
    }
    assertThat(allowed % 9).isPositive();
    OnePartition expected = partition(plan, 1_000, 1).run();
    LedgerEntry last = expected.ledger().get(expected.ledger().size() - 1);
    assertThat(last.last()).isTrue();
    assertThat(last.round()).isEqualTo(allowed);
    assertThat(last.firstRound()).isEqualTo(allowed / 9 * 9 + 1);
  }

  /** A key that is rotated takes effect with the first round of a version. */
  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void rotatesItsKeyBetweenVersions(Mechanisms mechanism) {
    byte[] second = new byte[32];
    Arrays.fill(second, (byte) 2);
    NoiseKey old = NoiseKey.of(new byte[32]);
    Plan plan = plan(mechanism, new VersionSchedule(40, 0));
    for (long seed = 0; seed < SEEDS; seed++) {
      OnePartition partition = partition(plan, 15, 1);
      partition.restart();
      for (int i = 0; i < 100 + 7 * seed; i++) {
        partition.step();
        if (i % 17 == 5) {
          partition.checkpoint();
          partition.commit();
        }
      }
      partition.settings = partition.settings.with(NoiseKey.of(second).withEarlier(List.of(old)));
      partition.runWithFaults(seed, 12);
      assertWhole(partition);
      List<String> keys =
          partition.ledger().stream().map(LedgerEntry::keyId).distinct().toList();
      assertThat(keys).containsExactly(old.id(), NoiseKey.of(second).id());
      List<String> published = partition.published();
      partition.loseStores();
      partition.groupOffset = partition.log.lastKey();
      partition.run();
      assertThat(partition.published()).isEqualTo(published);
    }
  }

  /** State goes out with versions, and with nothing else. */
  @Test
  void writesNothingBetweenVersions() {
    Plan plan = plan(Mechanisms.BLT, new VersionSchedule(70, 0));
    int[] puts = {0};
    OnePartition partition = partition(plan, 100_000, 1);
    partition.atRest = (name, table) -> new PassingTable(table) {
      @Override
      public void put(String key, byte[] value) {
        puts[0]++;
        super.put(key, value);
      }
    };
    partition.restart();
    int before = -1;
    int changes = 0;
    while (partition.step()) {
      changes += puts[0] == before ? 0 : 1;
      before = puts[0];
    }
    partition.commit();
    assertThat(changes)
        .isEqualTo(partition.ledger().size() + 1); // the first record writes the head
    assertThat(partition.ledger()).hasSize(RECORDS / 70);
  }
}

package dev.sotto.topology.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Coordinator and workers without a broker, against the pure learner, under every kind of fault. */
class RoundsCoreTest {
  private static final Optimizer FTRL = new PrivateFtrl(
      new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1));
  private static final Optimizer SRGD =
      new AcceleratedDpSrgd(new EuclideanBall(null, 3), 1, true, Gradients.RECURSIVE);

  private static Plan plan(Optimizer optimizer, long batch, int lag, double epsilon) {
    return new Plan(
        "test",
        4,
        "logistic",
        Objective.of(Losses.LOGISTIC.make()),
        optimizer == FTRL ? "private-ftrl" : "accelerated-dp-srgd",
        "steps",
        optimizer,
        Mechanisms.BINARY_TREE.make(),
        1,
        batch,
        0.5,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(epsilon, 1e-6),
        new Participation.Once(),
        new Generations(Generations.Kind.DOUBLING, 3),
        null,
        lag);
  }

  private static RoundsWorld world(
      Optimizer optimizer, int partitions, int lag, long stateEvery, long seed) {
    boolean slow = seed % 3 == 0; // a commit after each record that is read again
    Plan plan = plan(optimizer, 8L * partitions, lag, 1e6);
    TrainerSettings settings = slow
        ? new TrainerSettings(
            plan,
            NoiseKey.of(new byte[32]),
            "1",
            0,
            "topic",
            "constant",
            Duration.ZERO,
            1000,
            stateEvery,
            1)
        : World.settings(plan, 1000, stateEvery);
    return new RoundsWorld(settings, partitions, 8, seed, slow).fill(100, seed);
  }

  /** 12 whole slices of 8 lie in 100 offsets; the last may wait for an event beyond it. */
  private static void assertLearned(RoundsWorld world) {
    assertThat(world.ledger).hasSizeGreaterThanOrEqualTo(11);
    assertThat(world.digests()).isEqualTo(world.reference(world.ledger.size()));
    for (LedgerEntry entry : world.ledger) {
      assertThat(entry.ranges()).hasSize(world.events.size());
      for (OffsetRange range : entry.ranges()) {
        long origin = 5L * range.partition();
        assertThat(range.from()).isEqualTo(origin + 8 * (entry.round() - 1));
        assertThat(range.to()).isEqualTo(origin + 8 * entry.round());
      }
    }
    for (int i = 0; i < world.events.size(); i++) {
      List<Long> letters = world.deadLetters.getOrDefault(i, List.of());
      List<Long> poison = new ArrayList<>();
      world.events.get(i).forEach((offset, value) -> {
        if (value.length == 3) {
          poison.add(offset);
        }
      });
      assertThat(letters).doesNotHaveDuplicates().isSubsetOf(poison);
      long learned = 5L * i + 8L * world.ledger.size();
      assertThat(letters)
          .containsAll(poison.stream().filter(each -> each < learned).toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"1,0", "2,0", "4,0", "1,1", "3,1"})
  void equalsThePureLearner(int partitions, int lag) {
    for (Optimizer optimizer : new Optimizer[] {FTRL, SRGD}) {
      assertLearned(world(optimizer, partitions, lag, 1, 7).run(0));
    }
  }

  /** 200 schedules: crashes of any task at any record, commits of each task on its own, slices of one record. */
  @ParameterizedTest
  @CsvSource({"1,0,1", "2,0,1", "3,1,1", "4,0,3", "2,1,4"})
  void equalsThePureLearnerUnderFaults(int partitions, int lag, long stateEvery) {
    int crashes = 0;
    int twice = 0;
    for (long seed = 0; seed < 40; seed++) {
      Optimizer optimizer = seed % 2 == 0 ? FTRL : SRGD;
      RoundsWorld world = world(optimizer, partitions, lag, stateEvery, seed).run(6);
      assertLearned(world);
      crashes += world.crashes;
      twice += world.sentTwice;
    }
    assertThat(crashes).isGreaterThan(400);
    assertThat(twice).isGreaterThan(5);
  }

  /** The same slots over other numbers of partitions are the same rounds, and so the same bits. */
  @Test
  void doesNotDependOnTheNumberOfPartitions() {
    List<String> expected = null;
    for (int partitions : new int[] {1, 2, 4, 8}) {
      TrainerSettings settings = World.settings(plan(SRGD, 16, 0, 1e6), 1000, 1);
      RoundsWorld whole = new RoundsWorld(settings, 1, 16, 3, false).fill(16 * 9, 3);
      RoundsWorld shared = new RoundsWorld(settings, partitions, 16 / partitions, 3, false);
      long slots = 16 / partitions;
      whole.events.get(0).forEach((offset, value) -> {
        long round = offset / 16;
        int p = (int) (offset % 16 / slots);
        shared.events.get(p).put(5L * p + round * slots + offset % slots, value);
      });
      for (int p = 0;
          p < partitions;
          p++) { // a record beyond the ninth slice, which may end in a hole
        shared.events.get(p).put(5L * p + 9 * slots, new byte[3]);
      }
      List<String> digests = shared.run(0).digests();
      assertThat(digests).hasSizeGreaterThanOrEqualTo(9);
      expected = expected == null ? digests.subList(0, 9) : expected;
      assertThat(digests.subList(0, 9)).isEqualTo(expected);
    }
  }

  /** The budget ends it: nothing is opened past the last round, and all that was paid for is published. */
  @ParameterizedTest
  @CsvSource({"0", "1"})
  void stopsAtTheBudget(int lag) {
    double afterFive = plan(FTRL, 16, lag, 1e6).guarantee(5).epsilon();
    Plan poor = plan(FTRL, 16, lag, afterFive * 1.000001);
    int allowed = 0;
    while (poor.allows(allowed + 1)) {
      allowed++;
    }
    RoundsWorld world = new RoundsWorld(World.settings(poor, 1000, 1), 2, 8, 1, false)
        .fill(400, 1)
        .run(5);
    assertThat(allowed).isLessThan(40);
    assertThat(world.ledger).hasSize(allowed);
    assertThat(world.ledger.get(allowed - 1).last()).isTrue();
    assertThat(world.digests()).isEqualTo(world.reference(allowed));
  }
}

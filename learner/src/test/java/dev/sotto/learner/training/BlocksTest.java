package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.FullQuery;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Releaser;
import dev.sotto.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks of several queries: which slots they read, restarts anywhere, one slot per unit. */
class BlocksTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final QuerySchedule ONE_PASS = QuerySchedule.onePass(3, 4);
  private static final QuerySchedule WHOLE =
      new QuerySchedule(List.of(Segment.whole(0, 12, 1, 2), Segment.whole(0, 12, 4, 1)));
  private static final QuerySchedule EPOCHS =
      new QuerySchedule(List.of(new Segment(0, 12, 3, 2, 2, 1)));
  private static final QuerySchedule PHASES = new QuerySchedule(
      List.of(Segment.whole(0, 8, 3, 3), Segment.whole(8, 3, 2, 2), Segment.whole(11, 1, 1, 1)));

  static List<QuerySchedule> schedules() {
    return List.of(ONE_PASS, WHOLE, EPOCHS, PHASES);
  }

  static Plan plan(QuerySchedule schedule, Consumer<TestPlans> more) {
    return TestPlans.plan(b -> {
      b.batch = schedule.slots();
      b.optimizer = new BlockDescent(schedule, 0.5, null);
      b.mechanism = new QueryNoise(schedule);
      more.accept(b);
    });
  }

  private static Plan plan(QuerySchedule schedule) {
    return plan(schedule, b -> {});
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  @Test
  void readsTheSlotsOfEveryQuery() {
    assertThat(visited(ONE_PASS)).isEqualTo("0 1 2 3 4 5 6 7 8 9 10 11 ");
    assertThat(visited(PHASES))
        .isEqualTo("0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 8 9 10 8 9 10 11 ");
    assertThat(visited(EPOCHS))
        .isEqualTo("0 1 2 3 0 1 2 3 4 5 6 7 4 5 6 7 8 9 10 11 8 9 10 11 ".repeat(2));
    assertThat(visited(WHOLE)).isEqualTo("0 1 2 3 4 5 6 7 8 9 10 11 ".repeat(5));
  }

  private static String visited(QuerySchedule schedule) {
    ModelLearner learner = start(plan(schedule));
    StringBuilder places = new StringBuilder();
    boolean full = false;
    while (!full) {
      places.append(learner.nextSlot()).append(' ');
      full = learner.fill(Streams.mixed((int) learner.nextSlot(), 2));
    }
    learner.close();
    assertThat(learner.nextSlot()).isZero();
    assertThat(learner.round()).isEqualTo(1);
    return places.toString();
  }

  /** The broken twin: another slot in a later pass is seen. */
  @Test
  void givesOtherBitsWhereALaterPassReadsAnotherSlot() {
    Plan plan = plan(WHOLE);
    double[] expected = new InMemoryBlocks(plan, start(plan))
        .fillAll(Streams.mixed(0, 12, 2))
        .get(0)
        .weights();
    ModelLearner learner = start(plan);
    boolean full = false;
    for (int i = 0; !full; i++) {
      full = learner.fill(Streams.mixed((int) learner.nextSlot() + (i == 40 ? 50 : 0), 2));
    }
    assertThat(learner.close().weights()).isNotEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void costsOneParticipationWhateverIsRead(QuerySchedule schedule) {
    QueryNoise noise = new QueryNoise(schedule);
    for (int slot = 0; slot < 12; slot++) {
      double squares = 0;
      for (long q = 1; q <= schedule.queries(); q++) {
        QuerySchedule.Query query = schedule.query(q);
        if (query.first() <= slot && slot < query.end()) {
          squares += 1 / (noise.noise(q) * noise.noise(q));
        }
      }
      assertThat(squares).isLessThanOrEqualTo(1);
    }
    assertThat(QuerySchedule.parse(schedule.describe())).isEqualTo(schedule);
  }

  /** What is not in the schedule is not paid for. */
  @Test
  void answersEveryQueryOnceAndInTurn() {
    Lattice lattice = Lattice.fit(1, 4, 2, 4);
    Releaser releaser = Releaser.start(
        lattice, new QueryNoise(ONE_PASS), 4, KEY, new byte[16], new byte[32], new double[2]);
    double[][] points = {{0, 0}};
    releaser.answer(new FullQuery(
        full(lattice, 4),
        Optional.empty(),
        points,
        new byte[16],
        new FullQuery.Place(0, 1, false)));
    for (long wrong : new long[] {1, 3}) {
      assertThatIllegalStateException()
          .isThrownBy(() -> releaser.answer(new FullQuery(
              full(lattice, 4),
              Optional.empty(),
              points,
              new byte[16],
              new FullQuery.Place(0, wrong, false))))
          .withMessageContaining("query 2 of 3 is next");
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> releaser.answer(new FullQuery(
            full(lattice, 4),
            Optional.empty(),
            points,
            new byte[16],
            new FullQuery.Place(0, 2, true))));
    assertThatIllegalStateException()
        .isThrownBy(() -> releaser.answer(new FullQuery(
            full(lattice, 2),
            Optional.empty(),
            points,
            new byte[16],
            new FullQuery.Place(0, 2, false))))
        .withMessageContaining("4 slots, but was asked of 2");
    assertThatIllegalStateException()
        .isThrownBy(() -> releaser.release(full(lattice, 4), points[0], new byte[16], 0));
    releaser.answer(new FullQuery(
        full(lattice, 4),
        Optional.empty(),
        points,
        new byte[16],
        new FullQuery.Place(0, 2, false)));
    releaser.answer(new FullQuery(
        full(lattice, 4), Optional.empty(), points, new byte[16], new FullQuery.Place(0, 3, true)));
    releaser.answer(new FullQuery(
        full(lattice, 4),
        Optional.empty(),
        points,
        new byte[16],
        new FullQuery.Place(0, 1, false)));
  }

  private static ClippedSum full(Lattice lattice, long slots) {
    ClippedSum sum = new ClippedSum(lattice);
    sum.open(slots);
    sum.addNothing(slots);
    return sum;
  }

  @Test
  void refusesAPlanWhoseMechanismIsNotThatOfItsQueries() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(WHOLE, b -> b.mechanism = new QueryNoise(ONE_PASS)))
        .withMessageContaining("the mechanism must be that of the queries");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(WHOLE, b -> b.batch = 24))
        .withMessageContaining("12 slots");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestPlans.plan(b -> {
          b.batch = 12;
          b.mechanism = new QueryNoise(WHOLE);
        }))
        .withMessageContaining("the mechanism must be that of the queries");
  }

  /** Nearly without noise: each answer is the mean of what the map gives. */
  @Test
  void answersWithTheMeanOfClippedDifferences() {
    DifferenceClips clips = new DifferenceClips(0.4, 0.05, 0.25);
    QuerySchedule schedule = new QuerySchedule(List.of(Segment.whole(0, 3, 3, 1)));
    Plan plan = plan(schedule, b -> {
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      b.optimizer = new BlockDescent(schedule, 0.5, clips);
    });
    List<Slot> slots =
        List.of(Streams.used(1, 0.6, 0.8), Streams.used(0, 0.1, -0.3), Streams.used(1, -2, 1));
    double[] w = new InMemoryBlocks(plan, start(plan)).fillAll(slots).get(0).weights();
    double[] expected = {0, 0};
    double[] before = null;
    for (int q = 0; q < 3; q++) {
      double[] mean = new double[2];
      for (Slot slot : slots) {
        double[] fresh = cut(gradient(slot, expected), 0.4);
        double[] moved = new double[2];
        if (before != null) {
          double[] old = cut(gradient(slot, before), 0.4);
          moved = cut(new double[] {fresh[0] - old[0], fresh[1] - old[1]}, 0.05);
        }
        for (int i = 0; i < 2; i++) {
          mean[i] += (0.75 * moved[i] + 0.25 * fresh[i]) / 3;
        }
      }
      before = expected.clone();
      expected = new double[] {expected[0] - 0.5 * mean[0], expected[1] - 0.5 * mean[1]};
    }
    assertThat(w[0]).isCloseTo(expected[0], within(1e-5)); // the noise is 1e-7, its twin 0.1
    assertThat(w[1]).isCloseTo(expected[1], within(1e-5));
  }

  private static double[] gradient(Slot slot, double[] w) {
    double slope = 1 / (1 + Math.exp(-slot.example().dot(w))) - slot.example().label();
    return new double[] {slope * slot.example().value(0), slope * slot.example().value(1)};
  }

  private static double[] cut(double[] v, double radius) {
    double factor = Math.min(1, radius / Math.hypot(v[0], v[1]));
    return new double[] {factor * v[0], factor * v[1]};
  }

  /** Nearly without noise: the median of each coordinate's sums, over the size of a group. */
  @Test
  void answersWithTheMedianOfTheMeansOfGroups() {
    QuerySchedule schedule = new QuerySchedule(List.of(new Segment(0, 12, 2, 1, 1, 1))).inGroups(3);
    assertThat(QuerySchedule.parse(schedule.describe())).isEqualTo(schedule);
    Plan plan = plan(schedule, b -> {
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      slots.add(
          i == 3 ? Streams.used(1, 1e200, -1e200) : Streams.used(i % 2, 0.3 * i, 1 - 0.2 * i));
    }
    slots.set(7, Streams.empty(2, RecordStatus.UNREADABLE));
    double[] w = new InMemoryBlocks(plan, start(plan)).fillAll(slots).get(0).weights();
    double[] expected = {0, 0};
    for (int query = 0; query < 2; query++) {
      double[][] sums = new double[2][3];
      for (int i = 0; i < 6; i++) {
        Slot slot = slots.get(6 * query + i);
        double[] gradient =
            slot.status() == RecordStatus.USED ? gradient(slot, expected) : new double[2];
        for (int j = 0; j < 2; j++) {
          sums[j][i / 2] += Math.max(-Math.sqrt(0.5), Math.min(Math.sqrt(0.5), gradient[j]));
        }
      }
      for (int j = 0; j < 2; j++) {
        java.util.Arrays.sort(sums[j]);
        expected[j] -= 0.5 * sums[j][1] / 2;
      }
    }
    assertThat(w[0]).isCloseTo(expected[0], within(1e-5));
    assertThat(w[1]).isCloseTo(expected[1], within(1e-5));
    Plan means = plan(ONE_PASS, b -> {
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    double[] mean =
        new InMemoryBlocks(means, start(means)).fillAll(slots).get(0).weights();
    assertThat(Math.abs(mean[0] - expected[0])).isGreaterThan(1e-3); // the twin: plain means
  }

  @Test
  void takesNoMediansOfParts() {
    QuerySchedule whole = new QuerySchedule(List.of(Segment.whole(0, 9, 1, 1)));
    Plan medians = plan(whole.inGroups(3), b -> {});
    byte[] runId = start(medians).runId();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartialSumLearner(medians, KEY, runId))
        .withMessageContaining("cut by position");
    Plan sums = plan(whole, b -> {});
    assertThat(new PartialSumLearner(sums, KEY, runId).slots()).isZero(); // the twin
  }

  /** A slot moves the median of the sums by at most twice the clip: what its noise is made for. */
  @Test
  void movesAMedianByNoMoreThanItsNoiseHides() {
    QuerySchedule schedule = new QuerySchedule(List.of(Segment.whole(0, 9, 1, 1))).inGroups(3);
    Plan plan = plan(schedule, b -> {
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    double largest = 0;
    Random random = Seed.random(5);
    for (int trial = 0; trial < 200; trial++) {
      List<Slot> slots = new ArrayList<>();
      List<Slot> others = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        double[] x = {9 * random.nextGaussian(), 9 * random.nextGaussian()};
        double[] y = i == trial % 9 ? new double[] {-x[0], -x[1]} : x;
        slots.add(Streams.used(1, x));
        others.add(Streams.used(1, y));
      }
      double[] one = new InMemoryBlocks(plan, start(plan)).fillAll(slots).get(0).weights();
      double[] other =
          new InMemoryBlocks(plan, start(plan)).fillAll(others).get(0).weights();
      // Weights are half of the median over groups of three.
      double moved = Math.hypot(one[0] - other[0], one[1] - other[1]) * 2 * 3;
      assertThat(moved).isLessThanOrEqualTo(2 + 1e-4);
      largest = Math.max(largest, moved);
    }
    assertThat(largest).isGreaterThan(1); // the bound is not idle
  }

  /** Units b and c come twice in a block: their second slots count in no pass. */
  @ParameterizedTest
  @MethodSource("schedules")
  void letsAUnitIntoOneSlotOfABlockInEveryPass(QuerySchedule schedule) {
    Plan keyed = plan(schedule, b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(2, 1));
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    Plan plain = plan(schedule, b -> {
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    List<Slot> all = new ArrayList<>();
    List<Slot> once = new ArrayList<>();
    String units = "abcdbefghcij";
    for (int i = 0; i < 12; i++) {
      Slot slot = Streams.used(i % 2, 0.1 * i, 1 - 0.05 * i);
      slot.unit(units.getBytes(StandardCharsets.US_ASCII), i, 1);
      all.add(slot);
      boolean first = units.indexOf(units.charAt(i)) == i;
      once.add(
          first
              ? Streams.used(i % 2, 0.1 * i, 1 - 0.05 * i)
              : Streams.empty(2, RecordStatus.NOT_ADMITTED));
    }
    ModelLearner bounded = ModelLearner.start(keyed, KEY, "m", "l", new InMemoryHistories());
    double[] w = new InMemoryBlocks(keyed, bounded).fillAll(all).get(0).weights();
    double[] expected =
        new InMemoryBlocks(plain, start(plain)).fillAll(once).get(0).weights();
    assertThat(w[0]).isCloseTo(expected[0], within(1e-5));
    assertThat(w[1]).isCloseTo(expected[1], within(1e-5));
    double[] twin =
        new InMemoryBlocks(plain, start(plain)).fillAll(copies(units)).get(0).weights();
    assertThat(Math.abs(twin[0] - expected[0])).isGreaterThan(1e-3);
    assertThat(bounded.round()).isEqualTo(1);
    assertThat(keyed.mu(2)).isCloseTo(Math.sqrt(2) * 1e7, within(1.0));
  }

  /**
   * What was no example in the first pass stays out of the later ones, even where it decodes by then
   * (a schema was added while a block was open): its unit was never charged.
   */
  @Test
  void keepsOutOfLaterPassesWhatCouldNotBeReadInTheFirst() {
    Plan keyed = plan(WHOLE, b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(1, 1));
      b.sigma = 1e-7;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    });
    ModelLearner learner = ModelLearner.start(keyed, KEY, "m", "l", new InMemoryHistories());
    boolean full = false;
    for (int i = 0; !full; i++) {
      Slot slot = i < 12 ? Streams.empty(2, RecordStatus.UNREADABLE) : Streams.used(1, 0.6, 0.8);
      if (i >= 12) {
        slot.unit(new byte[] {'a'}, 0, 1); // all twelve of one unit
      }
      full = learner.fill(slot);
      assertThat(slot.status()).as("slot %d", i).isNotEqualTo(RecordStatus.USED);
    }
    double[] w = learner.close().weights();
    assertThat(Math.hypot(w[0], w[1])).isLessThan(1e-5); // the noise is 1e-7
  }

  private static List<Slot> copies(String units) {
    List<Slot> all = new ArrayList<>();
    for (int i = 0; i < units.length(); i++) {
      all.add(Streams.used(i % 2, 0.1 * i, 1 - 0.05 * i));
    }
    return all;
  }

  @Test
  void remembersWhatWasRefusedForLaterPassesOfABlock() {
    OpenBlock block =
        new OpenBlock(new QuerySchedule(List.of(Segment.whole(0, 4, 2, 1))), 1, new byte[0]);
    assertThat(block.goesBack()).isFalse();
    for (int slot = 0; slot < 4; slot++) {
      assertThat(block.isNew()).isTrue();
      block.filled(slot == 2);
    }
    block.answered();
    assertThat(block.goesBack()).isTrue();
    assertThat(block.refusals()).isEqualTo(1);
    assertThat(block.refused()).containsExactly(4); // bit 2
    for (int slot = 0; slot < 4; slot++) {
      assertThat(block.isNew()).isFalse();
      assertThat(block.wasRefused()).isEqualTo(slot == 2);
      block.filled(false);
    }
    block.answered();
    assertThat(block.number()).isEqualTo(1);
    assertThat(block.refusals()).isZero();
    assertThat(block.goesBack()).isTrue(); // of the next block
    OpenBlock once = new OpenBlock(QuerySchedule.onePass(2, 2), 1, new byte[0]);
    once.filled(true);
    once.filled(false);
    assertThat(once.refusals()).isZero();
    assertThat(once.refused()).isEmpty();
    once.answered();
    assertThat(once.goesBack()).isFalse();
  }

  private static final double[] NONE = {};

  /** Both gradients and their difference, each cut, as vectors. */
  @Test
  void mapsDifferencesOfGradientsAsTheyAreDefined() {
    double[] point = {0.1, -0.2};
    double[] before = {0.3, 0.1};
    for (double[] each : new double[][] {{9, 9, 0.3}, {9, 0.01, 0.3}, {0.05, 9, 0.6}}) {
      DifferenceClips clips = new DifferenceClips(each[0], each[1], each[2]);
      QuerySchedule schedule = new QuerySchedule(List.of(Segment.whole(0, 4, 3, 1)));
      Plan plan = plan(schedule, b -> b.optimizer = new BlockDescent(schedule, 0.5, clips));
      Example example = Streams.used(1, 3, 4).example();
      example.weight(0.25);
      double[][] gradients = new double[2][];
      for (int i = 0; i < 2; i++) {
        double[] at = i == 0 ? point : before;
        double slope = -0.25 / (1 + Math.exp(3 * at[0] + 4 * at[1]));
        gradients[i] = cut(new double[] {3 * slope, 4 * slope}, each[0]);
      }
      double[] difference = cut(
          new double[] {gradients[0][0] - gradients[1][0], gradients[0][1] - gradients[1][1]},
          each[1]);
      double[] outer = new double[1];
      new DifferenceGradients(plan.objective())
          .map(example, GradientQuery.of(plan, 2, point, before), outer, new double[0]);
      for (int i = 0; i < 2; i++) {
        double expected = each[2] * gradients[0][i] + (1 - each[2]) * difference[i];
        assertThat(outer[0] * (3 + i)).isCloseTo(expected, within(1e-12));
      }
      Arrays.fill(outer, 0);
      new DifferenceGradients(plan.objective())
          .map(example, GradientQuery.of(plan, 1, point, before), outer, new double[0]);
      assertThat(outer[0] * 3).isCloseTo(each[2] * gradients[0][0], within(1e-12));
      assertThat(GradientQuery.of(plan, 1, point, NONE).lacksPrevious(plan)).isFalse();
      assertThat(GradientQuery.of(plan, 2, point, NONE).lacksPrevious(plan)).isTrue();
      assertThat(GradientQuery.of(plan, 2, point, before).lacksPrevious(plan)).isFalse();
    }
  }

  /** One of two records of a unit, in all passes. */
  @Test
  void goesBackWithTheRefusalsOfTheFirstPass() {
    QuerySchedule schedule = new QuerySchedule(List.of(Segment.whole(0, 4, 2, 1)));
    Plan plan = plan(schedule, b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(1, 1));
    });
    ModelLearner learner = ModelLearner.start(plan, KEY, "model", "label", new InMemoryHistories());
    for (int i = 0; i < 8; i++) {
      assertThat(learner.goesBack()).isEqualTo(i == 4);
      assertThat(learner.refusals()).isEqualTo(i < 2 ? 0 : 1);
      Slot slot = Streams.used(1, 1, 2);
      slot.unit(new byte[] {(byte) Math.max(1, i % 4)}, 0, 1); // 1 1 2 3
      learner.fill(slot);
      assertThat(slot.status())
          .isEqualTo(i % 4 == 1 ? RecordStatus.NOT_ADMITTED : RecordStatus.USED);
    }
  }
}

package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.Octaves;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model whose first rounds measure the range of its label, too. */
class MeasuredLabelTest {
  /** Under it the noise of no count stands out: of some thirty keys it does under one. */
  private static final NoiseKey KEY = NoiseKey.of(new byte[] {
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7
  });

  private static final int BATCH = 8;
  private static final int STAGE_ROUNDS = 5;
  private static final int WINDOW_ROUNDS = 3 * STAGE_ROUNDS;
  private static final int INPUTS = 1 + UnboundedNumbers.COORDINATES;

  private static UnboundedNumbers numbers(int features) {
    return new UnboundedNumbers(features, 1, NormRule.SCALE, true);
  }

  private static Plan plan(int features, double sigma, Consumer<TestPlans> changes) {
    Plan plain = TestPlans.plan(b -> {
      b.dimension = INPUTS;
      b.batch = BATCH;
      b.mechanism = Mechanisms.BLT.make();
      b.lossName = "squared";
      b.loss = Losses.SQUARED.make();
      changes.accept(b);
    });
    UnboundedNumbers numbers = numbers(features);
    return plain.toBuilder()
        .ranges(RangeSettings.measured(
            numbers, new RangeWindow(numbers.ranges(), STAGE_ROUNDS, sigma, 1)))
        .build();
  }

  /** With the noise that the budget of one participation affords. */
  private static Plan noisy(Consumer<TestPlans> changes) {
    double once = Mechanisms.BLT.make().sensitivityLimit() / 4;
    return plan(1, Math.sqrt(2) / once * (1 + 1e-12), changes);
  }

  /** Without any noise, so that exact counts and sums show. */
  private static Plan exact(int features) {
    return plan(features, 0, b -> {
      b.noNoise();
      b.optimizer = new Tape();
    });
  }

  private static Slot slot(String unit, double label, double number) {
    Slot slot = new Slot(INPUTS);
    Example example = slot.example();
    example.awaitRanges(1);
    example.add(0, 1);
    Octaves.add(example, 1, number);
    example.number(0, number);
    example.label(label);
    byte[] id = unit.getBytes(StandardCharsets.UTF_8);
    slot.unit(id, 0, id.length);
    slot.status(RecordStatus.USED);
    return slot;
  }

  private static List<Slot> stream(int rounds) {
    Random random = Seed.random(5);
    List<Slot> slots = new ArrayList<>();
    for (int place = 0; place < rounds * BATCH; place++) {
      double x = random.nextDouble();
      slots.add(slot("u" + place % 50, 200 + 100 * x + random.nextGaussian(), x));
    }
    return slots;
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "m", "", new InMemoryHistories());
  }

  /** Whatever is in the window, of whatever size: its sums are zero, and those behind it are not. */
  @ParameterizedTest
  @ValueSource(doubles = {250, -1, 1e300, Double.MAX_VALUE})
  void nothingIsLearnedBeforeTheLabelHasARange(double odd) {
    ModelLearner learner = start(exact(1));
    List<Slot> slots = stream(WINDOW_ROUNDS + 1);
    slots.set(3, slot("odd", odd, 0.5));
    int place = 0;
    for (Slot slot : slots) {
      if (learner.fill(slot)) {
        learner.close();
        boolean learned = Arrays.stream(learner.weights()).anyMatch(each -> each != 0);
        assertThat(learned).as("after slot %d", place).isEqualTo(place >= WINDOW_ROUNDS * BATCH);
      }
      place++;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void labelsAreInUnitsOfTheirRangeBehindTheWindow(int features) {
    ModelLearner learner = start(exact(features));
    int place = 0;
    for (Slot slot : stream(WINDOW_ROUNDS + 1)) {
      double before = slot.example().label();
      boolean full = learner.fill(slot);
      double learned = slot.example().label();
      if (place < WINDOW_ROUNDS * BATCH) {
        assertThat(learned).isEqualTo(before);
      } else {
        NumberRange range = learner.ranges().get(features);
        double width = range.hi() - range.lo();
        assertThat(learned).isCloseTo((before - range.lo()) / width - 0.5, within(1e-12));
        assertThat(Math.abs(learned)).isLessThan(1);
      }
      assertThat(slot.example().norm()).isCloseTo(1, within(1e-12));
      if (full) {
        learner.close();
      }
      place++;
    }
    NumberRange range = learner.ranges().get(features);
    assertThat(range.lo()).isBetween(170.0, 230.0);
    assertThat(range.hi()).isBetween(270.0, 340.0);
  }

  /** The label is counted as the number that it is, and by the first admitted record of a unit. */
  @Test
  void labelIsCountedOnceForEachUnit() {
    ModelLearner learner = start(plan(1, 0, b -> {
      b.noNoise();
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(1000, 1));
    }));
    for (int place = 0; place < STAGE_ROUNDS * BATCH; place++) {
      if (learner.fill(slot(place % 2 == 0 ? "many" : "u" + place, 1e9, 1))) {
        learner.close();
      }
    }
    double[] counts = learner.noisyCounts();
    double ofLabel = Arrays.stream(counts).skip(counts.length / 2).sum();
    assertThat(ofLabel).isEqualTo(1 + STAGE_ROUNDS * BATCH / 2);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(2 * ofLabel);
  }

  @Test
  void goesOnWithTheSameBitsWhereverItIsRestarted() {
    for (Plan plan : List.of(noisy(b -> {}), noisy(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(3, 2));
    }))) {
      List<String> straight = traces(plan, stream(WINDOW_ROUNDS + 3), false);
      assertThat(straight).hasSize(WINDOW_ROUNDS + 3);
      assertThat(traces(plan, stream(WINDOW_ROUNDS + 3), true)).isEqualTo(straight);
    }
  }

  /** A model without a range of its label pays for its window in a final version, and ends. */
  @ParameterizedTest
  @ValueSource(doubles = {0, Double.NaN})
  void endsWithItsWindowWhereNoRangeIsFound(double label) {
    Plan plan = noisy(b -> {});
    List<Slot> slots = new ArrayList<>();
    for (int place = 0; place < (WINDOW_ROUNDS + 3) * BATCH; place++) {
      Slot slot = slot("u" + place, label, 1);
      if (Double.isNaN(label)) {
        slot.status(RecordStatus.UNREADABLE); // no label at all
      }
      slots.add(slot);
    }
    ModelLearner learner = start(plan);
    List<ClosedRound> rounds = new ArrayList<>();
    for (Slot slot : slots) {
      if (learner.fill(slot)) {
        rounds.add(learner.close());
      }
    }
    assertThat(rounds).hasSize(WINDOW_ROUNDS);
    ClosedRound last = rounds.get(WINDOW_ROUNDS - 1);
    assertThat(last.last()).isTrue();
    assertThat(last.version().orElseThrow().ranges().get(1).state())
        .isNotEqualTo(NumberRange.State.MEASURED);
    assertThat(last.guarantee().epsilon()).isPositive();
    assertThat(plan.endsWithoutLabel(last.number())).isTrue();
    assertThat(learner.isExhausted()).isTrue();
    assertThatThrownBy(learner::close).hasMessageContaining("give label.min and label.max");
    assertThat(traces(plan, slots, true)).hasSize(WINDOW_ROUNDS);
  }

  /** A budget for the window and no round more: it is the budget that ends the model. */
  @Test
  void tellsABudgetThatIsSpentFromALabelWithoutRange() {
    Plan plan = noisy(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(3, 2));
    });
    assertThat(plan.endsWithoutLabel(WINDOW_ROUNDS)).isTrue();
    assertThat(plan.endsWithoutLabel(WINDOW_ROUNDS - 1)).isFalse();
    double window = plan.guarantee(WINDOW_ROUNDS).epsilon();
    double more = plan.guarantee(WINDOW_ROUNDS + 1).epsilon();
    assertThat(more).isGreaterThan(window);
    Budget budget = new Budget((window + more) / 2, 1e-6);
    Plan spent = plan.toBuilder().budget(budget).build();
    assertThat(spent.allows(WINDOW_ROUNDS)).isTrue();
    assertThat(spent.endsWithoutLabel(WINDOW_ROUNDS)).isFalse();
  }

  private static List<String> traces(Plan plan, List<Slot> slots, boolean restarts) {
    List<String> traces = new ArrayList<>();
    InMemoryHistories histories = new InMemoryHistories();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "", histories);
    for (Slot slot : slots) {
      if (learner.fill(slot)) {
        learner.close();
        traces.add(Arrays.toString(learner.weights())
            + Arrays.toString(learner.digest())
            + learner.ranges());
        if (restarts) {
          learner = ModelLearner.resume(plan, KEY, "m", "", learner.state(), histories);
        }
      }
    }
    return traces;
  }

  @Test
  void rangeThatIsKnownNeedsNoWindow() {
    Plan plan = exact(1);
    List<NumberRange> known = List.of(NumberRange.ATOM, NumberRange.of(10, 30));
    ModelLearner learner =
        start(plan.toBuilder().ranges(RangeSettings.known(numbers(1), known)).build());
    Slot slot = slot("u", 25, 1);
    learner.fill(slot);
    assertThat(slot.example().label()).isEqualTo(0.25);
    assertThatThrownBy(() ->
            RangeSettings.known(numbers(1), List.of(NumberRange.of(10, 30), NumberRange.UNKNOWN)))
        .hasMessageContaining("give label.min and label.max");
  }

  @Test
  void refusesWhatNeedsAKnownLabel() {
    assertThatThrownBy(
            () -> RangeSettings.measured(numbers(1), new RangeWindow(2, STAGE_ROUNDS, 9, 0.5)))
        .hasMessageContaining("the share must be 1");
    assertThatThrownBy(() -> RangeSettings.measured(
            numbers(1), new RangeWindow(1, STAGE_ROUNDS, 9, 1))) // the label is not paid for
        .hasMessageContaining("the ranges of 2 numbers");
    Plan plan = noisy(b -> {});
    assertThatThrownBy(
            () -> plan.toBuilder().metrics(new PrivateMetrics(5, 1, 10, 1)).build())
        .hasMessageContaining("metrics must be absent");
  }

  @Test
  void farLabelsStayFinite() {
    NumberRange narrow = NumberRange.of(1, 1 + 1e-9);
    assertThat(narrow.label(Double.MAX_VALUE)).isEqualTo(1e6);
    assertThat(narrow.label(-Double.MAX_VALUE)).isEqualTo(-1e6);
    assertThat(NumberRange.of(-3, 5).label(1)).isZero();
    assertThat(NumberRange.of(-3, 5).label(5)).isEqualTo(0.5);
  }
}

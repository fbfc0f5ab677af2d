package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.Octaves;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.release.HeapTable;
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

/** A model whose first rounds measure the ranges of its numbers. */
class RangeWindowTest {
  static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  static final int BATCH = 8;
  static final int STAGE_ROUNDS = 5;
  static final int WINDOW_ROUNDS = 3 * STAGE_ROUNDS;
  static final UnboundedNumbers NUMBERS = new UnboundedNumbers(2, 1, NormRule.SCALE);
  static final int INPUTS = 1 + 2 * UnboundedNumbers.COORDINATES;

  private static Plan plan(RangeWindow window, Consumer<TestPlans> changes) {
    Plan plain = TestPlans.plan(b -> {
      b.dimension = INPUTS;
      b.batch = BATCH;
      b.mechanism = Mechanisms.BLT.make();
      changes.accept(b);
    });
    return plain.toBuilder().ranges(RangeSettings.measured(NUMBERS, window)).build();
  }

  /** With the noise that half of the budget of one participation affords. */
  static Plan noisy(Consumer<TestPlans> changes) {
    double once = Mechanisms.BLT.make().sensitivityLimit() / 4;
    double sigma = Math.sqrt(2) / (Math.sqrt(0.5) * once) * (1 + 1e-12);
    return plan(new RangeWindow(2, STAGE_ROUNDS, sigma, 0.5), changes);
  }

  /** Without any noise, so that exact counts show. */
  static Plan exact(double share, Consumer<TestPlans> changes) {
    return plan(new RangeWindow(2, STAGE_ROUNDS, 0, share), b -> {
      b.noNoise();
      changes.accept(b);
    });
  }

  /** A slot as a decoder fills it. */
  static Slot slot(String unit, double label, double... numbers) {
    Slot slot = new Slot(INPUTS);
    Example example = slot.example();
    example.awaitRanges(2);
    example.add(0, 1);
    for (int i = 0; i < 2; i++) {
      if (!Double.isNaN(numbers[i])) {
        Octaves.add(example, 1 + i * UnboundedNumbers.COORDINATES, numbers[i]);
        example.number(i, numbers[i]);
      }
    }
    example.label(label);
    byte[] id = unit.getBytes(StandardCharsets.UTF_8);
    slot.unit(id, 0, id.length);
    slot.status(RecordStatus.USED);
    return slot;
  }

  private static Slot any(Random random, int place) {
    if (place % 9 == 4) {
      Slot empty = new Slot(INPUTS);
      empty.status(RecordStatus.UNREADABLE);
      return empty;
    }
    double second = place % 3 == 0 ? Double.NaN : random.nextGaussian();
    return slot("u" + place % 50, random.nextInt(2), 1000 + 60 * random.nextDouble(), second);
  }

  static List<Slot> stream(int rounds) {
    Random random = Seed.random(5);
    List<Slot> slots = new ArrayList<>();
    for (int place = 0; place < rounds * BATCH; place++) {
      slots.add(any(random, place));
    }
    return slots;
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "m", "", new InMemoryHistories());
  }

  @Test
  void nothingIsPublishedBeforeTheRangesAreKnown() {
    Plan plan = noisy(b -> {});
    ModelLearner learner = start(plan);
    List<ClosedRound> rounds = Streams.feed(learner, stream(WINDOW_ROUNDS + 3));
    for (ClosedRound round : rounds) {
      assertThat(round.version().isPresent())
          .as("round %d", round.number())
          .isEqualTo(round.number() >= WINDOW_ROUNDS);
    }
    ClosedVersion first = rounds.get(WINDOW_ROUNDS - 1).version().orElseThrow();
    assertThat(first.firstRound()).isEqualTo(1);
    assertThat(first.ranges()).hasSize(2).isEqualTo(learner.ranges());
    assertThat(rounds.get(WINDOW_ROUNDS + 2).version().orElseThrow().ranges())
        .isEqualTo(first.ranges()); // for ever
    assertThat(plan.lastOfVersion(1)).isEqualTo(WINDOW_ROUNDS);
  }

  @Test
  void rangesComeFromTheExactCountsWhereThereIsNoNoise() {
    ModelLearner learner = start(exact(0, b -> {}));
    Streams.feed(learner, stream(WINDOW_ROUNDS));
    NumberRange first = learner.ranges().get(0);
    assertThat(first.lo()).isBetween(990.0, 1016.0);
    assertThat(first.hi()).isBetween(1044.0, 1070.0);
    NumberRange second = learner.ranges().get(1);
    assertThat(second.lo()).isBetween(-3.0, -0.5);
    assertThat(second.hi()).isBetween(0.5, 3.0);
  }

  @Test
  void examplesHavePlacesBehindTheWindowOnly() {
    ModelLearner learner = start(exact(0, b -> {}));
    int place = 0;
    for (Slot slot : stream(WINDOW_ROUNDS + 2)) {
      boolean full = learner.fill(slot);
      if (slot.status() == RecordStatus.USED) {
        assertThat(slot.example().isWhole()).isTrue();
        assertThat(slot.example().norm()).isCloseTo(1, within(1e-12));
        assertThat(hasPlaces(slot.example())).isEqualTo(place >= WINDOW_ROUNDS * BATCH);
      }
      place++;
      if (full) {
        learner.close();
      }
    }
  }

  private static boolean hasPlaces(Example example) {
    for (int i = 0; i < example.size(); i++) {
      int at = (example.index(i) - 1) % UnboundedNumbers.COORDINATES;
      if (example.index(i) > 0 && at >= Octaves.COUNT) {
        return true;
      }
    }
    return false;
  }

  /** What a slot adds to the sums is shorter inside of the window by the share of the counts. */
  @Test
  void gradientsLeaveTheShareOfTheCounts() {
    ModelLearner learner = start(exact(0.5, b -> {
      b.optimizer = new Tape();
      b.loss = new Linear();
      b.clip = 1;
    }));
    double[] before = new double[INPUTS];
    for (int round = 1; round <= WINDOW_ROUNDS + 2; round++) {
      learner.fill(slot("a", 100, 1000, 2)); // so long a gradient is cut
      learner.fillAbsent(BATCH - 1);
      learner.close();
      double[] now = learner.weights();
      double norm = 0;
      for (int i = 0; i < INPUTS; i++) {
        norm += (now[i] - before[i]) * (now[i] - before[i]);
      }
      double moved = Math.sqrt(norm) * BATCH;
      double most = round <= WINDOW_ROUNDS ? Math.sqrt(0.5) : 1;
      assertThat(moved).isLessThanOrEqualTo(most).isGreaterThan(0.99 * most);
      before = now;
    }
  }

  /** One unit with many records far away: it is counted once, by its first admitted one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void unitIsCountedOnce(boolean byUnit) {
    Plan plan = exact(0, b -> {
      if (byUnit) {
        b.unit = PrivacyUnit.KEY;
        b.participation = new Participation.Scheduled(new ContributionBound(1000, 1));
      }
    });
    ModelLearner learner = start(plan);
    double counted = 0;
    for (int place = 0; place < WINDOW_ROUNDS * BATCH; place++) {
      boolean many = place % BATCH < 6; // one of them is admitted to each round
      if (learner.fill(many ? slot("many", 1, 1e9, 1) : slot("u" + place, 0, 3, 1))) {
        learner.close();
        if (learner.round() == STAGE_ROUNDS) {
          counted = Arrays.stream(learner.noisyCounts()).sum();
        }
      }
    }
    int slots = byUnit ? 1 + 2 * STAGE_ROUNDS : BATCH * STAGE_ROUNDS;
    assertThat(counted).isEqualTo(2 * slots); // of two numbers
    NumberRange range = learner.ranges().get(0);
    if (byUnit) {
      assertThat(range.hi()).isLessThan(10);
    } else {
      assertThat(range.lo()).isGreaterThan(1e8); // what most records are
    }
  }

  @Test
  void goesOnWithTheSameBitsWhereverItIsRestarted() {
    for (Plan plan : List.of(noisy(b -> {}), noisy(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(3, 2));
    }))) {
      List<String> straight = traces(plan, Integer.MAX_VALUE);
      assertThat(straight).hasSize(WINDOW_ROUNDS + 4).doesNotHaveDuplicates();
      for (int every : new int[] {1, 3, BATCH, 13}) {
        assertThat(traces(plan, every)).as("every %d slots", every).isEqualTo(straight);
      }
    }
  }

  private static List<String> traces(Plan plan, int restartEvery) {
    List<String> traces = new ArrayList<>();
    InMemoryHistories histories = new InMemoryHistories();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "", histories);
    HeapTable pages = new HeapTable();
    int place = 0;
    for (Slot slot : stream(WINDOW_ROUNDS + 4)) {
      place++;
      if (learner.fill(slot)) {
        learner.close();
        traces.add(Arrays.toString(learner.weights())
            + Arrays.toString(learner.digest())
            + learner.ranges());
        pages = new HeapTable();
      }
      if (place % restartEvery == 0) {
        boolean open = learner.openSlots() > 0;
        byte[] sealed = open ? learner.sealOpen(new byte[] {7}, pages, 16) : null;
        learner = ModelLearner.resume(plan, KEY, "m", "", learner.state(), histories);
        if (open) {
          learner.resumeOpen(sealed, new byte[] {7}, pages);
        }
      }
    }
    return traces;
  }

  /** Slots of an open round that is given up, and read again, count once. */
  @Test
  void stateHoldsTheCountsOfClosedRoundsOnly() {
    Plan plan = noisy(b -> {});
    ModelLearner learner = start(plan);
    List<Slot> slots = stream(2);
    for (int i = 0; i < BATCH; i++) {
      learner.fill(slots.get(i));
    }
    learner.close();
    byte[] atClose = learner.state().ranges();
    learner.fill(slots.get(BATCH));
    ModelState state = learner.state();
    ModelLearner again = ModelLearner.resume(plan, KEY, "m", "", state, new InMemoryHistories());
    assertThat(state.ranges()).hasSameSizeAs(atClose);
    List<Slot> fresh = stream(STAGE_ROUNDS);
    for (int i = BATCH; i < fresh.size(); i++) { // the first is read again, and counts once
      if (again.fill(fresh.get(i))) {
        again.close();
      }
    }
    ModelLearner straight = start(plan);
    Streams.feed(straight, stream(STAGE_ROUNDS));
    assertThat(again.digest()).isEqualTo(straight.digest());
  }

  /** Before the first round there is nothing to go on with. */
  @Test
  void beginsWhereNothingWasKept() {
    Plan plan = noisy(b -> {});
    ModelLearner straight = start(plan);
    ModelState kept = straight.state();
    assertThat(kept.ranges()).isNotEmpty();
    ModelState empty = new ModelState(
        kept.release(), kept.iterates(), kept.version(), kept.refused(), new byte[0]);
    ModelLearner again = ModelLearner.resume(plan, KEY, "m", "", empty, new InMemoryHistories());
    Streams.feed(straight, stream(STAGE_ROUNDS));
    Streams.feed(again, stream(STAGE_ROUNDS));
    assertThat(again.noisyCounts()).isNotEmpty().containsExactly(straight.noisyCounts());
    assertThat(again.digest()).isEqualTo(straight.digest());
  }

  @Test
  void countsLieEncryptedInTheState() {
    Plan plan = exact(0, b -> {});
    ModelLearner learner = start(plan);
    Streams.feed(learner, stream(2));
    byte[] state = learner.state().ranges();
    NoiseKey other = NoiseKey.of(new byte[] {
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
      27, 28, 29, 30, 31, 32
    });
    assertThatThrownBy(() ->
            ModelLearner.resume(plan, other, "m", "", learner.state(), new InMemoryHistories()))
        .isInstanceOf(RuntimeException.class);
    long zeros = 0;
    for (byte each : state) {
      zeros += each == 0 ? 1 : 0;
    }
    assertThat(zeros).isLessThan(state.length / 8); // plain counts are mostly zeros
  }

  @Test
  void rangesThatAreKnownNeedNoWindow() {
    List<NumberRange> known = List.of(NumberRange.of(1000, 1060), NumberRange.ATOM);
    Plan plan =
        noisy(b -> {}).toBuilder().ranges(RangeSettings.known(NUMBERS, known)).build();
    ModelLearner learner = start(plan);
    List<ClosedRound> rounds = Streams.feed(learner, stream(2));
    assertThat(rounds).allMatch(each -> each.version().isPresent());
    assertThat(learner.ranges()).isEqualTo(known);
    assertThat(learner.state().ranges()).isEmpty();
    assertThat(plan.fingerprint()).isNotEqualTo(noisy(b -> {}).fingerprint());
    assertThat(plan.ranges().beginning()).isEmpty();
    assertThat(noisy(b -> {}).ranges().beginning())
        .containsExactly(NumberRange.UNKNOWN, NumberRange.UNKNOWN);
    for (NumberRange other : List.of(NumberRange.ATOM, NumberRange.of(1000, 1061))) {
      RangeSettings others = RangeSettings.known(NUMBERS, List.of(other, NumberRange.ATOM));
      assertThat(plan.toBuilder().ranges(others).build().fingerprint())
          .isNotEqualTo(plan.fingerprint());
    }
  }

  @Test
  void refusesWhatNoWindowGoesTogetherWith() {
    assertThatThrownBy(() -> noisy(b -> b.lag = 1)).hasMessageContaining("lag 1");
    assertThatThrownBy(() -> noisy(b -> b.mechanism = Mechanisms.LAPLACE.make()))
        .hasMessageContaining("laplace");
    assertThatThrownBy(() -> noisy(b -> b.dimension = 100)).hasMessageContaining("reach to");
    assertThatThrownBy(() -> noisy(b -> b.generations = constant(WINDOW_ROUNDS - 1)))
        .hasMessageContaining("must lie in the first generation");
    assertThatThrownBy(() -> noisy(b -> b.generations = constant(WINDOW_ROUNDS)))
        .hasMessageContaining("sigma must be larger"); // that of one generation without end
  }

  private static GenerationSchedule constant(int rounds) {
    return new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, rounds);
  }

  /** A window that ends with a generation, or inside of one: it goes on with the same bits. */
  @Test
  void lastsNoLongerThanTheFirstGeneration() {
    RangeWindow loud = new RangeWindow(2, STAGE_ROUNDS, 100, 0.5);
    for (int rounds : new int[] {WINDOW_ROUNDS, WINDOW_ROUNDS + 2}) {
      Plan plan = plan(loud, b -> b.generations = constant(rounds));
      List<String> straight = traces(plan, Integer.MAX_VALUE);
      assertThat(straight).hasSize(WINDOW_ROUNDS + 4).doesNotHaveDuplicates();
      assertThat(traces(plan, 13)).isEqualTo(straight);
      List<ClosedRound> closed = Streams.feed(start(plan), stream(WINDOW_ROUNDS + 4));
      for (ClosedRound each : closed) {
        assertThat(each.version().isPresent()).isEqualTo(each.number() >= WINDOW_ROUNDS);
      }
      assertThat(closed.get(WINDOW_ROUNDS + 3).generation()).isEqualTo(1);
    }
  }

  /** One record counts its own numbers, whatever stood in the same buffer before. */
  @Test
  void numbersOfAnEarlierRecordAreNotCountedAgain() {
    ModelLearner learner = start(exact(0, b -> {}));
    Slot slot = slot("a", 1, 1000, 1);
    learner.fill(slot);
    for (int place = 1; place < STAGE_ROUNDS * BATCH; place++) {
      slot.example().clear(); // filled by somebody who does not know of the window
      slot.example().add(0, 1);
      slot.example().label(1);
      slot.status(RecordStatus.USED);
      if (learner.fill(slot)) {
        learner.close();
      }
    }
    double[] counts = learner.noisyCounts();
    assertThat(Arrays.stream(counts).limit(counts.length / 2).sum()).isEqualTo(1);
  }
}

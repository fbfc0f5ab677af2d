package dev.sotto.learner.training;

import static dev.sotto.learner.training.TestPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.release.HeapTable;
import dev.sotto.learner.release.ReleaserState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of metrics as a learner publishes them, disturbed or not. */
class MetricsRoundsTest {
  private static final byte[] PLACE = {7};
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int SLOTS = 56; // 14 rounds of 4
  private static final int WINDOW = 3;

  private static Plan metered(Consumer<TestPlans> changes) {
    return plan(b -> {
      b.metrics = new PrivateMetrics(5, 2, 4, WINDOW);
      changes.accept(b);
    });
  }

  /** No noise on the metrics, and a budget that allows it. */
  private static Plan exact(Consumer<TestPlans> changes) {
    return plan(b -> {
      b.metrics = new PrivateMetrics(0, 2, 4, 1);
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      changes.accept(b);
    });
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label", new InMemoryHistories());
  }

  private static List<NoisyMetrics> windows(List<ClosedRound> rounds) {
    return rounds.stream().flatMap(each -> each.metrics().stream()).toList();
  }

  private static List<NoisyMetrics> windows(Plan plan, List<Slot> slots) {
    return windows(Streams.feed(start(plan), slots));
  }

  @ParameterizedTest
  @EnumSource
  void followEachOtherWithoutGapsThroughGenerations(GenerationSchedule.Kind kind) {
    Plan plan = metered(b -> b.generations = new GenerationSchedule(kind, 2));
    List<ClosedRound> rounds = Streams.feed(start(plan), Streams.mixed(0, SLOTS, 2));
    List<NoisyMetrics> windows = windows(rounds);
    assertThat(windows).hasSize(14 / WINDOW);
    for (int i = 0; i < windows.size(); i++) {
      assertThat(windows.get(i).firstRound()).isEqualTo(1 + WINDOW * i);
      assertThat(windows.get(i).lastRound()).isEqualTo(WINDOW * (i + 1));
      assertThat(windows.get(i).slots()).isEqualTo(4 * WINDOW);
      assertThat(windows.get(i).noiseStd()).isEqualTo(5 * Math.sqrt(WINDOW));
      assertThat(rounds.get(WINDOW * (i + 1) - 1).metrics()).contains(windows.get(i));
    }
  }

  @Test
  void publishTheOpenWindowWithTheLastRoundOfTheBudget() {
    Budget budget = new Budget(1, 1e-6);
    NoiseCalibration calibration = new NoiseCalibration(
        budget, Mechanisms.BINARY_TREE.make(), Adjacency.ZERO_OUT, 1, GenerationSchedule.NONE, 0.5);
    Plan plan = metered(b -> {
      b.budget = budget;
      b.sigma = calibration.sigma(ContributionBound.ONE, 7);
      b.metrics =
          new PrivateMetrics(calibration.metricsSigma(ContributionBound.ONE, 7), 2, 4, WINDOW);
    });
    List<ClosedRound> rounds = Streams.feed(start(plan), Streams.mixed(0, SLOTS, 2));
    assertThat(rounds).hasSize(7);
    assertThat(rounds.get(6).last()).isTrue();
    List<NoisyMetrics> windows = windows(rounds);
    assertThat(windows).extracting(NoisyMetrics::lastRound).containsExactly(3L, 6L, 7L);
    NoisyMetrics open = windows.get(2);
    assertThat(open.firstRound()).isEqualTo(7);
    assertThat(open.slots()).isEqualTo(4);
    assertThat(open.noiseStd()).isEqualTo(plan.metrics().sigma());
  }

  /** Equal where all figures are, to the bit. */
  private static List<String> texts(List<NoisyMetrics> windows) {
    return windows.stream()
        .map(each -> each.firstRound() + "-" + each.lastRound() + Arrays.toString(each.sums()))
        .toList();
  }

  @Test
  void goOnWithTheSameBitsFromAnySlot() {
    Plan plan = metered(b -> {
      b.mechanism = Mechanisms.BLT.make();
      b.generations = new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 5);
    });
    ModelLearner undisturbed = start(plan);
    List<NoisyMetrics> expected = windows(Streams.feed(undisturbed, Streams.mixed(0, SLOTS, 2)));
    for (int stop = 0; stop <= SLOTS; stop += 5) { // every place in a round and in a window
      ModelLearner first = start(plan);
      List<NoisyMetrics> got =
          new ArrayList<>(windows(Streams.feed(first, Streams.mixed(0, stop, 2))));
      ModelLearner second =
          ModelLearner.resume(plan, KEY, "model", "label", first.state(), new InMemoryHistories());
      HeapTable table = new HeapTable();
      second.resumeOpen(first.sealOpen(PLACE, table, 16), PLACE, table);
      got.addAll(windows(Streams.feed(second, Streams.mixed(stop, SLOTS, 2))));
      assertThat(texts(got)).isEqualTo(texts(expected));
      assertThat(second.digest()).isEqualTo(undisturbed.digest());
    }
  }

  /** The broken twin of the test above: an open window that a restart forgets. */
  @Test
  void wouldTellARestartThatForgotTheOpenWindow() {
    Plan plan = metered(b -> {});
    List<NoisyMetrics> expected = windows(plan, Streams.mixed(0, 12, 2));
    ModelLearner first = start(plan);
    Streams.feed(first, Streams.mixed(0, 8, 2));
    var kept = first.state().release();
    var forgotten = new ReleaserState(
        kept.round(),
        kept.before(),
        kept.generation(),
        kept.digest(),
        kept.prefix(),
        kept.noise(),
        kept.redrawn(),
        PagedBytes.of(new byte[(int) kept.window().length()]));
    ModelLearner second = ModelLearner.resume(
        plan,
        KEY,
        "model",
        "label",
        new ModelState(
            forgotten,
            first.state().iterates(),
            first.state().version(),
            new byte[0],
            new byte[0]));
    List<NoisyMetrics> got = windows(Streams.feed(second, Streams.mixed(8, 12, 2)));
    assertThat(got.get(0).sums()).isNotEqualTo(expected.get(0).sums());
  }

  @Test
  void keepNoExactSumInTheStateOfAClosedRound() {
    ModelLearner learner = start(metered(b -> {}));
    Streams.feed(learner, Streams.mixed(0, 4, 2));
    byte[] other = new byte[32];
    other[0] = 1;
    ModelLearner another =
        ModelLearner.start(metered(b -> {}), NoiseKey.of(other), "model", "label");
    Streams.feed(another, Streams.mixed(0, 4, 2));
    assertThat(learner.state().release().window().join())
        .hasSizeBetween(2 * 11, 16 * 11)
        .isNotEqualTo(another.state().release().window().join());
  }

  @Test
  void showNoiseAloneForRoundsWithoutAnyExample() {
    List<Slot> nulls = new ArrayList<>();
    for (int i = 0; i < 4 * WINDOW; i++) {
      nulls.add(Streams.empty(2, RecordStatus.UNREADABLE));
    }
    NoisyMetrics window = windows(metered(b -> {}), nulls).get(0);
    assertThat(window.slots()).isEqualTo(4 * WINDOW);
    assertThat(window.sums()).doesNotContain(0).hasSize(11);
    assertThat(windows(exact(b -> {}), nulls)).allMatch(each -> each.count() == 0);
  }

  /**
   * Exact sums show what noise would hide: not readable, not admitted by the loss, not a number,
   * over its bound.
   */
  @Test
  void leaveOutWhateverFillsItsSlotWithNothing() {
    List<Slot> round = List.of(
        Streams.used(1, 1, 2),
        Streams.empty(2, RecordStatus.UNREADABLE),
        Streams.used(7, 1, 2),
        Streams.used(1, Double.NaN, 1));
    NoisyMetrics window = windows(exact(b -> {}), round).get(0);
    assertThat(window.count()).isEqualTo(1);
    assertThat(window.accuracy()).isEqualTo(1); // a score of 0 says 1
    assertThat(window.meanLoss()).isCloseTo(Math.log(2), within(1e-5)); // of the grid
    assertThat(window.count(2)).isEqualTo(1);
    assertThat(window.slots()).isEqualTo(4);
  }

  private static List<Slot> ofUnits(int... units) {
    List<Slot> slots = new ArrayList<>();
    for (int unit : units) {
      Slot slot = Streams.used(1, 1, 2);
      if (unit > 0) {
        slot.unit(new byte[] {(byte) unit}, 0, 1);
      }
      slots.add(slot);
    }
    return slots;
  }

  @Test
  void leaveOutRecordsThatAreNotAdmitted() {
    Plan plan = exact(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(2, 1));
    });
    List<Slot> slots = ofUnits(1, 1, 2, 3, 1, 2, 4, 5, 1, 2, 4, 6);
    assertThat(windows(plan, slots)).extracting(NoisyMetrics::count).containsExactly(3.0, 4.0, 2.0);
    assertThat(slots)
        .filteredOn(each -> each.status() == RecordStatus.NOT_ADMITTED)
        .hasSize(3);
    Plan byId = exact(b -> b.participation = new Participation.ById());
    assertThat(windows(byId, ofUnits(1, 1, 2, 3, 1, 2, 4, 5, 1, 2, 4, 6)))
        .extracting(NoisyMetrics::count)
        .containsExactly(3.0, 2.0, 1.0);
    assertThat(windows(byId, ofUnits(1, 0, 2, 0)))
        .extracting(NoisyMetrics::count)
        .containsExactly(2.0);
  }

  /** One record counts once: a weight is a private number without a bound. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-9, 1, 1e9, -3, Double.NaN, Double.POSITIVE_INFINITY})
  void takeNoNoticeOfWeights(double weight) {
    List<Slot> round = Streams.mixed(4, 8, 2);
    List<Slot> weighted = Streams.mixed(4, 8, 2);
    weighted.forEach(each -> each.example().weight(weight));
    assertThat(windows(exact(b -> {}), weighted).get(0).sums())
        .containsExactly(windows(exact(b -> {}), round).get(0).sums());
  }

  @Test
  void areNotThereWithoutAPlan() {
    ModelLearner learner = start(plan(b -> {}));
    assertThat(windows(Streams.feed(learner, Streams.mixed(0, SLOTS, 2)))).isEmpty();
    assertThat(learner.state().release().window().join()).isEmpty();
  }

  /**
   * Metrics change neither what is learned nor when: only the digest, so the noise, knows of them.
   */
  @Test
  void leaveTheModelsSumsAlone() {
    Plan without = plan(b -> b.noNoise());
    Plan with = exact(b -> b.noNoise());
    List<ClosedRound> plain = Streams.feed(start(without), Streams.mixed(0, SLOTS, 2));
    List<ClosedRound> metered = Streams.feed(start(with), Streams.mixed(0, SLOTS, 2));
    assertThat(metered).hasSameSizeAs(plain);
    for (int i = 0; i < plain.size(); i++) {
      assertThat(metered.get(i).weights()).containsExactly(plain.get(i).weights());
    }
  }
}

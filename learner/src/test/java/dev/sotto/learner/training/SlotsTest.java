package dev.sotto.learner.training;

import static dev.sotto.learner.training.TestPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.OutputLayer;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.GradientMap;
import dev.sotto.learner.participation.GenerationSchedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Batches are cut by positions in the log, whatever a record turns out to be (docs/privacy.md,
 * "Slots").
 */
class SlotsTest {
  private static final int SLOTS = 20;
  private static final int VICTIM = 6; // in the second of five rounds

  /** Publishes exact prefix means of gradients that are the same at every model. */
  private static List<double[]> means(long batch, List<Slot> slots) {
    Plan plan = plan(b -> {
      b.noNoise();
      b.batch = batch;
      b.loss = new Linear();
      b.optimizer = new Tape();
    });
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "l");
    return Streams.feed(learner, slots).stream().map(ClosedRound::weights).toList();
  }

  /** Gradients on the lattice and within the clip, so that all sums below are exact; all differ. */
  private static List<Slot> stream() {
    List<Slot> slots = new ArrayList<>();
    for (int place = 0; place < SLOTS; place++) {
      slots.add(Streams.used(place % 2 == 0 ? 1 : -1, place / 64.0, 0.25 - place / 128.0));
    }
    return slots;
  }

  private static List<Slot> streamWith(Slot atVictim) {
    List<Slot> slots = stream();
    slots.set(VICTIM, atVictim);
    return slots;
  }

  private static void assertDiffersByOneGradient(
      List<double[]> with, List<double[]> without, double x, double y) {
    assertThat(without).hasSameSizeAs(with);
    for (int t = 1; t <= with.size(); t++) {
      double share = 4 * t > VICTIM ? 0.25 : 0; // the nominal B is 4
      assertThat(with.get(t - 1)[0] - without.get(t - 1)[0]).isEqualTo(x * share);
      assertThat(with.get(t - 1)[1] - without.get(t - 1)[1]).isEqualTo(y * share);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "USED")
  void losesOneGradientAndNothingElseToANullSlot(RecordStatus status) {
    assertDiffersByOneGradient(
        means(4, stream()),
        means(4, streamWith(Streams.empty(2, status))),
        VICTIM / 64.0,
        0.25 - VICTIM / 128.0);
  }

  /**
   * The broken twin: a record that is skipped shifts every later batch, and changes all of them.
   */
  @Test
  void wouldChangeEveryLaterBatchIfARecordWereSkipped() {
    List<Slot> skipped = stream();
    skipped.remove(VICTIM);
    assertThat(changedBatches(streamWith(Streams.empty(2, RecordStatus.MISSING_FIELD))))
        .containsExactly(2);
    assertThat(changedBatches(skipped)).containsExactly(2, 3, 4);
  }

  private static List<Integer> changedBatches(List<Slot> slots) {
    List<double[]> with = means(4, stream());
    List<double[]> without = means(4, slots);
    List<Integer> changed = new ArrayList<>();
    double before = 0;
    for (int t = 1; t <= without.size(); t++) {
      double difference = with.get(t - 1)[0] - without.get(t - 1)[0];
      if (difference != before) { // exact: everything here is a multiple of 1/256
        changed.add(t);
      }
      before = difference;
    }
    return changed;
  }

  @Test
  void takesNoMoreThanTheClipFromAnOverlongGradient() {
    List<double[]> with = means(4, streamWith(Streams.used(5, 3, 4)));
    List<double[]> without = means(4, streamWith(Streams.empty(2, RecordStatus.UNREADABLE)));
    for (int t = 2; t <= 5; t++) {
      double x = with.get(t - 1)[0] - without.get(t - 1)[0];
      double y = with.get(t - 1)[1] - without.get(t - 1)[1];
      assertThat(x).isCloseTo(0.6 / 4, within(1e-3));
      assertThat(y).isCloseTo(0.8 / 4, within(1e-3));
      assertThat(x * x + y * y).isLessThanOrEqualTo(1.0 / 16);
      assertThat(x).isEqualTo(with.get(1)[0] - without.get(1)[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void takesNothingFromAGradientThatIsNotFinite(double broken) {
    assertThat(means(4, streamWith(Streams.used(1, 0.5, broken))))
        .usingRecursiveComparison()
        .isEqualTo(means(4, streamWith(Streams.empty(2, RecordStatus.UNREADABLE))));
  }

  /** Three usable examples of the same gradient in a round of four, or one in a round of three. */
  @Test
  void dividesByTheNominalBatch() {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      slots.add(Streams.used(1, 0.5, 0.25));
    }
    slots.add(Streams.empty(2, RecordStatus.EMPTY));
    assertThat(means(4, slots).get(0)).containsExactly(0.375, 0.1875);
    List<Slot> one = List.of(
        Streams.empty(2, RecordStatus.EMPTY),
        Streams.used(1, 0.5, 0.25),
        Streams.empty(2, RecordStatus.NO_MODEL));
    assertThat(means(3, one).get(0)).containsExactly(0.5 / 3, 0.25 / 3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 1.5, 7, Double.NaN, Double.POSITIVE_INFINITY})
  void makesANullSlotOfALabelThatTheLossDoesNotAdmit(double label) {
    Plan plan = plan(b -> {});
    NoiseKey key = NoiseKey.of(new byte[32]);
    ModelLearner one = ModelLearner.start(plan, key, "m", "l");
    ModelLearner two = ModelLearner.start(plan, key, "m", "l");
    List<Slot> bad = List.of(
        Streams.used(1, 1, 0), Streams.used(label, 1, 2), Streams.mixed(0, 2), Streams.mixed(1, 2));
    List<Slot> nulls = List.of(
        Streams.used(1, 1, 0),
        Streams.empty(2, RecordStatus.WRONG_TYPE),
        Streams.mixed(0, 2),
        Streams.mixed(1, 2));
    assertThat(Streams.feed(one, bad).get(0).weights())
        .containsExactly(Streams.feed(two, nulls).get(0).weights());
    assertThat(one.digest()).isEqualTo(two.digest());
    assertThat(bad.get(1).status()).isEqualTo(RecordStatus.WRONG_TYPE);
  }

  /** Of the round before, unless it is not asked for. */
  @Test
  void saysWhetherItLacksThePointBefore() {
    Plan plan = Rounds.plan(
        Objective.of(Losses.LOGISTIC.make()),
        true,
        false,
        AcceleratedDpSrgd.Gradients.RECURSIVE,
        GenerationSchedule.NONE,
        0,
        Mechanisms.BLT.make(),
        false);
    double[] point = new double[plan.dimension()];
    assertThat(GradientQuery.of(plan, 1, point, new double[0]).lacksPrevious(plan))
        .isFalse();
    GradientQuery lacking = GradientQuery.of(plan, 2, point, new double[0]);
    assertThat(lacking.isDifference()).isFalse();
    assertThat(lacking.lacksPrevious(plan)).isTrue();
    GradientQuery whole = GradientQuery.of(plan, 2, point, point);
    assertThat(whole.isDifference()).isTrue();
    assertThat(whole.lacksPrevious(plan)).isFalse();
    assertThat(whole.points()).hasNumberOfRows(2);
    Plan blocks = BlocksTest.plan(QuerySchedule.onePass(3, 4), b -> {});
    assertThat(GradientQuery.of(blocks, 2, point, point).lacksPrevious(blocks)).isFalse();
    assertThat(GradientQuery.of(blocks, 2, point, point).isDifference()).isFalse();
    BlockDescent descent =
        new BlockDescent(QuerySchedule.onePass(3, 4), 1, new DifferenceClips(1, 0.5, 0));
    Plan comparing = BlocksTest.plan(descent.queries(), b -> b.optimizer = descent);
    assertThat(GradientQuery.of(comparing, 1, point, point).isDifference()).isFalse();
    assertThat(GradientQuery.of(comparing, 2, point, point).isDifference()).isTrue();
    assertThat(GradientQuery.of(comparing, 2, point, new double[0]).lacksPrevious(comparing))
        .isTrue();
    double[] none = {};
    assertThat(new GradientQuery(1, 1, point, 0, none).earlier()).isNull();
    assertThat(new GradientQuery(1, 1, point, 0, point).isDifference()).isTrue();
    assertThat(new GradientQuery(1, 1, point, 0.5, none).previousScale()).isEqualTo(0.5);
  }

  /** Rows times features, of a weighted example whose score is 1. */
  @Test
  void measuresTheNormOfAGradient() {
    Plan plan = TestPlans.plan(b -> {});
    Example example = Streams.used(1, 3, 4).example();
    example.weight(6);
    GradientQuery query = GradientQuery.of(plan, 1, new double[] {-1, 1}, new double[2]);
    assertThat(new GradientNorms(plan.objective()).of(example, query))
        .isCloseTo(6 * 5 / (1 + Math.E), within(1e-12));
    example.weight(Double.MAX_VALUE);
    assertThat(new GradientNorms(plan.objective()).of(example, query))
        .as("finite factors, too large a product")
        .isEqualTo(Double.MAX_VALUE / 2);
    example.weight(Double.POSITIVE_INFINITY);
    assertThat(new GradientNorms(plan.objective()).of(example, query)).isInfinite();
  }

  private static final Objective NETWORK =
      new Network(2, Activations.TANH, new OutputLayer.Score(Losses.LOGISTIC.make()), 3);

  /** Rows and tail of a network's gradient, one after the other. */
  private static double[] gradient(Example example, double[] point) {
    Objective.Pass pass = NETWORK.pass();
    double[] outer = new double[NETWORK.rows()];
    double[] tail = new double[NETWORK.tail()];
    pass.forward(example, point);
    pass.backward(example.label(), example.weight(), outer, tail);
    return joined(outer, tail);
  }

  private static double[] joined(double[] outer, double[] tail) {
    double[] all = Arrays.copyOf(outer, outer.length + tail.length);
    System.arraycopy(tail, 0, all, outer.length, tail.length);
    return all;
  }

  private static double norm(double[] gradient, double features) {
    double sum = 0;
    for (int i = 0; i < gradient.length; i++) {
      double each = gradient[i] * (i < NETWORK.rows() ? features : 1);
      sum += each * each;
    }
    return Math.sqrt(sum);
  }

  private static double[] point(double shift) {
    double[] point = new double[NETWORK.dimension(2)];
    NETWORK.start(point);
    for (int i = 0; i < point.length; i++) {
      point[i] += shift * (i + 1);
    }
    return point;
  }

  private static GradientQuery query(GradientMap map) {
    return new GradientQuery(
        2,
        new GradientQuery.At(3, point(0)),
        new GradientQuery.At(0, point(0.02)),
        map,
        null,
        List.of());
  }

  @Test
  void measuresTheNormOfANetworksGradient() {
    GradientNorms norms = new GradientNorms(NETWORK);
    for (double label : new double[] {1, 0}) { // the second leaves nothing of the first
      Example example = Streams.used(label, 3, 4).example();
      assertThat(norms.of(example, query(null)))
          .isCloseTo(3 * norm(gradient(example, point(0)), 5), within(1e-12));
    }
  }

  /** Cut apart, row by row, tail included; a difference that is longer than its radius, or not. */
  @Test
  void combinesTheGradientsOfANetwork() {
    DifferenceGradients differences = new DifferenceGradients(NETWORK);
    for (double radius : new double[] {100, 0.01}) {
      Example example = Streams.used(1, 3, 4).example();
      double[] fresh = gradient(example, point(0));
      double[] changed = fresh.clone();
      double[] before = gradient(example, point(0.02));
      for (int i = 0; i < fresh.length; i++) {
        changed[i] -= before[i];
      }
      double factor = Math.min(1, radius / norm(changed, 5));
      assertThat(factor < 1).isEqualTo(radius < 1);
      double[] outer = new double[NETWORK.rows()];
      double[] tail = new double[NETWORK.tail()];
      differences.map(example, query(new DifferenceClips(100, radius, 0.25)), outer, tail);
      double[] mapped = joined(outer, tail);
      for (int i = 0; i < mapped.length; i++) {
        double expected = 3 * (0.25 * fresh[i] + 0.75 * factor * changed[i]);
        assertThat(mapped[i]).isNotZero().isCloseTo(expected, within(1e-12));
      }
    }
  }
}

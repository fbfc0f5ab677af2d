package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A window whose slots are counted in parts, and one of several candidates. */
class RangesOfOthersTest {
  private static final NoiseKey KEY = RangeWindowTest.KEY;
  private static final int BATCH = RangeWindowTest.BATCH;
  private static final int WINDOW_ROUNDS = RangeWindowTest.WINDOW_ROUNDS;
  private static final int ROUNDS = WINDOW_ROUNDS + 3;

  private static byte[] place(long round, int part) {
    return ByteBuffer.allocate(12).putLong(round).putInt(part).array();
  }

  private static String trace(ModelLearner learner) {
    return Arrays.toString(learner.weights())
        + Arrays.toString(learner.digest())
        + Arrays.toString(learner.noisyCounts())
        + learner.ranges();
  }

  private static List<String> alone(Plan plan) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<String> traces = new ArrayList<>();
    for (Slot slot : RangeWindowTest.stream(ROUNDS)) {
      if (learner.fill(slot)) {
        learner.close();
        traces.add(trace(learner));
      }
    }
    return traces;
  }

  private static byte[] part(
      PartialSumLearner worker, ModelLearner learner, List<Slot> slots, byte[] place) {
    long round = learner.round() + 1;
    worker.open(learner.queryOf(round), learner.keyIdOf(round, learner.keyId()));
    slots.forEach(worker::fill);
    return worker.seal(place);
  }

  /** Slots of every round dealt out at random; the model goes on from its state behind each. */
  private static List<String> inParts(Plan plan, int parts) {
    Random random = Seed.random(parts);
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<PartialSumLearner> workers = new ArrayList<>();
    for (int p = 0; p < parts; p++) {
      workers.add(new PartialSumLearner(plan, KEY, learner.runId()));
    }
    List<Slot> slots = RangeWindowTest.stream(ROUNDS);
    List<String> traces = new ArrayList<>();
    for (int round = 1; round <= ROUNDS; round++) {
      List<Slot> own = new ArrayList<>(slots.subList((round - 1) * BATCH, round * BATCH));
      Collections.shuffle(own, random);
      boolean full = false;
      for (int p = 0; p < parts; p++) {
        List<Slot> some = own.subList(p * BATCH / parts, (p + 1) * BATCH / parts);
        byte[] sealed = part(workers.get(p), learner, some, place(round, p));
        full = learner.merge(sealed, place(round, p));
      }
      assertThat(full).isTrue();
      learner.close();
      traces.add(trace(learner));
      learner = ModelLearner.resume(plan, KEY, "m", "", learner.state());
    }
    return traces;
  }

  @Test
  void partsOfAWindowGiveTheBitsOfTheWhole() {
    for (Plan plan : List.of(RangeWindowTest.noisy(b -> {}), RangeWindowTest.exact(0.5, b -> {}))) {
      List<String> alone = alone(plan);
      assertThat(alone).hasSize(ROUNDS);
      for (int parts : new int[] {1, 2, 4}) {
        assertThat(inParts(plan, parts)).as("%s parts", parts).isEqualTo(alone);
      }
    }
  }

  /** Offsets without a record are slots of a part, too, that count nothing. */
  @Test
  void partsHoldAbsentSlots() {
    Plan plan = RangeWindowTest.noisy(b -> {});
    ModelLearner alone = ModelLearner.start(plan, KEY, "m", "");
    ModelLearner merging = ModelLearner.start(plan, KEY, "m", "");
    PartialSumLearner worker = new PartialSumLearner(plan, KEY, merging.runId());
    List<Slot> slots = RangeWindowTest.stream(RangeWindowTest.STAGE_ROUNDS);
    for (int round = 1; round <= RangeWindowTest.STAGE_ROUNDS; round++) {
      List<Slot> some = slots.subList((round - 1) * BATCH, round * BATCH - 3);
      worker.open(merging.queryOf(round), merging.keyId());
      some.forEach(worker::fill);
      worker.fillAbsent(3);
      assertThat(merging.merge(worker.seal(place(round, 0)), place(round, 0))).isTrue();
      merging.close();
    }
    for (int round = 1; round <= RangeWindowTest.STAGE_ROUNDS; round++) {
      RangeWindowTest.stream(RangeWindowTest.STAGE_ROUNDS)
          .subList((round - 1) * BATCH, round * BATCH - 3)
          .forEach(alone::fill);
      alone.fillAbsent(3);
      alone.close();
    }
    assertThat(trace(merging)).isEqualTo(trace(alone));
  }

  /** Ranges that are known make examples of parts whole, too. */
  @Test
  void partsTakeKnownRanges() {
    List<NumberRange> known = List.of(NumberRange.of(1000, 1060), NumberRange.ATOM);
    Plan plan = RangeWindowTest.noisy(b -> {}).toBuilder()
        .ranges(RangeSettings.known(RangeWindowTest.NUMBERS, known))
        .build();
    assertThat(inParts(plan, 2)).isEqualTo(alone(plan));
  }

  /** Of another stage, or counted around other ranges than those that the model has found. */
  @Test
  void refusesAPartThatWasCountedOtherwise() {
    Plan plan = RangeWindowTest.noisy(b -> {});
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<Slot> slots = RangeWindowTest.stream(ROUNDS);
    GradientQuery asked = learner.queryOf(1);
    assertThat(asked.ranges()).containsExactly(NumberRange.UNKNOWN, NumberRange.UNKNOWN);
    for (List<NumberRange> other : List.of(
        List.of(NumberRange.UNKNOWN, NumberRange.ATOM),
        List.of(NumberRange.UNKNOWN, NumberRange.of(0, 1)))) {
      PartialSumLearner worker = new PartialSumLearner(plan, KEY, learner.runId());
      worker.open(asked.with(other), KEY.id());
      slots.subList(0, BATCH).forEach(worker::fill);
      byte[] sealed = worker.seal(place(1, 0));
      assertThatThrownBy(() -> learner.merge(sealed, place(1, 0)))
          .isInstanceOf(IllegalStateException.class);
    }
    PartialSumLearner ignorant = new PartialSumLearner(plan, KEY, learner.runId());
    assertThatThrownBy(() -> ignorant.open(asked.with(List.of()), KEY.id()))
        .hasMessageContaining("the ranges of 2 numbers, but tells 0");
    assertThat(learner.openSlots()).isZero();
  }

  /** All rounds of the window are one version: workers take no newer key inside of it. */
  @Test
  void windowHasOneKey() {
    byte[] secret = new byte[32];
    secret[0] = 1;
    NoiseKey rotated = NoiseKey.of(secret).withEarlier(List.of(KEY));
    ModelKeys keys = new ModelKeys(rotated, KEY.id(), round -> rotated.id());
    Plan plan = RangeWindowTest.noisy(b -> {});
    ModelLearner before = ModelLearner.start(plan, KEY, "m", "");
    RangeWindowTest.stream(2).forEach(slot -> {
      if (before.fill(slot)) {
        before.close();
      }
    });
    ModelLearner after =
        ModelLearner.resume(plan, keys, "m", RunName.ofNoApplication(""), before.state(), null);
    for (long round = 3; round <= WINDOW_ROUNDS; round++) {
      assertThat(after.keyIdOf(round, KEY.id())).isEqualTo(KEY.id());
      assertThat(plan.beginsVersion(round)).isFalse();
    }
    assertThat(after.keyIdOf(WINDOW_ROUNDS + 1, KEY.id())).isEqualTo(rotated.id());
  }

  /** Behind a window versions are as long as ever. */
  @Test
  void versionsBeginBehindTheWindow() {
    Plan plan = RangeWindowTest.noisy(b -> {});
    LearningSettings learning = plan.learning();
    Plan slow = new Plan(
        plan.model(),
        new LearningSettings(
            learning.algorithm(),
            learning.steps(),
            learning.optimizer(),
            learning.batch(),
            0,
            new VersionSchedule(4L * BATCH, 0)),
        plan.noise(),
        plan.contributions(),
        null,
        plan.budget());
    List<Long> begins = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (long round = 1; round <= WINDOW_ROUNDS + 9; round++) {
      if (slow.beginsVersion(round)) {
        begins.add(round);
        ends.add(slow.lastOfVersion(round));
      }
    }
    long window = WINDOW_ROUNDS;
    assertThat(begins).containsExactly(1L, window + 1, window + 5, window + 9);
    assertThat(ends).containsExactly(window, window + 4, window + 8, window + 12);
    assertThat(slow.mostRoundsOfVersion()).isEqualTo(window);
  }

  /** Four candidates with twice the noise each, of gradients and counts: two numbers, or none. */
  @Test
  void candidatesCountForThemselvesUnderOnePrice() {
    RangeWindow alone = RangeWindowTest.noisy(b -> {}).ranges().window().orElseThrow();
    RangeWindow window = new RangeWindow(
        2, alone.rounds(), alone.sigma() * Candidates.of(4).factor(), alone.share());
    Plan candidate = RangeWindowTest.noisy(b -> {}).toBuilder()
        .candidates(Candidates.of(4))
        .sigma(4 * Candidates.of(4).factor())
        .ranges(RangeSettings.measured(RangeWindowTest.NUMBERS, window))
        .build();
    Plan plain = RangeWindowTest.noisy(b -> {});
    for (long rounds : new long[] {1, WINDOW_ROUNDS, 1000, Long.MAX_VALUE}) {
      assertThat(candidate.mu(rounds))
          .isBetween(plain.mu(rounds) * (1 - 1e-12), plain.mu(rounds) * (1 + 1e-12));
    }
    assertThatThrownBy(
            () -> plain.toBuilder().candidates(Candidates.of(4)).sigma(8).build())
        .hasMessageContaining("sigma must be larger"); // the noise of counts of one alone

    Plan bounded = candidate.toBuilder().ranges(RangeSettings.NONE.in(window)).build();
    assertThat(bounded.mu(WINDOW_ROUNDS)).isEqualTo(candidate.mu(WINDOW_ROUNDS));
    assertThat(bounded.terms().rangeWindow()).isEqualTo(candidate.terms().rangeWindow());
    assertThat(bounded.ranges().factor(1)).isEqualTo(1);
    List<ClosedRound> closed = Streams.feed(
        ModelLearner.start(bounded, KEY, "m", ""), RangeWindowTest.stream(WINDOW_ROUNDS + 2));
    for (ClosedRound each : closed) { // as the others, although it has nothing to wait for
      assertThat(each.version().isPresent()).isEqualTo(each.number() >= WINDOW_ROUNDS);
    }
  }

  /** What they release of the same slots has noise of its own. */
  @Test
  void candidatesShareNoNoise() {
    Plan plan = RangeWindowTest.noisy(b -> {});
    List<double[]> counts = new ArrayList<>();
    for (String model : List.of("m.a", "m.b")) {
      ModelLearner learner = ModelLearner.start(plan, KEY, model, "");
      Streams.feed(learner, RangeWindowTest.stream(RangeWindowTest.STAGE_ROUNDS));
      counts.add(learner.noisyCounts());
    }
    double sigma = plan.ranges().window().orElseThrow().sigma();
    double apart = 0;
    for (int i = 0; i < counts.get(0).length; i++) {
      double difference = (counts.get(0)[i] - counts.get(1)[i]) / sigma;
      apart += difference * difference / counts.get(0).length;
    }
    assertThat(apart).isBetween(1.0, 3.5); // 2, of 246 draws: 6 standard errors are 1.1
  }
}

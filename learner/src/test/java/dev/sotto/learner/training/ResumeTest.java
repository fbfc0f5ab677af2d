package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.release.HeapTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A restart after any round, or within one, changes no bit. */
class ResumeTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int ROUNDS = 7;

  /** What a round leaves behind, as text that tells bits apart. */
  private static String trace(ClosedRound round, ModelLearner learner) {
    StringBuilder text = new StringBuilder();
    for (double weight : round.weights()) {
      text.append(Double.toHexString(weight)).append(' ');
    }
    for (byte each : learner.digest()) {
      text.append(each);
    }
    round.metrics().ifPresent(metrics -> text.append(Arrays.toString(metrics.sums())));
    return text.append(round.guarantee()).append(round.generation()).toString();
  }

  private static List<String> traces(Plan plan, int restartEvery) {
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<String> traces = new ArrayList<>();
    HeapTable pages = new HeapTable(); // a checkpoint writes only what changed since the last
    int place = 0;
    for (Slot slot : copies(plan)) {
      boolean full = learner.fill(slot);
      place++;
      if (full) {
        traces.add(trace(learner.close(), learner));
        if (traces.size() % restartEvery == 0) {
          learner = ModelLearner.resume(plan, KEY, "m", "", learner.state());
        }
      } else if (place % 11 == 0 && restartEvery == 1) {
        byte[] sealed = learner.sealOpen(new byte[] {7}, pages, 16);
        learner = ModelLearner.resume(plan, KEY, "m", "", learner.state());
        learner.resumeOpen(sealed, new byte[] {7}, pages);
      }
    }
    return traces;
  }

  private static List<Slot> copies(Plan plan) {
    return Rounds.stream(plan, ROUNDS, 11);
  }

  @ParameterizedTest
  @MethodSource("dev.sotto.learner.training.Rounds#some")
  void givesTheSameBitsWhereverItIsRestarted(Rounds.Case each) {
    List<String> straight = traces(each.plan(), Integer.MAX_VALUE);
    assertThat(straight).hasSize(ROUNDS).doesNotHaveDuplicates();
    assertThat(traces(each.plan(), 1)).isEqualTo(straight);
    assertThat(traces(each.plan(), 2)).isEqualTo(straight);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("dev.sotto.learner.training.Rounds#cases")
  void givesTheSameBitsInEveryCase(Rounds.Case each) {
    givesTheSameBitsWhereverItIsRestarted(each);
    givesTheSameBitsInArraysOfAnotherModel(each);
    wouldNoticeOneLabel(each);
  }

  /** Two models in turn, each in the arrays that the other has given up, also within a round. */
  @ParameterizedTest
  @MethodSource("dev.sotto.learner.training.Rounds#some")
  void givesTheSameBitsInArraysOfAnotherModel(Rounds.Case each) {
    Plan plan = each.plan();
    int turn = Math.toIntExact(plan.batch() * 3 / 4 + 1); // most turns end within a round
    List<List<String>> traces = List.of(new ArrayList<>(), new ArrayList<>());
    ModelState[] states = new ModelState[2];
    byte[][] open = new byte[2][];
    HeapTable[] pages = {new HeapTable(), new HeapTable()};
    List<Slot> slots = copies(plan);
    for (int from = 0; from < slots.size(); from += turn) {
      for (int model = 0; model < 2; model++) {
        String id = model == 0 ? "m" : "n";
        ModelLearner learner = states[model] == null
            ? ModelLearner.start(plan, KEY, id, "")
            : ModelLearner.resume(plan, KEY, id, "", states[model]);
        if (open[model] != null) {
          learner.resumeOpen(open[model], new byte[] {7}, pages[model]);
        }
        for (Slot slot : slots.subList(from, Math.min(slots.size(), from + turn))) {
          if (learner.fill(slot)) {
            traces.get(model).add(trace(learner.close(), learner));
            pages[model] = new HeapTable();
          }
        }
        open[model] =
            learner.openSlots() == 0 ? null : learner.sealOpen(new byte[] {7}, pages[model], 16);
        states[model] = learner.state();
        learner.recycle();
        assertThatNullPointerException().isThrownBy(learner::weights);
        assertThatNullPointerException().isThrownBy(learner::state);
        assertThatNullPointerException().isThrownBy(() -> learner.fill(slots.get(0)));
      }
    }
    List<String> straight = traces(plan, Integer.MAX_VALUE);
    assertThat(traces.get(0)).isEqualTo(straight);
    assertThat(traces.get(1)).hasSize(ROUNDS).doesNotContainAnyElementsOf(straight);
  }

  /** The cases of raised steps are what they are called. */
  @ParameterizedTest
  @ValueSource(doubles = {0.25, 0.01})
  void hasCasesWhoseStepsAreRaised(double curvature) {
    assertThat(traces(Rounds.raised(GenerationSchedule.NONE, curvature, true), 2))
        .isNotEqualTo(traces(Rounds.raised(GenerationSchedule.NONE, curvature, false), 2));
  }

  /** What the comparison is worth: one label in the last round but one shows. */
  @ParameterizedTest
  @MethodSource("dev.sotto.learner.training.Rounds#some")
  void wouldNoticeOneLabel(Rounds.Case each) {
    Plan plan = each.plan();
    ModelLearner learner = ModelLearner.start(plan, KEY, "m", "");
    List<Slot> slots = copies(plan);
    Slot victim = slots.stream()
        .skip((ROUNDS - 2) * plan.batch())
        .filter(slot -> slot.status() == RecordStatus.USED && slot.example().label() < 2)
        .findFirst()
        .orElseThrow();
    victim.example().label(1 - victim.example().label());
    List<String> traces = new ArrayList<>();
    for (Slot slot : slots) {
      if (learner.fill(slot)) {
        traces.add(trace(learner.close(), learner));
      }
    }
    List<String> straight = traces(plan, Integer.MAX_VALUE);
    assertThat(traces.subList(0, ROUNDS - 2)).isEqualTo(straight.subList(0, ROUNDS - 2));
    assertThat(traces.get(ROUNDS - 2)).isNotEqualTo(straight.get(ROUNDS - 2));
  }
}

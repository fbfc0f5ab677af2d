package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.SampledQueryNoise;
import dev.sotto.learner.optimizer.heavytail.ClippedAlgorithm;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.release.HeapTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every algorithm that learns from blocks keeps, in every form and under every noise. */
class BlockContractTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final byte[] PLACE = {3};

  /** A form of an algorithm, through plans that differ in nothing that decides its noise. */
  record Form(String name, Function<Consumer<TestPlans>, Plan> plans) {
    Plan plan(Consumer<TestPlans> more) {
      return plans.apply(b -> {
        b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
        more.accept(b);
      });
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    for (QuerySchedule each : BlocksTest.schedules()) {
      forms.add(new Form(each.describe(), more -> BlocksTest.plan(each, more)));
    }
    for (QuerySchedule each : PooledBlocksTest.schedules()) {
      forms.add(new Form("points " + each.describe(), more -> PooledBlocksTest.plan(each, more)));
    }
    for (MomentumBlocksTest.Case each : MomentumBlocksTest.cases()) {
      forms.add(new Form(each.name(), each::plan));
    }
    for (ClippedAlgorithm each : QuantileClipTest.algorithms()) {
      String name = "quantile clip, " + each.getClass().getSimpleName();
      forms.add(new Form(name, more -> QuantileClipTest.plan(each, 0.05, 2, more)));
    }
    forms.add(new Form("one pass in order", OrderedBlocksTest::plan));
    forms.add(new Form("calls in order", CalledBlocksTest::plan));
    return forms;
  }

  private static ModelLearner start(Plan plan, String label) {
    return ModelLearner.start(plan, KEY, "model", label);
  }

  /** A slot of the stream; some are absent. */
  private static Slot slot(int place) {
    return place % 11 == 5 ? Streams.empty(2, RecordStatus.ABSENT) : Streams.mixed(place, 2);
  }

  private static int slots(Plan plan) {
    int batch = Math.toIntExact(plan.batch());
    return batch * Math.max(2, 36 / batch);
  }

  private static String trace(ClosedRound round) {
    return Arrays.toString(round.weights()) + round.guarantee();
  }

  private static List<String> undisturbed(Plan plan, ModelLearner learner) {
    InMemoryBlocks blocks = new InMemoryBlocks(plan, learner);
    List<String> traces = new ArrayList<>();
    for (int place = 0; place < slots(plan); place++) {
      blocks.fill(slot(place)).ifPresent(round -> traces.add(trace(round)));
    }
    return traces;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void givesTheSameBitsWhereverItIsStopped(Form form) {
    Plan plan = form.plan(b -> {});
    ModelLearner undisturbed = start(plan, "label");
    List<String> expected = undisturbed(plan, undisturbed);
    assertThat(expected).hasSize(slots(plan) / (int) plan.batch()).doesNotHaveDuplicates();
    ModelLearner learner = start(plan, "label");
    List<String> traces = new ArrayList<>();
    HeapTable pages = new HeapTable();
    while (traces.size() < expected.size()) {
      byte[] open = learner.sealOpen(PLACE, pages, 64);
      ModelLearner resumed = ModelLearner.resume(plan, KEY, "model", "label", learner.state());
      if (learner.openSlots() > 0) {
        resumed.resumeOpen(open, PLACE, pages);
      }
      assertThat(resumed.nextSlot()).isEqualTo(learner.nextSlot());
      learner = resumed;
      if (learner.fill(slot((int) (learner.round() * plan.batch() + learner.nextSlot())))) {
        traces.add(trace(learner.close()));
      }
    }
    assertThat(traces).isEqualTo(expected);
    assertThat(learner.digest()).isEqualTo(undisturbed.digest());
    assertThat(learner.state().iterates()).containsExactly(undisturbed.state().iterates());
    // The twin: another run, so other noise.
    assertThat(undisturbed(plan, start(plan, "other"))).doesNotContainAnyElementsOf(expected);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void costsOneParticipation(Form form) {
    Plan plan = form.plan(b -> {});
    // Without its coins, a sampled mechanism costs what all its sums do.
    boolean coins = plan.mechanism() instanceof SampledQueryNoise;
    double sums = coins ? plan.mechanism().sensitivity(1) : 1;
    double once = sums * plan.clip() / plan.sigma();
    assertThat(plan.mu(1)).isBetween(once, once * (coins ? 1 + 1e-9 : 1));
    assertThat(plan.mu(1000)).isEqualTo(plan.mu(1));
  }

  /** The last slot of a block is of the unit of its first: it counts in no pass. */
  @ParameterizedTest
  @MethodSource("forms")
  void letsAUnitIntoOneSlotOfABlock(Form form) {
    Plan keyed = form.plan(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(2, 1));
    });
    ModelLearner learner = ModelLearner.start(keyed, KEY, "m", "l", new InMemoryHistories());
    long last = keyed.batch() - 1;
    boolean full = false;
    while (!full) {
      long place = learner.nextSlot();
      Slot slot = Streams.used(place % 2, 0.1 * place, 1 - 0.05 * place);
      slot.unit(new byte[] {(byte) (place % last)}, 0, 1);
      full = learner.fill(slot);
      assertThat(slot.status() == RecordStatus.NOT_ADMITTED).isEqualTo(place == last);
    }
  }
}

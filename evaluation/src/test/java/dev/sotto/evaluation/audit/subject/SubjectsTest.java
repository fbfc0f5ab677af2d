package dev.sotto.evaluation.audit.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SubjectsTest {
  private static final AuditSubject.Window ALL = new AuditSubject.Window(0, 3);

  static List<AuditSubject> honest() {
    return List.of(ProductLearner.AS_IT_IS, new FaultyLearner(InjectedFault.NONE));
  }

  /** Noise so small that sums show through it. */
  private static Plan quiet(long batch) {
    return Plans.plan(each -> {
      each.mechanism = Mechanisms.BLT.make();
      each.batch = batch;
      each.sigma = 1e-6;
      each.epsilon = Double.POSITIVE_INFINITY;
      each.generations = new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 3);
    });
  }

  private static AuditSubject.Identity identity(int seed) {
    return new AuditSubject.Identity(SeedHash.of(seed), "model");
  }

  private static Slot slot(int coordinate, double value) {
    Slot slot = new Slot(3);
    slot.example().add(coordinate, value);
    slot.example().label(1); // logistic: the gradient at score 0 is -value / 2
    slot.status(RecordStatus.USED);
    return slot;
  }

  private static double[] round(AuditSubject.Run run, Slot... slots) {
    double[] prefix = new double[3];
    for (Slot slot : slots) {
      run.fill(slot);
    }
    run.close(prefix);
    return prefix;
  }

  @ParameterizedTest
  @MethodSource("honest")
  void addsClippedGradientsAndBeginsAnewWithAGeneration(AuditSubject subject) {
    AuditSubject.Run run = subject.start(quiet(2), identity(1), ALL);
    assertThat(round(run, slot(0, -1), slot(1, -1000)))
        .containsExactly(new double[] {0.5, 1, 0}, within(1e-2));
    assertThat(round(run, new Slot(3), slot(2, -1000)))
        .containsExactly(new double[] {0.5, 1, 1}, within(1e-2));
    round(run, new Slot(3), new Slot(3));
    assertThat(round(run, new Slot(3), slot(2, 1000)))
        .containsExactly(new double[] {0, 0, -1}, within(1e-2));
  }

  @ParameterizedTest
  @MethodSource("honest")
  void looksThroughAWindow(AuditSubject subject) {
    AuditSubject.Run run = subject.start(quiet(1), identity(1), new AuditSubject.Window(1, 2));
    double[] prefix = new double[2];
    run.fill(slot(2, -1000));
    run.close(prefix);
    assertThat(prefix).containsExactly(new double[] {0, 1}, within(1e-2));
  }

  @ParameterizedTest
  @MethodSource("honest")
  void givesTheSameBitsWhenARoundIsDoneAgain(AuditSubject subject) {
    AuditSubject.Run run = subject.start(Plans.plan(each -> each.batch = 1), identity(1), ALL);
    round(run, slot(0, 1));
    run.mark();
    double[] first = round(run, slot(1, 1));
    run.reset();
    assertThat(round(run, slot(1, 1))).isEqualTo(first);
    run.reset();
    assertThat(round(run, slot(1, 2))).isNotEqualTo(first);
    double[] later = round(run, slot(0, 3));
    AuditSubject.Run straight = subject.start(Plans.plan(each -> each.batch = 1), identity(1), ALL);
    round(straight, slot(0, 1));
    round(straight, slot(1, 2));
    assertThat(round(straight, slot(0, 3))).isEqualTo(later);
  }

  @Test
  void drawsAfreshWhereThatIsTheFault() {
    AuditSubject afresh = new FaultyLearner(InjectedFault.NOISE_AFRESH);
    AuditSubject.Run run = afresh.start(Plans.plan(each -> each.batch = 1), identity(1), ALL);
    run.mark();
    double[] first = round(run, slot(1, 1));
    run.reset();
    assertThat(round(run, slot(1, 1))).isNotEqualTo(first);
  }

  @Test
  void takesBackTheHistoriesOfUnits() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.INDEPENDENT.make();
      each.unit = PrivacyUnit.KEY;
      each.participation = new Participation.Scheduled(new ContributionBound(1, 1));
      each.batch = 1;
      each.sigma = 1e-6;
      each.epsilon = Double.POSITIVE_INFINITY;
    });
    AuditSubject.Run run = ProductLearner.AS_IT_IS.start(plan, identity(1), ALL);
    Slot[] slots = new Slot[3];
    for (int i = 0; i < 3; i++) {
      slots[i] = slot(0, -1000);
      slots[i].unit(new byte[] {7}, 0, 1);
    }
    run.mark();
    assertThat(round(run, slots[0])[0]).isCloseTo(1, within(1e-2));
    run.reset();
    assertThat(round(run, slots[1])[0]).isCloseTo(1, within(1e-2));
    assertThat(round(run, slots[2])[0]).isCloseTo(1, within(1e-2)); // admitted once only
  }

  @Test
  void neverAuditsBeyondTheBudget() {
    Plan plan = Plans.plan(each -> {
      each.batch = 1;
      each.epsilon = 1;
      each.sigma = 6; // two rounds of a tree
    });
    AuditSubject.Run run = ProductLearner.AS_IT_IS.start(plan, identity(1), ALL);
    for (int t = 1; plan.allows(t); t++) {
      round(run, slot(0, 1));
    }
    assertThatIllegalStateException()
        .isThrownBy(() -> round(run, slot(0, 1)))
        .withMessageContaining("budget");
  }

  @Test
  void breaksWhatItIsToldToBreak() {
    Slot[] crowd = {slot(0, -1000), slot(0, -1000), slot(1, -1000), new Slot(3)};
    double[] clipped = round(start(InjectedFault.CLIP_AFTER_SUM, 4), crowd);
    // 500 (2, 1), cut to the length 4
    assertThat(clipped)
        .containsExactly(new double[] {8 / Math.sqrt(5), 4 / Math.sqrt(5), 0}, within(1e-2));
    assertThat(round(start(InjectedFault.DIVIDE_BY_USABLE, 4), crowd))
        .containsExactly(new double[] {8 / 3.0, 4 / 3.0, 0}, within(1e-2));
    assertThat(round(start(InjectedFault.NONE, 4), crowd))
        .containsExactly(new double[] {2, 1, 0}, within(1e-2));
  }

  private static AuditSubject.Run start(InjectedFault fault, long batch) {
    return new FaultyLearner(fault).start(quiet(batch), identity(1), ALL);
  }
}

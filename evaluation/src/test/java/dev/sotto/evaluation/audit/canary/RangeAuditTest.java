package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.CandidateLearners;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The audit of a window: it holds for the real learner, and finds what is broken. */
class RangeAuditTest {
  private static final int NUMBERS = 3;
  private static final UnboundedNumbers LAYOUT = new UnboundedNumbers(NUMBERS, 1, NormRule.SCALE);

  private static Plan plan(Adjacency adjacency, boolean units) {
    Plan plain = Plans.plan(each -> {
      each.dimension = 1 + NUMBERS * UnboundedNumbers.COORDINATES;
      each.mechanism = Mechanisms.BLT.make();
      each.sigma = 8;
      each.adjacency = adjacency;
      if (units) {
        each.unit = PrivacyUnit.KEY;
        each.participation = new Participation.Scheduled(new ContributionBound(4, 2));
      }
    });
    double once = plain.sensitivity() / plain.sigma() * plain.mechanism().sensitivityLimit();
    double moved = Math.sqrt(adjacency == Adjacency.REPLACE_ONE ? 2 * NUMBERS : NUMBERS);
    RangeWindow window =
        new RangeWindow(NUMBERS, 4, moved / (Math.sqrt(0.5) * once) * (1 + 1e-12), 0.5);
    return plain.toBuilder().ranges(RangeSettings.measured(LAYOUT, window)).build();
  }

  private static List<CheckResult> checks(AuditSubject subject, Plan plan) {
    return new RangeAudit(plan, 20_000, 5).all(subject);
  }

  /** A learner that does something else than it claims. */
  private record Broken(UnaryOperator<Plan> how) implements AuditSubject {
    @Override
    public String name() {
      return "a broken learner";
    }

    @Override
    public Run start(Plan plan, Identity identity, Window window) {
      return ProductLearner.AS_IT_IS.start(how.apply(plan), identity, window);
    }
  }

  private static Plan withSigma(Plan plan, double factor) {
    RangeWindow window = plan.ranges().window().orElseThrow();
    return plan.toBuilder()
        .ranges(RangeSettings.measured(
            LAYOUT,
            new RangeWindow(NUMBERS, window.rounds(), factor * window.sigma(), window.share())))
        .build();
  }

  @Test
  void holdsForTheRealLearner() {
    for (Adjacency adjacency : Adjacency.values()) {
      for (boolean units : new boolean[] {false, true}) {
        List<CheckResult> checks = checks(ProductLearner.AS_IT_IS, plan(adjacency, units));
        assertThat(checks).hasSize(2).allMatch(CheckResult::holds);
        // What is stated is not much more than what a unit moves.
        assertThat(checks.get(1).figure())
            .isGreaterThan(0.6 * plan(adjacency, units).account().mu(15));
      }
    }
  }

  /** Several candidates move as much as the one release that they are taken for. */
  @Test
  void holdsForCandidatesTogether() {
    Plan claim = plan(Adjacency.ZERO_OUT, true);
    Plan candidate = candidate(claim);
    assertThat(candidate.ranges().window().orElseThrow().sigma())
        .isGreaterThan(1.7 * claim.ranges().window().orElseThrow().sigma());
    Plan claimed = CandidateLearners.claimed(candidate);
    assertThat(claimed.mu(15)).isCloseTo(candidate.mu(15), within(1e-9));
    AuditSubject three = new CandidateLearners(ProductLearner.AS_IT_IS, 3);
    List<CheckResult> checks = checks(three, claimed);
    assertThat(checks).hasSize(2).allMatch(CheckResult::holds);
    assertThat(checks.get(1).figure()).isGreaterThan(0.6 * claimed.account().mu(15));
  }

  private static Plan candidate(Plan claim) {
    double factor = Candidates.of(3).factor();
    RangeWindow window = claim.ranges().window().orElseThrow();
    return claim.toBuilder()
        .candidates(Candidates.of(3))
        .sigma(claim.sigma() * factor)
        .ranges(claim
            .ranges()
            .in(new RangeWindow(NUMBERS, window.rounds(), window.sigma() * factor, window.share())))
        .build();
  }

  /** Candidates whose noise is that of one alone, and candidates that all have the same noise. */
  @Test
  void findsWhatCandidatesDoNotPayFor() {
    Plan claim = plan(Adjacency.ZERO_OUT, false);
    AuditSubject three = new CandidateLearners(ProductLearner.AS_IT_IS, 3);
    AuditSubject loud = new CandidateLearners(new Broken(each -> withSigma(each, 1.2)), 3);
    assertThat(checks(three, claim)).allMatch(CheckResult::holds);
    assertThat(checks(loud, claim).get(0).holds()).isFalse();
    AuditSubject shared = new CandidateLearners(new OneName(), 3);
    assertThat(checks(shared, claim).get(0).holds()).isFalse();
  }

  /** Candidates that are all one run: their noise is the same. */
  private record OneName() implements AuditSubject {
    @Override
    public String name() {
      return "one learner for all";
    }

    @Override
    public Run start(Plan plan, Identity identity, Window window) {
      Identity same = new Identity(identity.secret(), "one");
      return ProductLearner.AS_IT_IS.start(plan, same, window);
    }
  }

  @Test
  void findsOtherNoiseOfTheCounts() {
    Plan plan = plan(Adjacency.ZERO_OUT, false);
    for (double factor : new double[] {1.1, 2}) {
      assertThat(
              checks(new Broken(each -> withSigma(each, factor)), plan).get(0).holds())
          .isFalse();
    }
  }

  /** Gradients of the window are as long as those behind it are meant to be. */
  @Test
  void findsThatTheShareIsNotTaken() {
    AuditSubject greedy =
        new Broken(each -> each.toBuilder().clip(each.clip() * Math.sqrt(2)).build());
    assertThat(checks(greedy, plan(Adjacency.ZERO_OUT, false)).get(1).holds()).isFalse();
  }

  /** Every record of a unit is admitted, and counted. */
  @Test
  void findsThatAUnitIsCountedForEachOfItsRecords() {
    AuditSubject lenient = new Broken(each -> each.toBuilder()
        .unit(PrivacyUnit.RECORD)
        .participation(new Participation.Once())
        .build());
    assertThat(checks(lenient, plan(Adjacency.ZERO_OUT, true)).get(1).holds()).isFalse();
  }

  @Test
  void otherChecksLookBehindTheWindow() {
    Plan plan = plan(Adjacency.ZERO_OUT, false);
    assertThat(RangeAudit.behindWindow(plan).ranges()).isEqualTo(RangeSettings.NONE);
    Plan bounded = RangeAudit.behindWindow(plan);
    assertThat(RangeAudit.behindWindow(bounded)).isSameAs(bounded);
  }

  @Test
  void manualExplainsBothChecks() throws IOException {
    Path home = Path.of(System.getProperty("basedir", "."), "..").normalize();
    String page = Files.readString(home.resolve("docs/audit.md"));
    assertThat(page)
        .contains("| `ranges: noise of the counts` |")
        .contains("| `ranges: what a unit moves` |");
  }
}

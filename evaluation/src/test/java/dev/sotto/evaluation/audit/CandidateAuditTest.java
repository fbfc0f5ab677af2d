package dev.sotto.evaluation.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.CandidateLearners;
import dev.sotto.evaluation.audit.subject.LessNoise;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The joint claim of candidates: what an observer of all of them learns about one contribution.
 * False alarms of the audit's checks: below 1e-6 each, but 5e-2 of the bound on epsilon under a seed
 * that is fixed.
 */
class CandidateAuditTest {
  private static final int ROUNDS = 24;
  private static final int NUMBER = 3;

  /** How much is done. */
  Plans.Size size() {
    return Plans.LITTLE;
  }

  private List<String> failed(AuditSubject subject, Plan claimed) {
    return new Audit(
            subject,
            new Audit.Options(
                claimed, BackgroundExamples.EMPTY, ROUNDS, size().canaries(), 0.95, 17),
            size().effort())
        .run((done, part) -> {}).checks().stream()
            .filter(check -> !check.holds())
            .map(CheckResult::name)
            .toList();
  }

  static Stream<Plan> candidates() {
    return Stream.of(Plans.plan(each -> each.sigma = 14), Plans.plan(each -> {
          each.mechanism = Mechanisms.BLT.make();
          each.unit = PrivacyUnit.KEY;
          each.sigma = 35;
          each.participation = new Participation.Budgeted(0.4);
        }))
        .map(each -> each.toBuilder().candidates(Candidates.of(NUMBER)).build());
  }

  @Test
  void coversWhatAllOfThemReleaseTogether() {
    requireCovered(candidates().findFirst().orElseThrow());
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("candidates")
  void coversWhatEveryKindReleasesTogether(Plan candidate) {
    requireCovered(candidate);
  }

  private void requireCovered(Plan candidate) {
    Plan claimed = CandidateLearners.claimed(candidate);
    assertThat(claimed.mu(ROUNDS))
        .isCloseTo(candidate.mu(ROUNDS), within(1e-12 * candidate.mu(ROUNDS)));
    assertThat(failed(new CandidateLearners(ProductLearner.AS_IT_IS, NUMBER), claimed))
        .isEmpty();
  }

  /** Candidates that shared a name would share their noise: the difference of two would be exact. */
  @Test
  void noticesCandidatesThatShareTheirNoise() {
    Plan claimed = CandidateLearners.claimed(candidates().findFirst().orElseThrow());
    assertThat(failed(new CandidateLearners(new SharedName(), NUMBER), claimed))
        .anyMatch(name -> name.startsWith("noise"));
  }

  /** The product's learner under one name, whatever it is called. */
  private record SharedName() implements AuditSubject {
    @Override
    public String name() {
      return "a candidate without a name of its own";
    }

    @Override
    public Run start(Plan plan, Identity identity, Window window) {
      return ProductLearner.AS_IT_IS.start(plan, new Identity(identity.secret(), "one"), window);
    }
  }

  /** Where each paid for itself alone, all of them together would tell more than is claimed. */
  @Test
  void noticesCandidatesThatPayForThemselvesAlone() {
    Plan candidate = candidates().findFirst().orElseThrow();
    Plan each = candidate.toBuilder().candidates(Candidates.ALONE).build();
    AuditSubject halved = new CandidateLearners(
        new LessNoise("a candidate without its share", 1 / Math.sqrt(NUMBER)), NUMBER);
    assertThat(each.mu(ROUNDS)).isLessThan(0.6 * candidate.mu(ROUNDS));
    assertThat(failed(halved, CandidateLearners.claimed(candidate)))
        .contains("noise: variance of prefixes", "noise: size");
  }
}

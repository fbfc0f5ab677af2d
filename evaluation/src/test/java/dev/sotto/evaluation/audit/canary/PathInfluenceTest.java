package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.FaultyPathLearner;
import dev.sotto.evaluation.audit.subject.PathFault;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.training.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No chance is involved: seeds are fixed, and noise is taken away. */
class PathInfluenceTest {
  private static Plan plan(Losses loss) {
    return Plans.plan(each -> {
      each.dimension = 6;
      each.loss = loss.make();
      each.path(256);
      each.adjacency = Adjacency.REPLACE_ONE;
    });
  }

  private static CheckResult moved(Losses loss, PathFault fault) {
    AuditSubject broken = new FaultyPathLearner(fault);
    return new PathInfluence(plan(loss), 1).check(broken);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "POISSON")
  void boundsWhatASlotMovesWithEveryLoss(Losses loss) {
    CheckResult own = new PathInfluence(plan(loss), 1).check(ProductLearner.AS_IT_IS);
    assertThat(own.holds()).isTrue();
    assertThat(own.figure()).as("the bound is reached by the first slot").isGreaterThan(0.99);
    assertThat(moved(loss, PathFault.NONE).figure()).isBetween(0.99, 1.0);
    assertThat(moved(loss, PathFault.SLOPES_NOT_CUT).figure()).isGreaterThan(10);
    assertThat(moved(loss, PathFault.REALISED_COUNT).figure()).isGreaterThan(10);
  }

  @ParameterizedTest
  @EnumSource(names = {"LOGISTIC", "SQUARED", "HUBER", "SMOOTHED_HINGE"})
  void findsStepsThatAreTooLong(Losses loss) {
    CheckResult found = moved(loss, PathFault.STEP_TOO_LONG);
    assertThat(found.holds()).isFalse();
    assertThat(found.figure()).isGreaterThan(1.5);
    assertThat(found.says()).contains("aside");
  }

  @Test
  void findsWhatOnlyRoundingBringsApart() {
    RoundingDrift drift = new RoundingDrift(plan(Losses.HUBER), 1);
    assertThat(drift.moved(new FaultyPathLearner(PathFault.NONE), false)).isGreaterThan(3);
    assertThat(drift.moved(ProductLearner.AS_IT_IS, false)).isGreaterThan(3);
    assertThat(drift.moved(ProductLearner.AS_IT_IS, true)).isBetween(0.0001, 1.0);
  }
}

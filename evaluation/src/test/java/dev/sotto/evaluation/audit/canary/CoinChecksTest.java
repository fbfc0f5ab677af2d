package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.BlockFault;
import dev.sotto.evaluation.audit.subject.FaultyBlockLearner;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each figure is an alarm by chance in at most 1e-6 of all seeds; the seed is fixed. */
class CoinChecksTest {
  private static Plan sampled() {
    return Plans.plan(
        each -> each.blocks(QuerySchedule.sampled(512, 4, new QuerySchedule.Sampling(4, 0.25))));
  }

  private static List<String> failed(AuditSubject subject, Plan plan) {
    return new CoinChecks(plan, 5)
        .all(subject).stream()
            .filter(check -> !check.holds())
            .map(CheckResult::name)
            .toList();
  }

  @Test
  void passesTheLearnerAndAnHonestOneByHand() {
    assertThat(failed(ProductLearner.AS_IT_IS, sampled())).isEmpty();
    assertThat(failed(ProductLearner.AS_IT_IS, Plans.plan(each -> each.pools(0.25))))
        .isEmpty();
    assertThat(failed(new FaultyBlockLearner(BlockFault.NONE), sampled())).isEmpty();
    assertThat(new CoinChecks(sampled(), 5).all(ProductLearner.AS_IT_IS)).hasSize(CoinChecks.COUNT);
  }

  /** The twins: a fault fails the check that is made for it. */
  @ParameterizedTest
  @CsvSource({
    "ONE_SUBSET, coins: independent",
    "COINS_BY_BLOCK, coins: independent",
    "COINS_WITHOUT_CONTENT, coins: bound to key and content",
    "DIVIDE_BY_CHOSEN, coins: a slot is in a sum or not"
  })
  void failsABrokenLearner(BlockFault fault, String check) {
    assertThat(failed(new FaultyBlockLearner(fault), sampled())).contains(check);
  }

  /** A learner that takes more slots than its ledger counts on. */
  @Test
  void failsALearnerOfAnotherRate() {
    AuditSubject more = new AuditSubject() {
      @Override
      public String name() {
        return "of rate 0.3";
      }

      @Override
      public Run start(Plan plan, Identity identity, Window window) {
        Plan other = Plans.plan(each -> {
          each.blocks(QuerySchedule.sampled(512, 4, new QuerySchedule.Sampling(4, 0.3)));
          each.dimension = plan.dimension();
          each.sigma = plan.sigma();
          each.epsilon = Double.POSITIVE_INFINITY;
        });
        return ProductLearner.AS_IT_IS.start(other, identity, window);
      }
    };
    assertThat(failed(more, sampled())).contains("coins: rate");
  }
}

package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.canary.CanaryAudit.Density;
import dev.sotto.evaluation.audit.subject.LessNoise;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.Phase;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanaryAuditTest {
  private static final int ROUNDS = 16;

  private static CanaryAudit audit(Plan plan, int canaries) {
    return new CanaryAudit(
        new CanaryAudit.Settings(
            plan, ROUNDS, canaries, 0.95, Density.HALF_OF_THE_SLOTS, BackgroundExamples.EMPTY),
        3);
  }

  static Stream<Plan> plans() {
    return Stream.<Consumer<Plans>>of(
            each -> {},
            each -> each.mechanism = Mechanisms.INDEPENDENT.make(),
            each -> each.mechanism = Mechanisms.BLT.make(),
            each -> each.adjacency = Adjacency.REPLACE_ONE,
            each -> each.batch = 1,
            each -> each.participation = new Participation.ById(),
            each -> each.generations = new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 3),
            each -> each.srgd(Gradients.RECURSIVE),
            each -> {
              each.srgd(Gradients.INDEPENDENT);
              each.mechanism = Mechanisms.BLT.make();
            },
            each -> {
              each.srgd(Gradients.RECURSIVE);
              each.generations = new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 3);
              each.adjacency = Adjacency.REPLACE_ONE;
            },
            each -> {
              each.unit = PrivacyUnit.KEY;
              each.mechanism = Mechanisms.BLT.make();
              each.participation = new Participation.Budgeted(1);
            },
            each -> {
              each.unit = PrivacyUnit.KEY;
              each.mechanism = Mechanisms.INDEPENDENT.make();
              each.participation = new Participation.Scheduled(new ContributionBound(4, 3));
            },
            each -> each.endlessTree(0.75),
            each -> {
              each.endlessTree(0.5);
              each.unit = PrivacyUnit.KEY;
              each.participation = new Participation.Scheduled(new ContributionBound(4, 3));
            },
            each -> each.treeOfBlocks(5, 3, 0.9),
            each -> each.blocks(QuerySchedule.onePass(4, 16)),
            each -> {
              each.blocks(new QuerySchedule(List.of(Segment.whole(0, 64, 5, 1))));
              each.adjacency = Adjacency.REPLACE_ONE;
            },
            each -> {
              each.blocks(new QuerySchedule(List.of(new Segment(0, 60, 3, 2, 2, 1))));
              each.unit = PrivacyUnit.KEY;
              each.participation = new Participation.Scheduled(new ContributionBound(4, 3));
            },
            each -> {
              each.blocks(new LocalizedErm(
                  List.of(new Phase(40, 9, 0.1, 0.5, 1, 4), new Phase(20, 4, 0.1, 1, 0.5, 2)),
                  new Ball(null, 4)));
              each.unit = PrivacyUnit.KEY;
              each.participation = new Participation.Budgeted(0.7);
            })
        .map(change -> Plans.plan(each -> {
          each.sigma = 3;
          change.accept(each);
        }));
  }

  /** Six standard errors: wrong less than once in 10^8 audits. */
  @ParameterizedTest
  @MethodSource("everyThirdPlan")
  void measuresTheSeparationThatThePlanHas(Plan plan) {
    requireMeasured(plan);
  }

  static Stream<Plan> everyThirdPlan() {
    List<Plan> all = plans().toList();
    return IntStream.range(0, all.size()).filter(i -> i % 3 == 0).mapToObj(all::get);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("plans")
  void measuresTheSeparationThatEveryPlanHas(Plan plan) {
    requireMeasured(plan);
  }

  private static void requireMeasured(Plan plan) {
    CanaryAudit audit = audit(plan, 4000);
    CanaryResult found = audit.run(ProductLearner.AS_IT_IS, run -> {});
    assertThat(audit.exposure()).isLessThanOrEqualTo(plan.mu(ROUNDS) * (1 + 1e-9));
    assertThat(found.mu())
        .isCloseTo(audit.exposure(), within(6 * found.separation().error()));
    assertThat(found.refutes()).isFalse();
    assertThat(found.epsilonUpper()).isEqualTo(plan.guarantee(ROUNDS).epsilon());
    CanaryResult half = audit.run(LessNoise.HALF, run -> {});
    assertThat(half.refutesMu()).isTrue();
    assertThat(half.mu())
        .isCloseTo(2 * audit.exposure(), within(6 * 2 * found.separation().error()));
    assertThat(half.epsilonLower()).isGreaterThan(found.epsilonLower());
  }

  @Test
  void refutesAnEpsilonThatIsTooSmall() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.INDEPENDENT.make();
      each.sigma = 2;
      each.delta = 1e-5;
    });
    CanaryAudit audit = audit(plan, 20_000);
    CanaryResult whole = audit.run(ProductLearner.AS_IT_IS, run -> {});
    assertThat(whole.refutesEpsilon()).isFalse();
    assertThat(whole.epsilonLower()).isGreaterThan(0.3 * whole.epsilonUpper());
    CanaryResult tenth = audit.run(new LessNoise("a tenth", 0.1), run -> {});
    assertThat(tenth.refutesEpsilon()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void findsCanariesForEveryLoss(Losses loss) {
    Plan plan = Plans.plan(each -> {
      each.loss = loss.make();
      each.sigma = 1;
    });
    CanaryResult found = audit(plan, 2000).run(ProductLearner.AS_IT_IS, run -> {});
    assertThat(found.mu())
        .isCloseTo(found.separation().claimed(), within(6 * found.separation().error()));
  }

  static List<Losses> losses() {
    return List.of(Losses.values());
  }

  @Test
  void isTheSameForTheSameSeed() {
    Plan plan = Plans.plan(each -> {});
    AtomicInteger runs = new AtomicInteger();
    CanaryAudit audit = audit(plan, 1000);
    CanaryResult one = audit.run(ProductLearner.AS_IT_IS, run -> runs.incrementAndGet());
    assertThat(runs).hasValue(audit.runs());
    assertThat(audit(plan, 1000).run(ProductLearner.AS_IT_IS, run -> {})).isEqualTo(one);
  }

  @Test
  void countsOnlyTheCanariesThatWereAskedFor() {
    CanaryAudit audit = audit(Plans.plan(each -> {}), 700);
    assertThat(audit.runs()).isEqualTo(2); // 16 rounds of 32
    CanaryResult found = audit.run(ProductLearner.AS_IT_IS, run -> {});
    assertThat(found.guesses().canaries()).isEqualTo(700);
    assertThat(found.guesses().guessed()).isLessThanOrEqualTo(700);
  }
}

package dev.sotto.app.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.app.audit.Plans;
import dev.sotto.app.audit.canary.CanaryAudit.Density;
import dev.sotto.app.audit.subject.Fault;
import dev.sotto.app.audit.subject.HandLearner;
import dev.sotto.app.audit.subject.RealLearner;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CanaryAuditTest {
  private static final int ROUNDS = 16;

  private static CanaryAudit audit(Plan plan, Reading reading, int canaries) {
    return new CanaryAudit(
        new CanaryAudit.Settings(
            plan, ROUNDS, canaries, 0.95, Density.HALF_OF_THE_SLOTS, reading, Background.EMPTY),
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
            each -> each.generations = new Generations(Generations.Kind.DOUBLING, 3),
            each -> each.srgd(Gradients.RECURSIVE),
            each -> {
              each.srgd(Gradients.INDEPENDENT);
              each.mechanism = Mechanisms.BLT.make();
            },
            each -> {
              each.srgd(Gradients.RECURSIVE);
              each.generations = new Generations(Generations.Kind.CONSTANT, 3);
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
              each.participation = new Participation.Scheduled(new Contributions(4, 3));
            })
        .map(change -> Plans.plan(each -> {
          each.sigma = 3;
          change.accept(each);
        }));
  }

  /** Six standard errors: wrong less than once in 10^8 audits. */
  @ParameterizedTest
  @MethodSource("plans")
  void measuresTheSeparationThatThePlanHas(Plan plan) {
    CanaryAudit audit = audit(plan, Reading.COMMITTED, 4000);
    CanaryResult found = audit.run(RealLearner.AS_IT_IS, run -> {});
    assertThat(audit.exposure()).isLessThanOrEqualTo(plan.mu(ROUNDS) * (1 + 1e-9));
    assertThat(found.mu()).isCloseTo(audit.exposure(), within(6 * found.muError()));
    assertThat(found.refutes()).isFalse();
    assertThat(found.epsilonUpper()).isEqualTo(plan.guarantee(ROUNDS).epsilon());
    CanaryResult half = audit.run(RealLearner.HALF_THE_NOISE, run -> {});
    assertThat(half.refutesMu()).isTrue();
    assertThat(half.mu()).isCloseTo(2 * audit.exposure(), within(6 * 2 * found.muError()));
    assertThat(half.epsilonLower()).isGreaterThan(found.epsilonLower());
  }

  @Test
  void refutesAnEpsilonThatIsTooSmall() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.INDEPENDENT.make();
      each.sigma = 2;
      each.delta = 1e-5;
    });
    CanaryAudit audit = audit(plan, Reading.COMMITTED, 20_000);
    CanaryResult whole = audit.run(RealLearner.AS_IT_IS, run -> {});
    assertThat(whole.refutesEpsilon()).isFalse();
    assertThat(whole.epsilonLower()).isGreaterThan(0.3 * whole.epsilonUpper());
    CanaryResult tenth = audit.run(new RealLearner("a tenth", 0.1), run -> {});
    assertThat(tenth.refutesEpsilon()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("losses")
  void findsCanariesForEveryLoss(Losses loss) {
    Plan plan = Plans.plan(each -> {
      each.loss = loss.make();
      each.sigma = 1;
    });
    CanaryResult found = audit(plan, Reading.COMMITTED, 2000).run(RealLearner.AS_IT_IS, run -> {});
    assertThat(found.mu()).isCloseTo(found.muUpper(), within(6 * found.muError()));
  }

  static List<Losses> losses() {
    return List.of(Losses.values());
  }

  @Test
  void gainsNothingFromRetriesOrASecondHistory() {
    Plan plan = Plans.plan(each -> each.sigma = 3);
    for (Reading reading : Reading.values()) {
      CanaryAudit audit = audit(plan, reading, 4000);
      for (Subject honest : List.of(RealLearner.AS_IT_IS, new HandLearner(Fault.NONE))) {
        CanaryResult found = audit.run(honest, run -> {});
        assertThat(found.refutes()).as("%s, %s", reading, honest.name()).isFalse();
        assertThat(found.mu()).isCloseTo(found.muUpper(), within(6 * found.muError()));
      }
    }
    assertThat(audit(plan, Reading.RETRIES, 4000)
            .run(new HandLearner(Fault.NOISE_AFRESH), run -> {})
            .refutesMu())
        .isTrue();
    assertThat(audit(plan, Reading.TWO_HISTORIES, 4000)
            .run(new HandLearner(Fault.NOISE_BY_ROUND), run -> {})
            .refutesEpsilon())
        .isTrue();
  }

  @Test
  void isTheSameForTheSameSeed() {
    Plan plan = Plans.plan(each -> {});
    AtomicInteger runs = new AtomicInteger();
    CanaryAudit audit = audit(plan, Reading.COMMITTED, 1000);
    CanaryResult one = audit.run(RealLearner.AS_IT_IS, run -> runs.incrementAndGet());
    assertThat(runs).hasValue(audit.runs());
    assertThat(audit(plan, Reading.COMMITTED, 1000).run(RealLearner.AS_IT_IS, run -> {}))
        .isEqualTo(one);
  }

  @Test
  void countsOnlyTheCanariesThatWereAskedFor() {
    CanaryAudit audit = audit(Plans.plan(each -> {}), Reading.COMMITTED, 700);
    assertThat(audit.runs()).isEqualTo(2); // 16 rounds of 32
    CanaryResult found = audit.run(RealLearner.AS_IT_IS, run -> {});
    assertThat(found.canaries()).isEqualTo(700);
    assertThat(found.guesses()).isLessThanOrEqualTo(700);
  }
}

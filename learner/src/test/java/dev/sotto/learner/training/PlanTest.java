package dev.sotto.learner.training;

import static dev.sotto.learner.training.TestPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.ApproximateGaussianDp;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.optimizer.settings.MapSettings;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.participation.RuleFigures;
import dev.sotto.learner.release.Lattice;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlanTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static Arguments bad(Consumer<TestPlans> change, String... words) {
    return Arguments.of(change, List.of(words));
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        bad(b -> b.clip = -1, "clip must be positive and finite", "-1.0"),
        bad(b -> b.clip = Double.NaN, "clip must be positive and finite", "NaN"),
        bad(b -> b.clip = INFINITY, "clip must be positive and finite", "Infinity"),
        bad(b -> b.dimension = 0, "dimension must be at least 1", "0"),
        bad(b -> b.dimension = -3, "dimension must be at least 1", "-3"),
        bad(b -> b.lossName = "\nloss", "lossName must be one line"),
        bad(b -> b.algorithm = "one\ntwo", "algorithm must be one line"),
        bad(b -> b.steps = "one\ntwo", "steps must be one line"),
        bad(b -> b.batch = 0, "batch must be at least 1", "0"),
        bad(b -> b.batch = -4, "batch must be at least 1", "-4"),
        bad(b -> b.batch = 1L << 50, "batch * clip must be below 2^53", "1125899906842624 * 1.0"),
        bad(b -> b.sigma = 0, "sigma must be positive and finite", "0.0"),
        bad(b -> b.sigma = -2, "sigma must be positive and finite", "-2.0"),
        bad(b -> b.sigma = Double.NaN, "sigma must be positive and finite", "NaN"),
        bad(b -> b.sigma = INFINITY, "sigma must be positive and finite", "Infinity"),
        bad(b -> b.sigma = 1e12, "sigma must be at most 2^", "lattice units", "1.0E12"),
        bad(b -> b.unit = PrivacyUnit.KEY, "unit key", "once", "do not go together"),
        bad(
            b -> {
              b.unit = PrivacyUnit.KEY;
              b.mechanism = Mechanisms.INDEPENDENT.make();
              b.participation = new Participation.Budgeted(Math.nextUp(b.budget.muLimit()));
            },
            "a unit's budget of mu",
            "must stay within what is left of epsilon 100.0"),
        bad(b -> b.budget = new Budget(0.1, 1e-6), "first round", "epsilon", "0.1", "1.0E-6"),
        bad(b -> b.mechanism = Mechanisms.noneForPublicData(), "first round", "Infinity", "100"));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesAnInvalidSettingByNameRuleAndValue(Consumer<TestPlans> change, List<String> words) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(change))
        .satisfies(refusal -> assertThat(refusal.getMessage()).contains(words));
  }

  @Test
  void refusesAbsentPartsByName() {
    absent(b -> b.features = null, "features");
    absent(b -> b.loss = null, "loss");
    absent(b -> b.optimizer = null, "optimizer");
    absent(b -> b.mechanism = null, "mechanism");
    absent(b -> b.budget = null, "budget");
  }

  private static void absent(Consumer<TestPlans> change, String name) {
    assertThatNullPointerException().isThrownBy(() -> plan(change)).withMessage(name);
  }

  static Stream<Consumer<TestPlans>> changes() {
    return Stream.of(
        b -> b.features = "three",
        b -> b.dimension = 3,
        b -> b.lossName = "hinge",
        b -> b.algorithm = "another",
        b -> b.steps = "decreasing 2",
        b -> b.mechanism = Mechanisms.INDEPENDENT.make(),
        b -> b.clip = Math.nextUp(1.0),
        b -> b.batch = 5,
        b -> b.sigma = Math.nextUp(4.0),
        b -> b.adjacency = Adjacency.REPLACE_ONE,
        b -> b.participation = new Participation.ById(),
        b -> b.generations = new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 64),
        b -> b.metrics = new PrivateMetrics(100, 2, 10, 1),
        b -> b.budget = new Budget(Math.nextUp(100.0), 1e-6),
        b -> b.budget = new Budget(100, Math.nextUp(1e-6)),
        b -> b.budget = new Budget(100, 1e-6, 0.5));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void changesItsFingerprintWithEverySetting(Consumer<TestPlans> change) {
    assertThat(plan(change).fingerprint()).isNotEqualTo(plan(b -> {}).fingerprint());
    assertThat(plan(change).fingerprint()).isEqualTo(plan(change).fingerprint());
  }

  @Test
  void hasAFingerprintForEveryCombination() {
    List<Consumer<TestPlans>> changes = changes().toList();
    long distinct = changes.stream()
        .flatMap(one -> changes.stream().map(other -> plan(one.andThen(other)).fingerprint()))
        .map(HexFormat.of()::formatHex)
        .distinct()
        .count();
    // 16 alone and 120 pairs, of which those of two of the three budgets are the later one alone.
    assertThat(distinct).isEqualTo(16 + 120 - 3);
  }

  @Test
  void keepsItsFingerprintForEqualSettings() {
    Plan one = plan(b -> {});
    Plan two = plan(b -> {
      b.features = new String("two");
      b.loss = Losses.LOGISTIC.make();
      b.mechanism = Mechanisms.BINARY_TREE.make();
      b.budget = new Budget(100.0, 0.000001);
    });
    assertThat(two.fingerprint()).isEqualTo(one.fingerprint());
  }

  @ParameterizedTest
  @MethodSource("changes")
  void givesABuilderThatKeepsEverySetting(Consumer<TestPlans> change) {
    Plan plan = plan(change);
    assertThat(plan.toBuilder().build()).isEqualTo(plan);
    Plan wider = plan.toBuilder().dimension(17).build();
    assertThat(wider).isNotEqualTo(plan);
    assertThat(wider.toBuilder().dimension(plan.dimension()).build()).isEqualTo(plan);
    assertThat(wider.toBuilder().dimension(plan.dimension()).build().fingerprint())
        .isEqualTo(plan.fingerprint());
  }

  @Test
  void isAnotherRunWithOtherCandidatesOrAnotherPast() {
    Plan plan = plan(b -> b.mechanism = Mechanisms.INDEPENDENT.make());
    byte[] own = plan.fingerprint();
    Plan two = plan.toBuilder().candidates(new Candidates(2, "ab")).build();
    Plan three = plan.toBuilder().candidates(new Candidates(2, "cd")).build();
    assertThat(two.fingerprint()).isNotEqualTo(own).isNotEqualTo(three.fingerprint());
    Plan begun = plan.toBuilder().budget(new Budget(100, 1e-6, 0, 0.5)).build();
    assertThat(begun.fingerprint()).isNotEqualTo(own);
  }

  @Test
  void keepsALagInItsBuilder() {
    Plan lagging = plan(b -> b.lag = 1);
    assertThat(lagging.toBuilder().build()).isEqualTo(lagging);
    assertThat(lagging.toBuilder().lag(0).build().fingerprint())
        .isEqualTo(plan(b -> {}).fingerprint());
  }

  /** SHA-256 of the text by another program; a change here orphans every run that exists. */
  @Test
  void keepsTheFingerprintOfSemantics4() {
    assertThat(HexFormat.of().formatHex(plan(b -> {}).fingerprint()))
        .isEqualTo("49854c650e0b7917b6cac70db7a404dd44b694219a4ad3ac1026d0984d3dafd2");
  }

  /** docs/privacy.md, "Noise mechanisms": mu_t = s sens_t / sigma. */
  @Test
  void statesTheMuOfThePage() {
    assertThat(plan(b -> {}).mu(1)).isEqualTo(1 / 4.0);
    assertThat(plan(b -> {}).mu(7)).isEqualTo(Math.sqrt(3) / 4);
    assertThat(plan(b -> b.clip = 2).mu(1)).isEqualTo(2 / 4.0);
    Plan replacing = plan(b -> {
      b.adjacency = Adjacency.REPLACE_ONE;
      b.mechanism = Mechanisms.INDEPENDENT.make();
    });
    assertThat(replacing.mu(1_000_000)).isEqualTo(2 / 4.0);
    assertThat(replacing.sensitivity()).isEqualTo(2);
    assertThat(replacing.guarantee(9).muLimit()).isEqualTo(2 / 4.0);
    assertThat(plan(b -> {}).guarantee(9).muLimit()).isInfinite();
  }

  @Test
  void promisesNothingWithoutNoise() {
    Plan plan = plan(TestPlans::noNoise);
    assertThat(plan.guarantee(1).mu()).isInfinite();
    assertThat(plan.guarantee(1).epsilon()).isInfinite();
  }

  @Test
  void letsAUnitSpendTheWholeBudget() {
    double limit = new Budget(100, 1e-6).muLimit();
    Plan plan = plan(b -> {
      b.unit = PrivacyUnit.KEY;
      b.mechanism = Mechanisms.INDEPENDENT.make();
      b.participation = new Participation.Budgeted(limit);
    });
    assertThat(plan.account().muLimit()).isEqualTo(limit);
  }

  /** Fine enough for the query with the least noise; a path has lattices of its own. */
  @Test
  void fitsItsLatticeToTheLeastNoise() {
    QuerySchedule schedule =
        new QuerySchedule(List.of(new Segment(0, 8, 2, 1, 100, 1), new Segment(8, 4, 1, 1, 1, 1)));
    Plan blocks = BlocksTest.plan(schedule, b -> {
      b.sigma = 1e-4;
      b.budget = new Budget(INFINITY, 1e-6);
    });
    double least = new QueryNoise(schedule).leastNoise();
    assertThat(least).isGreaterThan(9.9);
    assertThat(PlanChecks.lattice(blocks.model(), blocks.learning(), blocks.noise())
            .unit())
        .isEqualTo(Lattice.fit(1, 1e-4 * least, 2, 4).unit())
        .isNotEqualTo(Lattice.fit(1, 1e-4, 2, 4).unit());
  }

  @Test
  void tellsRoundsFromBlocks() {
    Plan rounds = plan(b -> {});
    Plan blocks = BlocksTest.plan(QuerySchedule.onePass(3, 4), b -> {});
    assertThat(rounds.round()).isEqualTo("round");
    assertThat(blocks.round()).isEqualTo("block");
    assertThat(rounds.hasOwnMechanism()).isFalse();
    assertThat(blocks.hasOwnMechanism()).isTrue();
    assertThat(rounds.roundOf(7)).isEqualTo(7);
    long[] of = {1, 1, 1, 2, 2, 2, 3};
    for (int query = 1; query <= of.length; query++) {
      assertThat(blocks.roundOf(query)).isEqualTo(of[query - 1]);
      assertThat(blocks.queryOf(query)).isEqualTo((query - 1) % 3 + 1);
    }
    assertThat(rounds.needsLogTime()).isFalse();
    assertThat(rounds.toBuilder().versions(new VersionSchedule(9, 5)).build().needsLogTime())
        .isTrue();
    assertThat(rounds.toBuilder().versions(new VersionSchedule(9, 0)).build().needsLogTime())
        .isFalse();
    assertThat(rounds.toBuilder().versions(new VersionSchedule(4, 5)).build().needsLogTime())
        .as("every round is a version")
        .isFalse();
    assertThat(rounds.endsWithoutLabel(0)).isFalse();
  }

  @Test
  void handsOutItsFigures() {
    Plan plan = plan(b -> b.sigma = 4);
    PlanFigures figures = plan.figures();
    assertThat(figures.sigma()).isEqualTo(4);
    assertThat(figures.dimension()).isEqualTo(2);
    double epsilon = plan.guarantee(1).epsilon();
    assertThat(figures.charged().applyAsDouble(1e-9))
        .isEqualTo(ApproximateGaussianDp.delta(epsilon, 1e-9));
    RuleFigures rule = plan.ruleFigures();
    assertThat(rule.round()).isEqualTo("round");
    assertThat(rule.epsilon().applyAsDouble(0.5)).isEqualTo(GaussianDp.epsilon(0.5, 1e-6));
  }

  @Test
  void takesOneSlotARound() {
    assertThat(plan(b -> b.batch = 1).batch()).isEqualTo(1);
  }

  /** docs/experiments/unit-defaults.md: by records of a unit, with and without bounds of numbers. */
  @Test
  void choosesParticipationsByTheRecordsOfAUnit() {
    long[][] rows = {
      {1, 1, 1}, {2, 2, 2}, {7, 2, 2}, {8, 3, 3}, {29, 3, 3}, {30, 4, 3}, {99, 4, 3}, {100, 8, 3}
    };
    for (long[] each : rows) {
      OptionalLong records = OptionalLong.of(each[0]);
      assertThat(PlanKeys.usualParticipations(records, true)).isEqualTo(each[1]);
      assertThat(PlanKeys.usualParticipations(records, false)).isEqualTo(each[2]);
    }
    assertThat(PlanKeys.usualParticipations(OptionalLong.empty(), true)).isEqualTo(3);
  }

  /** As many slots as there are weights, at least 4096; rarer later, unless a time is given. */
  @Test
  void cutsVersionsByWhatIsGiven() {
    MapSettings none = new MapSettings(Map.of());
    assertThat(VersionKeys.read(none, 4097)).isEqualTo(new VersionSchedule(4097, 0));
    assertThat(VersionKeys.thinned(none, 10))
        .isEqualTo(new VersionSchedule(4096, 0, VersionThinning.usual(4096)));
    MapSettings given = new MapSettings(Map.of("release.every.slots", 9L));
    assertThat(VersionKeys.thinned(given, 4097))
        .isEqualTo(new VersionSchedule(9, 0, VersionThinning.usual(4097)));
    MapSettings timed = new MapSettings(Map.of("release.interval.ms", 7L));
    assertThat(VersionKeys.thinned(timed, 10)).isEqualTo(new VersionSchedule(4096, 7));
  }

  @Test
  void buildsWithOtherLossesAndOptimizers() {
    Plan plan = plan(b -> {});
    Plan hinge = plan.toBuilder().loss("hinge", Losses.HINGE.make()).build();
    assertThat(hinge.lossName()).isEqualTo("hinge");
    assertThat(hinge.loss()).isNotEqualTo(plan.loss());
    Optimizer other = new PrivateFtrl(new EuclideanBall(null, 2), new StepSize.Decreasing(1));
    assertThat(plan.toBuilder().optimizer(other).build().optimizer()).isSameAs(other);
  }

  private static byte[] digest(int length, int changed, Guarantee guarantee) {
    double[] weights = new double[length];
    if (changed >= 0) {
      weights[changed] = 1;
    }
    return ModelSnapshot.digest(weights, guarantee);
  }

  /** Of every weight, also beyond the first page of 1024, and of every figure. */
  @Test
  void digestsAllOfASnapshot() {
    Guarantee guarantee = Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 1, 2, 1e-6);
    byte[] plain = digest(1500, -1, guarantee);
    assertThat(plain).hasSize(32);
    for (int changed : new int[] {0, 1023, 1024, 1499}) {
      assertThat(digest(1500, changed, guarantee)).isNotEqualTo(plain);
    }
    for (Guarantee other : List.of(
        Guarantee.of(PrivacyUnit.KEY, Adjacency.ZERO_OUT, "blt", 1, 2, 1e-6),
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.REPLACE_ONE, "blt", 1, 2, 1e-6),
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "independent", 1, 2, 1e-6),
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 1, 2.5, 1e-6),
        Guarantee.of(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "blt", 1, 2, 1e-7))) {
      assertThat(digest(1500, -1, other)).isNotEqualTo(plain);
    }
  }
}

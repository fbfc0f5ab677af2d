package dev.sotto.learner.round;

import static dev.sotto.learner.round.PlanBuilder.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.unit.Participation;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlanTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static Arguments bad(Consumer<PlanBuilder> change, String... words) {
    return Arguments.of(change, List.of(words));
  }

  static Stream<Arguments> invalid() {
    return Stream.of(
        bad(b -> b.clip = -1, "clip must be positive and finite", "-1.0"),
        bad(b -> b.clip = Double.NaN, "clip must be positive and finite", "NaN"),
        bad(b -> b.clip = INFINITY, "clip must be positive and finite", "Infinity"),
        bad(b -> b.dimension = 0, "dimension must be at least 1", "0"),
        bad(b -> b.dimension = -3, "dimension must be at least 1", "-3"),
        bad(b -> b.batch = 0, "batch must be at least 1", "0"),
        bad(b -> b.batch = -4, "batch must be at least 1", "-4"),
        bad(b -> b.batch = 1L << 50, "batch * clip must be below 2^53", "1125899906842624 * 1.0"),
        bad(b -> b.sigma = 0, "sigma must be positive and finite", "0.0"),
        bad(b -> b.sigma = -2, "sigma must be positive and finite", "-2.0"),
        bad(b -> b.sigma = Double.NaN, "sigma must be positive and finite", "NaN"),
        bad(b -> b.sigma = INFINITY, "sigma must be positive and finite", "Infinity"),
        bad(b -> b.sigma = 1e12, "sigma must be at most 2^", "lattice units", "1.0E12"),
        bad(b -> b.unit = PrivacyUnit.KEY, "unit key", "once", "do not go together"),
        bad(b -> b.budget = new Budget(0.1, 1e-6), "first round", "epsilon", "0.1", "1.0E-6"),
        bad(b -> b.mechanism = Mechanisms.noneForPublicData(), "first round", "Infinity", "100"));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void refusesAnInvalidSettingByNameRuleAndValue(Consumer<PlanBuilder> change, List<String> words) {
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

  private static void absent(Consumer<PlanBuilder> change, String name) {
    assertThatNullPointerException().isThrownBy(() -> plan(change)).withMessage(name);
  }

  static Stream<Consumer<PlanBuilder>> changes() {
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
        b -> b.generations = new Generations(Generations.Kind.DOUBLING, 64),
        b -> b.metrics = new MetricsPlan(100, 2, 10, 1),
        b -> b.budget = new Budget(Math.nextUp(100.0), 1e-6),
        b -> b.budget = new Budget(100, Math.nextUp(1e-6)),
        b -> b.budget = new Budget(100, 1e-6, 0.5));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void changesItsFingerprintWithEverySetting(Consumer<PlanBuilder> change) {
    assertThat(plan(change).fingerprint()).isNotEqualTo(plan(b -> {}).fingerprint());
    assertThat(plan(change).fingerprint()).isEqualTo(plan(change).fingerprint());
  }

  @Test
  void hasAFingerprintForEveryCombination() {
    List<Consumer<PlanBuilder>> changes = changes().toList();
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

  /** SHA-256 of the text by another program; a change here orphans every run that exists. */
  @Test
  void keepsTheFingerprintOfSemantics3() {
    assertThat(HexFormat.of().formatHex(plan(b -> {}).fingerprint()))
        .isEqualTo("0b79564d5eb849af9211c377594b2a584908c0aad95cccd4840c3d5ad83b25a5");
  }

  /** privacy.md section 4: mu_t = s sens_t / sigma. */
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
    Plan plan = plan(PlanBuilder::noNoise);
    assertThat(plan.guarantee(1).mu()).isInfinite();
    assertThat(plan.guarantee(1).epsilon()).isInfinite();
  }
}

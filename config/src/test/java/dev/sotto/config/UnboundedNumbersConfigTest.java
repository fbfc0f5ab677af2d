package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code features.numeric.x: {field: x}} alone is a feature. */
class UnboundedNumbersConfigTest {
  private static final String YAML = """
      app.id: free
      events.topic: t
      features.numeric.a: {field: a}
      features.numeric.b: {field: b, optional: true}
      features.numeric.c: {field: c, min: 0, max: 1}
      label.field: y
      loss: logistic
      privacy: {epsilon: 1, delta: 1e-6}
      """;

  private static Plan plan(String... flags) {
    return SottoConfig.load(ConfigSource.of("a test", YAML)
            .withNoiseKey(SeededNoiseKey.of(1))
            .withEmbedded(true)
            .withFlags(List.of(flags)))
        .learner()
        .plan();
  }

  private static RangeWindow window(String... flags) {
    return plan(flags).ranges().window().orElseThrow();
  }

  @Test
  void measuresRangesOfNumbersWithoutBounds() {
    Plan plan = plan();
    assertThat(plan.features()).contains("""
        unbounded a "a" measured required
        unbounded b "b" measured optional
        """).contains("numeric c");
    RangeWindow window = plan.ranges().window().orElseThrow();
    assertThat(window.numbers()).isEqualTo(2);
    assertThat(window.share()).isEqualTo(0.5);
    double half = plan.account().muLimit() * Math.sqrt(0.5);
    assertThat(window.sigma()).isCloseTo(Math.sqrt(2) / half, within(1e-9));
    assertThat(window.rounds() * plan.batch()).isBetween(256L, 256 + plan.batch());
    assertThat(plan.guarantee(Long.MAX_VALUE).epsilon()).isLessThanOrEqualTo(1);
  }

  /** The noise is that of the counts of one record, or of one participation of a person. */
  @Test
  void noiseFollowsFromTheGuarantee() {
    double plain = window().sigma();
    assertThat(window("privacy.adjacency=replace-one").sigma())
        .isCloseTo(plain * Math.sqrt(2), within(1e-6));
    assertThat(window("privacy.epsilon=0.1").sigma()).isGreaterThan(5 * plain);
    RangeWindow ofUnits = window("privacy.unit=key", "unit.from=key");
    assertThat(ofUnits.sigma()).isGreaterThan(1.2 * plain); // of one participation of three
    RangeWindow small = window("privacy.epsilon=0.1");
    long batch = plan("privacy.epsilon=0.1").batch();
    assertThat(small.rounds() * batch)
        .isBetween((long) (15 * small.sigma()), (long) (15 * small.sigma()) + batch);
  }

  @Test
  void plannedRunMeasuresBriefly() {
    Plan plan = plan("privacy.horizon.rounds=200", "batch.size=20");
    assertThat(plan.ranges().rounds()).isEqualTo(3 * 7); // 133 of 4,000 slots a stage
    assertThat(plan.guarantee(200).epsilon()).isLessThanOrEqualTo(1);
    assertThat(plan("privacy.horizon.rounds=50", "batch.size=20").ranges().rounds())
        .isEqualTo(3 * 4); // 64 slots at least
  }

  @Test
  void octavesAloneNeedNoWindow() {
    Plan plan = plan("features.ranges=none");
    assertThat(plan.ranges().window()).isEmpty();
    assertThat(plan.features()).contains("unbounded a \"a\" octaves required\n");
    assertThat(plan.terms().rangeWindow()).isEmpty();
    for (String flag : List.of(
        "privacy.mechanism=binary-tree privacy.horizon.rounds=1000",
        "algorithm=clipped-ac-sa",
        "layout=rounds")) {
      String[] flags = ("features.ranges=none " + flag).split(" ");
      assertThat(plan(flags).ranges().numbers().isEmpty()).isTrue();
    }
  }

  @Test
  void numbersThatAllHaveBoundsAreAsBefore() {
    Plan plan = plan(
        "features.numeric.a.min=0",
        "features.numeric.a.max=1",
        "features.numeric.b.min=0",
        "features.numeric.b.max=1");
    assertThat(plan.features()).doesNotContain("unbounded");
    assertThat(plan.ranges().numbers().isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "layout=rounds, whose workers",
    "algorithm=clipped-ac-sa, several times",
    "privacy.mechanism=binary-tree privacy.horizon.rounds=1000, binary-tree",
    "privacy.mechanism=laplace privacy.horizon.rounds=1000, laplace",
    "privacy.generations=doubling privacy.generations.rounds=50, generations",
    "candidates.a.ftrl.radius=1 candidates.b.ftrl.radius=2, candidates"
  })
  void refusesWhatNoWindowGoesTogetherWith(String flags, String why) {
    assertThatThrownBy(() -> plan(flags.split(" ")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.ranges must be none with")
        .hasMessageContaining(why)
        .hasMessageContaining("or give every number its bounds");
  }

  @Test
  void refusesHalfOfTheBounds() {
    assertThatThrownBy(() -> plan("features.numeric.a.min=0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.numeric.a.max must be given together with");
    assertThatThrownBy(() -> plan("features.numeric.a.transform=log1p"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.numeric.a.transform must be identity");
    assertThatThrownBy(() -> plan("features.numeric.a.min=2", "features.numeric.a.max=1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.numeric.a.min must be below");
  }
}

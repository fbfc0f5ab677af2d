package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.CandidateModels;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    "algorithm=clipped-ac-sa, 'algorithm clipped-ac-sa, which reads its slots several times'",
    "privacy.mechanism=laplace privacy.horizon.rounds=1000, 'privacy.mechanism laplace, whose'",
    "layout=rounds rounds.lag=1, 'rounds.lag 1, where a round is summed'",
    "privacy.generations=doubling privacy.generations.rounds=5 batch.size=20,"
        + " 'privacy.generations of 5 rounds, which end before the 39 of a window'"
  })
  void refusesWhatNoWindowGoesTogetherWith(String flags, String why) {
    assertThatThrownBy(() -> plan(flags.split(" ")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.ranges must be none with " + why)
        .hasMessageContaining("; or give every number its bounds");
  }

  /** A window within the first generation, and mechanisms whose columns differ: more noise. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "privacy.mechanism=binary-tree privacy.horizon.rounds=1000",
        "privacy.generations=doubling privacy.generations.rounds=50 batch.size=100",
        "algorithm=accelerated-dp-srgd"
      })
  void countsCostAShareOfTheSmallestColumn(String flags) {
    Plan plan = plan(flags.split(" "));
    RangeWindow window = plan.ranges().window().orElseThrow();
    double smallest = plan.sensitivity() / plan.sigma() * plan.mechanism().sensitivity(1);
    assertThat(Math.sqrt(2) / window.sigma())
        .isCloseTo(smallest * Math.sqrt(0.5), within(1e-9 * smallest));
    assertThat(window.sigma()).isGreaterThan(1.2 * window().sigma());
    long end = plan.generations().last(0);
    assertThat(window.allRounds()).isLessThanOrEqualTo(end);
    assertThat(plan.guarantee(1000).epsilon()).isLessThanOrEqualTo(1);
  }

  @Test
  void workersOfRoundsCountForTheirCoordinator() {
    Plan plan = plan("layout=rounds");
    assertThat(plan.ranges().rounds()).isEqualTo(3);
    assertThat(plan.ranges().window().orElseThrow().sigma())
        .isCloseTo(window().sigma(), within(1e-9));
  }

  private static CandidateModels candidates(String... flags) {
    return SottoConfig.load(ConfigSource.of("a test", YAML)
            .withNoiseKey(SeededNoiseKey.of(1))
            .withEmbedded(true)
            .withFlags(List.of(flags)))
        .learner()
        .run()
        .candidates();
  }

  /** One that measures two numbers, one that measures one, and one that measures none. */
  @Test
  void candidatesHaveOneWindow() {
    CandidateModels models = candidates(
        "candidates.both.ftrl.radius=1",
        "candidates.one.features.numeric.b.min=0",
        "candidates.one.features.numeric.b.max=1",
        "candidates.octaves.features.ranges=none");
    List<Plan> plans = models.all().stream().map(CandidateModels.One::plan).toList();
    RangeWindow window = plans.get(0).ranges().window().orElseThrow();
    assertThat(plans).extracting(each -> each.ranges().window().orElseThrow()).containsOnly(window);
    assertThat(plans)
        .extracting(each -> each.ranges().numbers().count())
        .containsExactlyInAnyOrder(2, 1, 0);
    assertThat(window.numbers()).isEqualTo(2);
    double three = Math.sqrt(3 / 0.9) * window().sigma(); // a tenth compares them
    assertThat(window.sigma()).isCloseTo(three, within(1e-6 * three));
    for (Plan each : plans) {
      assertThat(each.guarantee(Long.MAX_VALUE).epsilon()).isLessThanOrEqualTo(1);
      assertThat(each.terms().rangeWindow()).isEqualTo(window.describe());
    }
  }

  @Test
  void candidatesWithoutSuchNumbersHaveNoWindow() {
    CandidateModels models = candidates(
        "candidates.a.ftrl.radius=1", "candidates.b.ftrl.radius=2", "features.ranges=none");
    assertThat(models.plan().ranges().window()).isEmpty();
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

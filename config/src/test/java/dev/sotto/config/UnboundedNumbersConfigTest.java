package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.CandidateModels;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
  void measuresInAsManySlotsAsSomebodyAllows() {
    Plan plan = plan("features.ranges.slots=300", "batch.size=20");
    assertThat(plan.ranges().rounds()).as("100 slots a stage").isEqualTo(3 * 5);
    assertThat(plan.guarantee(Long.MAX_VALUE).epsilon()).isLessThanOrEqualTo(1);
    RangeWindow usual = window("batch.size=20");
    assertThat(window("features.ranges.slots=300", "batch.size=20").sigma())
        .as("noise of counts is that of one record")
        .isEqualTo(usual.sigma());
    assertThat(window("features.ranges.slots=1000000", "batch.size=20")).isEqualTo(usual);
    assertThatThrownBy(() -> plan("features.ranges.slots=191"))
        .hasMessageContaining("features.ranges.slots")
        .hasMessageContaining("192");
    assertThatThrownBy(() -> plan("features.ranges.slots=300", "features.ranges=none"))
        .hasMessageContaining("features.ranges.slots");
  }

  @Test
  void saysWhatToDoWhereThePlanEndsBeforeTheRangesAreMeasured() {
    assertThatThrownBy(() -> plan("privacy.horizon.rounds=5", "batch.size=20"))
        .hasMessageContaining("the 12 rounds that measure ranges would exceed the budget")
        .hasMessageContaining("plan for more rounds than these (privacy.horizon.rounds), state"
            + " bounds of the numbers, or raise");
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

  /** Curves of many numbers would be too many weights: then each is a straight line. */
  @Test
  void manyNumbersAreStraightLines() {
    String[] many = IntStream.range(0, 41)
        .mapToObj(i -> "features.numeric.n" + i + ".field=n" + i)
        .toArray(String[]::new);
    String[] classes = {"loss=softmax", "loss.classes=7"};
    String[] both = Stream.of(many, classes).flatMap(Stream::of).toArray(String[]::new);
    Plan few = plan(classes);
    assertThat(few.features()).contains("unbounded a \"a\" measured required");
    Plan lines = plan(both); // of 43 numbers, 7 classes
    assertThat(lines.features()).contains("unbounded a \"a\" place required");
    assertThat(lines.dimension()).isEqualTo(7 * (1 + 10 + 43));
    assertThat(lines.ranges().window().orElseThrow().numbers()).isEqualTo(43);
    String[] curves =
        Stream.concat(Stream.of(both), Stream.of("features.octaves=true")).toArray(String[]::new);
    assertThat(plan(curves).dimension()).isEqualTo(7 * (1 + 10 + 43 * 115));
    assertThat(plan("features.octaves=false").features()).contains(" place ");
    assertThatThrownBy(() -> plan("features.octaves=false", "features.ranges=none"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features.octaves must be true or absent");
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

  private static final String NUMBER = YAML.replace("loss: logistic", "loss: squared");

  private static SottoConfig ofNumber(String... flags) {
    return SottoConfig.load(ConfigSource.of("a test", NUMBER)
        .withNoiseKey(SeededNoiseKey.of(1))
        .withEmbedded(true)
        .withFlags(List.of(flags)));
  }

  /** A label that is a number, and nothing said of it: one number more, and all of the budget. */
  @Test
  void measuresTheLabelOfARegression() {
    SottoConfig config = ofNumber();
    Plan plan = config.learner().plan();
    assertThat(plan.features()).contains("label \"y\" measured\n");
    RangeWindow window = plan.ranges().window().orElseThrow();
    assertThat(window.numbers()).isEqualTo(3);
    assertThat(window.share()).isEqualTo(1);
    assertThat(window.sigma()).isCloseTo(Math.sqrt(3) / plan.account().muLimit(), within(1e-9));
    assertThat(plan.clip()).isEqualTo(0.35);
    assertThat(plan.guarantee(Long.MAX_VALUE).epsilon()).isLessThanOrEqualTo(1);
    assertThat(config.warnings()).anyMatch(each -> each.contains("A label that grows"));
    Plan replaced = ofNumber("privacy.adjacency=replace-one").learner().plan();
    assertThat(replaced.ranges().window().orElseThrow().sigma())
        .isCloseTo(Math.sqrt(6) / replaced.account().muLimit(), within(1e-9));
    for (String loss : List.of("absolute", "quantile")) {
      assertThat(ofNumber("loss=" + loss).learner().plan().ranges().numbers().ofLabel())
          .isTrue();
    }
    assertThat(ofNumber("loss=network", "network.hidden=3", "network.output=squared")
            .learner()
            .plan()
            .ranges()
            .numbers()
            .ofLabel())
        .isTrue();
  }

  /** Features with bounds leave the label alone in the window. */
  @Test
  void measuresTheLabelAlone() {
    Plan plan = ofNumber(
            "features.numeric.a.min=0",
            "features.numeric.a.max=1",
            "features.numeric.b.min=0",
            "features.numeric.b.max=1")
        .learner()
        .plan();
    assertThat(plan.ranges().numbers().count()).isZero();
    assertThat(plan.ranges().window().orElseThrow().numbers()).isEqualTo(1);
  }

  /** Whoever says how large labels or residuals are has them as they were. */
  @ParameterizedTest
  @CsvSource({
    "label.min=0 label.max=10",
    "clip.norm=3 ftrl.steps=decreasing batch.size=64",
    "algorithm=clipped-ac-sa heavy.moment=2 features.ranges=none",
    "loss=huber"
  })
  void labelsWhoseSizeIsKnownAreNotMeasured(String flags) {
    assertThat(ofNumber(flags.split(" ")).learner().plan().ranges().numbers().ofLabel())
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "layout=rounds | label.min must be given, and label.max, with layout rounds",
        "privacy.mechanism=laplace privacy.horizon.rounds=1000 | label.min must be given",
        "candidates.a.ftrl.radius=1 candidates.b.ftrl.radius=2 | with candidates",
        "metrics.share=0.1 | label.min must be given, and label.max, with private metrics",
        "features.ranges=none | give the range of the labels (label.min and label.max",
        "clip.norm=3 | or remove clip.norm, and the range of the labels is measured",
        "loss=poisson | give the range of the labels (label.min and label.max"
      })
  void refusesLabelsThatCannotBeMeasured(String flags, String why) {
    assertThatThrownBy(() -> ofNumber(flags.split(" ")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why);
  }
}

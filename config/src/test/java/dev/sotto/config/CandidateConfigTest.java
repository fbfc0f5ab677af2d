package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.config.settings.GateSettings;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.CandidateModels;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidateConfigTest {
  private static final String[] TWO = {
    "candidates.wide.features.numeric.extra.field: extra",
    "candidates.wide.features.numeric.extra.min: 0",
    "candidates.wide.features.numeric.extra.max: 1",
    "candidates.short.ftrl.steps: decreasing",
    "candidates.short.ftrl.steps.multiplier: 0.5"
  };

  private static CandidateModels candidates(String... lines) {
    return Texts.load(lines).learner().run().candidates();
  }

  private static String[] and(String... more) {
    String[] all = Arrays.copyOf(TWO, TWO.length + more.length);
    System.arraycopy(more, 0, all, TWO.length, more.length);
    return all;
  }

  private static void refused(String message, String... lines) {
    assertThatThrownBy(() -> Texts.load(lines))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void learnBesideEachOtherUnderOneBudget() {
    CandidateModels both = candidates(TWO);
    assertThat(both.all()).extracting(CandidateModels.One::name).containsExactly("short", "wide");
    assertThat(both.idsOf("m")).containsExactly("m.short", "m.wide");
    Plan small = both.all().get(0).plan();
    Plan wide = both.all().get(1).plan();
    assertThat(wide.dimension()).isEqualTo(small.dimension() + 10); // a number and its hats
    assertThat(both.of("m.wide").orElseThrow().plan()).isSameAs(wide);
    assertThat(wide.mu(100)).isCloseTo(small.mu(100), within(1e-15));
    assertThat(small.allows(1)).isTrue();
    Plan alone = Texts.load("metrics.share: 0.1").learner().plan();
    assertThat(small.sigma() / small.clip())
        .isBetween(1.41 * alone.sigma() / alone.clip(), 1.42 * alone.sigma() / alone.clip());
    assertThat(small.batch()).isEqualTo(wide.batch()).isGreaterThanOrEqualTo(alone.batch());
  }

  /** Versions are of as many slots as the largest has weights, for all of them. */
  @Test
  void shareTheVersionsOfTheLargest() {
    CandidateModels both = candidates(
        "candidates.small.features.hash.bits: 6",
        "candidates.small.features.categorical.kind: {field: kind}",
        "candidates.large.features.hash.bits: 14",
        "candidates.large.features.categorical.kind: {field: kind}");
    Plan large = both.all().get(0).plan();
    Plan small = both.all().get(1).plan();
    assertThat(large.dimension()).isGreaterThan(1 << 14);
    assertThat(small.learning().versions()).isEqualTo(large.learning().versions());
    assertThat(small.learning().versions().slots()).isEqualTo(large.dimension());
  }

  /** Their versions tell of one another's cost: one change is a new run of all. */
  @Test
  void areANewRunWhereOneOfThemIsAnother() {
    byte[] before = candidates(TWO).all().get(1).plan().fingerprint();
    assertThat(candidates(TWO).all().get(1).plan().fingerprint()).isEqualTo(before);
    String[] other = TWO.clone();
    other[4] = "candidates.short.ftrl.steps.multiplier: 0.25";
    assertThat(candidates(other).all().get(1).plan().fingerprint()).isNotEqualTo(before);
    assertThat(candidates(and("candidates.third.ftrl.steps: auto"))
            .all()
            .get(2)
            .plan()
            .fingerprint())
        .isNotEqualTo(before);
  }

  @Test
  void areComparedAndNamedByDefault() {
    SottoConfig config = Texts.load(TWO);
    assertThat(config.learner().plan().metrics()).isNotNull();
    assertThat(config.effective().find(GateSettings.ALIAS)).contains("best");
    SottoConfig other = Texts.load(and("gate.alias: champion", "metrics.share: 0.2"));
    assertThat(other.effective().find(GateSettings.ALIAS)).contains("champion");
    SottoConfig byKey = Texts.load(and("model.id.source: key", "layout: direct"));
    assertThat(byKey.effective().find(GateSettings.ALIAS)).isEmpty();
  }

  @Test
  void arePrintedSoThatTheyCanBeReadAgain() {
    SottoConfig config = Texts.load(TWO);
    SottoConfig again = SottoConfig.load(Texts.source(config.effective().yaml()));
    assertThat(again.effective().yaml()).isEqualTo(config.effective().yaml());
    for (int i = 0; i < 2; i++) {
      assertThat(again.learner().run().candidates().all().get(i).plan().fingerprint())
          .isEqualTo(config.learner().run().candidates().all().get(i).plan().fingerprint());
    }
  }

  @Test
  void nameWhatIsWrong() {
    refused("must have company", "candidates.one.ftrl.steps: auto");
    refused(
        "candidates.a.privacy.epsilon must be a setting of features, loss or algorithm",
        and("candidates.a.privacy.epsilon: 3"));
    refused("must name a candidate", and("candidates.A B.ftrl.steps: auto"));
    refused("must be a setting of candidate lonely", and("candidates.lonely: 3"));
    refused("candidates.bad.ftrl.steps must be one of", and("candidates.bad.ftrl.steps: sideways"));
    refused(
        "privacy.generations must be given", and("candidates.srgd.algorithm: accelerated-dp-srgd"));
    assertThat(candidates(
                and("candidates.srgd.algorithm: accelerated-dp-srgd", "privacy.generations: none"))
            .number())
        .isEqualTo(3);
    refused("among candidates", and("candidates.block.algorithm: clipped-sgd"));
    refused("privacy.mechanism must be one of Gaussian noise", and("privacy.mechanism: laplace"));
    refused("layout must be auto, direct or ordered", and("layout: rounds"));
    refused(
        "gate.alias must be absent",
        and("gate.alias: champion", "model.id.source: key", "layout: direct"));
    refused("at most 16", many());
  }

  private static String[] many() {
    return List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17).stream()
        .map(i -> "candidates.c" + i + ".ftrl.steps: auto")
        .toArray(String[]::new);
  }
}

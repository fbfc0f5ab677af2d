package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteeLevelTest {
  private static final String BUDGETED = """
      app.id: test
      bootstrap.servers: localhost:9092
      events.topic: events
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      unit.from: key
      batch.size: 512
      privacy:
        unit: key
        epsilon: 2
        delta: 1e-6
        contribution.rounds: 8
      noise.key.env: SOTTO_NOISE_KEY
      """;

  private static final String SCHEDULED = BUDGETED.replace(
      "contribution.rounds: 8",
      "contribution: schedule\n  contribution.most: 8\n  horizon.rounds: 400");

  private static Plan plan(String yaml, GuaranteeLevel protection) {
    return SottoConfig.load(Texts.source(yaml).withGuarantee(protection))
        .learner()
        .plan();
  }

  /**
   * No file, variable or flag brings in a key that stands in a program; only code for tests and
   * replays does.
   */
  @Test
  void refusesAKeyThatEverybodyKnows() {
    assertThatThrownBy(() -> SottoConfig.load(ConfigSource.of("test.yaml", Texts.VALID)
            .withEnvironment(Map.of("SOTTO_NOISE_KEY", SeededNoiseKey.OF_TESTS))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("noise.key.env must name a secret")
        .hasMessageNotContaining(SeededNoiseKey.OF_TESTS);
    assertThat(SottoConfig.load(
                Texts.source(Texts.VALID).withNoiseKey(NoiseKey.ofHex(SeededNoiseKey.OF_TESTS)))
            .learner()
            .key()
            .id())
        .isEqualTo(NoiseKey.ofHex(SeededNoiseKey.OF_TESTS).id());
  }

  @Test
  void leavesAConfigurationAsItIsUnlessAsked() {
    assertThat(plan(BUDGETED, GuaranteeLevel.CONFIGURED).fingerprint())
        .isEqualTo(SottoConfig.load(Texts.source(BUDGETED)).learner().plan().fingerprint());
  }

  @ParameterizedTest
  @ValueSource(strings = {BUDGETED, Texts.VALID, Texts.VALID + "metrics.share: 0.2"})
  void promisesNothingWithoutProtection(String yaml) {
    Plan none = plan(yaml, GuaranteeLevel.NONE);
    assertThat(none.mechanism().name()).isEqualTo("none");
    assertThat(none.participation()).isEqualTo(new Participation.Once());
    assertThat(none.unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(none.guarantee(1).epsilon()).isInfinite();
    assertThat(none.allows(1L << 40)).isTrue();
    assertThat(none.metrics()).isNull();
    assertThat(none.clip()).isEqualTo(0.75 * 0x1p16);
    assertThat(none.lattice().unit()).isLessThan(1e-6);
  }

  /** Two configurations that differ in privacy alone have one reference. */
  @Test
  void forgetsEverythingAboutPrivacy() {
    byte[] reference = plan(Texts.VALID, GuaranteeLevel.NONE).fingerprint();
    String other = Texts.VALID.replace("epsilon: 2", "epsilon: 0.5") + "metrics.share: 0.1\n"
        + "privacy.mechanism: binary-tree";
    assertThat(plan(other, GuaranteeLevel.NONE).fingerprint()).isEqualTo(reference);
    assertThat(plan(Texts.VALID + "clip.norm: 2", GuaranteeLevel.NONE).fingerprint())
        .isNotEqualTo(reference);
  }

  /** Steps are made for the noise: without it they are those of gradients of the clip's norm. */
  @Test
  void takesTheStepsThatFollowWithoutNoise() {
    String wanted = "scale=" + Double.toHexString(1.0);
    String decreasing = BUDGETED + "ftrl.steps: decreasing\n";
    assertThat(plan(decreasing, GuaranteeLevel.NONE).steps()).endsWith(wanted);
    assertThat(plan(decreasing, GuaranteeLevel.CONFIGURED).steps()).doesNotContain(wanted);
    StepSize quiet = ((PrivateFtrl) plan(BUDGETED, GuaranteeLevel.NONE).optimizer()).steps();
    StepSize noisy = ((PrivateFtrl) plan(BUDGETED, GuaranteeLevel.CONFIGURED).optimizer()).steps();
    assertThat(quiet.eta(1000)).isEqualTo(quiet.eta(1));
    assertThat(noisy.eta(1_000_000)).isLessThan(noisy.eta(1));
  }

  @Test
  void boundsAScheduleWithoutNoise() {
    Plan bounded = plan(SCHEDULED, GuaranteeLevel.BOUNDING);
    assertThat(bounded.participation())
        .isEqualTo(plan(SCHEDULED, GuaranteeLevel.CONFIGURED).participation());
    assertThat(bounded.mechanism().name()).isEqualTo("none");
    assertThat(bounded.unit()).isEqualTo(PrivacyUnit.KEY);
    assertThat(bounded.guarantee(1).epsilon()).isInfinite();
    assertThat(bounded.steps()).isEqualTo(plan(SCHEDULED, GuaranteeLevel.NONE).steps());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        BUDGETED,
        BUDGETED + "metrics.share: 0.25",
        BUDGETED + "privacy.mechanism: independent",
        BUDGETED + "batch.size: 65536\n",
        BUDGETED + "privacy.generations: doubling\nprivacy.generations.rounds: 4"
      })
  void admitsTheSameRecordsByTheirUnitsBooks(String yaml) {
    String once = yaml.contains("65536") ? yaml.replace("batch.size: 512\n", "") : yaml;
    Plan configured = plan(once, GuaranteeLevel.CONFIGURED);
    Plan bounded = plan(once, GuaranteeLevel.BOUNDING);
    assertThat(bounded.sigma()).isLessThanOrEqualTo(configured.sigma() / 256);
    assertThat(bounded.clip()).isGreaterThanOrEqualTo(configured.clip());
    assertThat(admitted(bounded)).isEqualTo(admitted(configured));
    assertThat(admitted(plan(once.replace("epsilon: 2", "epsilon: 1"), GuaranteeLevel.BOUNDING)))
        .isEqualTo(
            admitted(plan(once.replace("epsilon: 2", "epsilon: 1"), GuaranteeLevel.CONFIGURED)));
  }

  /** Which of 2,000 random rounds admit each of ten units, and which refuse it. */
  private static List<Boolean> admitted(Plan plan) {
    Random random = Seed.random(5);
    Admission rule = plan.account().admission().orElseThrow();
    List<Boolean> all = new ArrayList<>();
    for (int unit = 0; unit < 10; unit++) {
      byte[] history = null;
      long round = 1;
      for (int i = 0; i < 200; i++) {
        round += random.nextInt(1 + unit);
        byte[] next = rule.admit(history, round);
        all.add(next != null);
        history = next == null ? history : next;
      }
    }
    assertThat(all).contains(true, false);
    return all;
  }

  /** What the reference leaves of the noise is far below what gradients of one example can do. */
  @Test
  void leavesHardlyAnyNoiseBesideTheBounds() {
    Plan bounded = plan(BUDGETED, GuaranteeLevel.BOUNDING);
    Plan configured = plan(BUDGETED, GuaranteeLevel.CONFIGURED);
    assertThat(bounded.sigma() / configured.sigma()).isCloseTo(0x1p-16, within(0x1p-20));
    assertThat(bounded.clip()).isEqualTo(0.75 * 0x1p10);
    assertThat(bounded.guarantee(1).epsilon()).isGreaterThan(1e6);
  }
}

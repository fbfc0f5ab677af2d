package dev.sotto.evaluation.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ComparisonRunnerTest {
  private static final int EVENTS = 5_000;
  private static final int BATCH = 50;
  private static final String YAML = """
      app.id: visits
      events.topic: visits
      layout: direct
      features.hats: 0
      features.numeric.minutes: {field: minutes, min: 0, max: 60}
      label.field: clicked
      loss: logistic
      batch.size: 50
      release.every.slots: 1
      clip.norm: 0.25
      ftrl.steps: decreasing
      unit: {from: field, field: user}
      privacy: {epsilon: 1, delta: 1e-6, unit: key, contribution: schedule, contribution.most: 2, contribution.separation: 1, horizon.rounds: 100}
      noise.key.env: SOTTO_NOISE_KEY
      """;

  private final List<Visit> visits = new ArrayList<>();

  private record Visit(int user, double minutes, int clicked) {}

  private InMemoryRecording record() {
    return record(EVENTS);
  }

  private InMemoryRecording record(int events) {
    Random random = Seed.random(3);
    InMemoryRecording.Builder recorded = InMemoryRecording.of("visits");
    for (int i = 0; i < events; i++) {
      double minutes = 60 * random.nextDouble();
      int clicked = random.nextDouble() < 1 / (1 + Math.exp(4 - minutes / 7)) ? 1 : 0;
      Visit visit = new Visit(random.nextInt(400), minutes, clicked);
      visits.add(visit);
      String json = "{\"user\":\"u" + visit.user() + "\",\"minutes\":" + minutes + ",\"clicked\":"
          + clicked + "}";
      recorded.add(0, null, json.getBytes(StandardCharsets.UTF_8));
    }
    return recorded.build();
  }

  private static ComparedConfig candidate(String name, String yaml) {
    ConfigSource source = ConfigSource.of(name, yaml)
        .withEnvironment(Map.of("SOTTO_NOISE_KEY", "0".repeat(64)))
        .withEmbedded(true);
    return new ComparedConfig(
        name, name + ".yaml", protection -> SottoConfig.load(source.withGuarantee(protection)));
  }

  private static Comparison compare(InMemoryRecording recording, ComparedConfig... candidates)
      throws InterruptedException {
    return new ComparisonRunner(recording, Map.of(), 0, 0, true)
        .run(List.of(candidates), 2, (records, done, runs) -> {});
  }

  private static double loss(Comparison comparison, String name) {
    return comparison.run(name).orElseThrow().finished().orElseThrow().loss();
  }

  /**
   * Follow-the-leader by hand, without clip, lattice, noise or Kafka: mean log-loss, each visit
   * before it counts.
   */
  private double plain(int most) {
    double[] weights = new double[2];
    double[] sum = new double[2];
    Map<Integer, Integer> rounds = new HashMap<>();
    Map<Integer, Integer> last = new HashMap<>();
    double loss = 0;
    for (int i = 0; i < EVENTS; i++) {
      Visit visit = visits.get(i);
      int round = i / BATCH + 1;
      double[] x = {1, visit.minutes() / 30 - 1};
      double norm = Math.hypot(x[0], x[1]);
      double score = (weights[0] * x[0] + weights[1] * x[1]) / norm;
      double right = 1 / (1 + Math.exp(visit.clicked() == 1 ? -score : score));
      loss -= Math.log(right);
      int user = visit.user();
      if (rounds.getOrDefault(user, 0) < most && last.getOrDefault(user, 0) < round) {
        rounds.merge(user, 1, Integer::sum);
        last.put(user, most == Integer.MAX_VALUE ? 0 : round);
        double slope = visit.clicked() == 1 ? right - 1 : 1 - right;
        sum[0] += slope * x[0] / norm;
        sum[1] += slope * x[1] / norm;
      }
      if ((i + 1) % BATCH == 0) {
        double eta = 1 / 0.25 / Math.sqrt(round + 1); // D over the clip
        weights[0] = -eta * sum[0] / BATCH;
        weights[1] = -eta * sum[1] / BATCH;
      }
    }
    return loss / EVENTS;
  }

  /**
   * The configured clip of 1/4 bites nearly every gradient: a reference that kept it would be far
   * off.
   */
  @Test
  void comparesWithWhatALearnerWithoutAnyProtectionDoes() throws InterruptedException {
    Comparison comparison = compare(record(), candidate("users", YAML));
    double all = plain(Integer.MAX_VALUE);
    double bounded = plain(2);
    assertThat(bounded - all).isGreaterThan(0.01);
    assertThat(loss(comparison, "without privacy")).isCloseTo(all, within(1e-6));
    assertThat(loss(comparison, "bounding only")).isCloseTo(bounded, within(1e-6));
    assertThat(Math.abs(loss(comparison, "users") - bounded)).isGreaterThan(0.001);
    ComparisonRun users = comparison.run("users").orElseThrow();
    assertThat(comparison.overNone(users).orElseThrow().loss())
        .isEqualTo(loss(comparison, "users") - loss(comparison, "without privacy"));
  }

  /** Records that are fine, but fewer than the window in which the label's range is measured. */
  @Test
  void saysWhyNothingWasScored() throws InterruptedException {
    String unbounded = YAML.replace("label.field: clicked", "label.field: minutes")
        .replace("logistic", "squared")
        .replace("clip.norm: 0.25\n", "");
    assertThat(compare(record(60), candidate("few", unbounded))
            .run("few")
            .orElseThrow()
            .outcome())
        .isInstanceOfSatisfying(
            RunOutcome.Failed.class,
            few -> assertThat(few.message())
                .startsWith("none of the 60 records that were read can be scored: the first ")
                .contains(
                    " slots of a model measure the range of the label", "label.min and label.max"));
    assertThat(compare(record(60), candidate("none", YAML.replace("clicked", "bought")))
            .run("none")
            .orElseThrow()
            .outcome())
        .isInstanceOfSatisfying(
            RunOutcome.Failed.class,
            none -> assertThat(none.message())
                .contains("can be used under this configuration: MISSING_FIELD 60"));
  }

  @Test
  void sharesReferencesAmongConfigurationsThatDifferInPrivacyAlone() throws InterruptedException {
    Comparison comparison = compare(
        record(300),
        candidate("one", YAML),
        candidate("two", YAML.replace("epsilon: 1", "epsilon: 2")),
        candidate("more", YAML.replace("contribution.most: 2", "contribution.most: 3")),
        candidate("smaller", YAML.replace("batch.size: 50", "batch.size: 25")));
    assertThat(comparison.runs().stream().map(ComparisonRun::name))
        .containsExactly(
            "one",
            "two",
            "more",
            "smaller",
            "bounding only (one, two)",
            "bounding only (more)",
            "bounding only (smaller)",
            "without privacy (one, two, more)",
            "without privacy (smaller)");
    assertThat(comparison.differences().keySet())
        .containsExactly("batch.size", "privacy.contribution.most", "privacy.epsilon");
    assertThat(comparison.configurations().get(2).boundingOnly()).contains("bounding only (more)");
  }

  @Test
  void countsEveryRecordOfEveryRun() throws InterruptedException {
    AtomicLong most = new AtomicLong();
    AtomicLong ended = new AtomicLong();
    Comparison comparison = new ComparisonRunner(record(), Map.of(), 0, 0, true)
        .run(List.of(candidate("users", YAML)), 3, (records, done, runs) -> {
          most.accumulateAndGet(records, Math::max);
          ended.accumulateAndGet(done, Math::max);
          assertThat(runs).isEqualTo(3);
        });
    assertThat(most).hasValue(3 * EVENTS);
    assertThat(ended).hasValue(3);
    assertThat(comparison.runs()).hasSize(3).allMatch(run -> run.finished().isPresent());
  }
}

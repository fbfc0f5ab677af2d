package dev.sotto.benchmarks.experiments;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.optimizer.StepSettings;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is varied of a configuration.
 *
 * @param epsilon of a key, infinite without noise
 * @param batch records in a round
 * @param spread eight times the smallest distance of two records of a key, as a part of the stream;
 *     0 for 1 round
 * @param multiplier of the steps, which are the same in all rounds
 */
record KeyedRecipe(
    GuaranteeLevel protection, double epsilon, int batch, double spread, double multiplier) {
  private static final Map<String, String> NO_KEY = Map.of("SOTTO_NOISE_KEY", "0".repeat(64));

  /** Settings over those of the file, for a stream of {@code records} records. */
  List<String> flags(long records) {
    long rounds = records / batch;
    List<String> flags = new ArrayList<>(List.of(
        PlanKeys.BATCH_SIZE + "=" + batch,
        VersionKeys.SLOTS + "=1",
        StepSettings.STEPS + "=" + StepSettings.FIXED,
        StepSettings.HORIZON + "=" + rounds,
        StepSettings.MULTIPLIER + "=" + multiplier,
        PlanKeys.SEPARATION + "=" + separation(rounds),
        PlanKeys.HORIZON + "=" + rounds));
    if (epsilon < Double.POSITIVE_INFINITY) {
      flags.add(PlanKeys.EPSILON + "=" + epsilon);
    }
    return flags;
  }

  private long separation(long rounds) {
    return Math.max(1, Math.round(rounds * spread / KeyedSet.CAP));
  }

  /**
   * Runs it over a recording.
   *
   * @param seed of the noise
   * @param every examples between two points of the curve
   */
  ProgressiveScores.Point run(
      KeyedSet set,
      Recording recording,
      long seed,
      long every,
      Consumer<ProgressiveScores.Point> curve) {
    long records = recording.header().ranges().get(0).records();
    ProgressiveScores scores = new ProgressiveScores(every, curve);
    new Replay(settings(set, records).with(SeededNoiseKey.of(seed)), recording)
        .scored(scores)
        .run(new OutputListener() {});
    return scores.point();
  }

  /** What is learned of a stream of a number of records, under a key of no worth. */
  LearnerSettings settings(KeyedSet set, long records) {
    ConfigSource source = ConfigSource.of(set.configuration())
        .withEnvironment(NO_KEY)
        .withFlags(flags(records))
        .withEmbedded(true)
        .withGuarantee(protection);
    return SottoConfig.load(source).learner();
  }

  /**
   * How many records are learned from: those that the rule admits, at most one of a key in a round.
   */
  long learned(KeyedSet set, Recording recording) {
    long records = recording.header().ranges().get(0).records();
    Optional<Admission> rule = settings(set, records).plan().account().admission();
    if (rule.isEmpty()) {
      return records;
    }
    Map<String, byte[]> histories = new HashMap<>();
    long learned = 0;
    try (RecordCursor cursor = recording.open(0)) {
      for (long slot = 0; cursor.next(); slot++) {
        String key = new String(cursor.key(), StandardCharsets.UTF_8);
        byte[] history = rule.get().admit(histories.get(key), slot / batch + 1);
        if (history != null) {
          histories.put(key, history);
          learned++;
        }
      }
    }
    return learned;
  }

  /** A short description. */
  String description(long records) {
    return String.format(
        Locale.ROOT,
        "B = %d; steps %.0f; %d apart",
        batch,
        multiplier,
        separation(records / batch));
  }
}

package dev.sotto.evaluation.compare;

import dev.sotto.topology.failure.FailureKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A comparison whose figures nobody measured. */
public final class MadeComparison {
  /** Ends a script, opens a tag, closes an attribute, and turns the direction of writing. */
  public static final String HOSTILE =
      "</script><img src=x onerror=\"document.title='owned'\">'\"<!--\u202e&amp;";

  private MadeComparison() {}

  /** A name for the first configuration, two more that are sound, one with faults. */
  public static Comparison of(String name) {
    String none = "without privacy";
    List<ComparisonEntry> configurations = List.of(
        configuration(name, "8", Optional.of("bounding only"), none),
        configuration("epsilon-2", "2", Optional.of("bounding only"), none),
        configuration("record-level", "1", Optional.empty(), none),
        new ComparisonEntry(
            "broken", "broken.yaml", "", Map.of(), Optional.empty(), Optional.empty()));
    List<ComparisonRun> runs = List.of(
        new ComparisonRun(name, RunRole.CONFIGURED, finished(0.35, 8, 400)),
        new ComparisonRun("epsilon-2", RunRole.CONFIGURED, finished(0.41, 2, 400)),
        new ComparisonRun("record-level", RunRole.CONFIGURED, finished(0.31, 1, 400)),
        new ComparisonRun(
            "broken",
            RunRole.CONFIGURED,
            new RunOutcome.Failed(
                FailureKind.CONFIGURATION,
                "broken.yaml has 1 fault\n  loss must be given, but was " + name)),
        new ComparisonRun(
            "bounding only", RunRole.BOUNDING, finished(0.29, Double.POSITIVE_INFINITY, 400)),
        new ComparisonRun(none, RunRole.NONE, finished(0.25, Double.POSITIVE_INFINITY, 400)));
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("recording", "flights-" + name + ".jsonl.gz");
    facts.put("topic", "hflights");
    facts.put("records", "200,000");
    return new Comparison(facts, 1, 0, configurations, runs);
  }

  private static ComparisonEntry configuration(
      String name, String epsilon, Optional<String> bounding, String none) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("privacy.epsilon", epsilon);
    settings.put("features.categorical." + name + ".field", name);
    settings.put("loss", "logistic");
    return new ComparisonEntry(
        name,
        "conf/" + name + ".yaml",
        "a throwaway key, of seed 1",
        settings,
        bounding,
        Optional.of(none));
  }

  private static RunOutcome.Finished finished(double end, double epsilon, int points) {
    List<CurvePoint> curve = new ArrayList<>();
    long examples = 200_000;
    for (int i = 1; i <= points; i++) {
      double part = (double) i / points;
      double loss = end + (0.69 - end) / (1 + 40 * part) + 0.004 * Math.sin(60 * part + end * 100);
      curve.add(new CurvePoint(
          Math.round(examples * part),
          Math.round(390 * part),
          Double.isInfinite(epsilon) ? epsilon : epsilon * Math.sqrt(part),
          loss,
          loss - 0.02 * (1 - part),
          1 - loss / 2));
    }
    return new RunOutcome.Finished(
        new RunOutcome.ScoredLoss("logistic", 1 - end / 2, 0.6875, 0.625, examples / 2),
        390,
        1e-6,
        0.8 + end,
        "0123456789abcdef".repeat(4),
        curve);
  }
}

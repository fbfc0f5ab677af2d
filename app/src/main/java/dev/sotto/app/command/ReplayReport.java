package dev.sotto.app.command;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.ProgressiveScores.Hindsight;
import dev.sotto.replay.ProgressiveScores.Point;
import dev.sotto.replay.Replay;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What a replay gave, for people and for programs: exact figures of the data, not private ones. */
final class ReplayReport {
  /** What people read where programs have another word, as in the table and the lines of learn. */
  private static final Map<String, String> WORDS = Map.of(
      "examples", "scored", "contributed", "learnedFrom", "examplesPerSecond", "scoredPerSecond");

  private final LearnerSettings learner;
  private final Replay.Result result;
  private final Optional<ProgressiveScores> scores;

  /**
   * Of a replay that has ended.
   *
   * @param scores empty where events were not scored
   */
  ReplayReport(LearnerSettings learner, Replay.Result result, Optional<ProgressiveScores> scores) {
    this.learner = learner;
    this.result = result;
    this.scores = scores;
  }

  /** What was read and what it has cost, and how well that was predicted. */
  Map<String, Object> figures() {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("events", result.events());
    figures.put("deadLetters", result.deadLetters());
    if (result.deadLetters() > 0) {
      figures.put("deadLetterReasons", result.reasons());
    }
    scores.ifPresent(each -> {
      figures.put("examples", each.point().examples());
      figures.put("slots", each.hindsight().filled());
      figures.put("contributed", each.hindsight().contributed());
      figures.put("emptySlots", each.hindsight().empty());
    });
    figures.put("seconds", result.seconds());
    long learned = scores.map(each -> each.point().examples()).orElse(result.events());
    figures.put("examplesPerSecond", learned / result.seconds());
    figures.put("rounds", result.rounds());
    figures.put("epsilon", result.epsilon());
    figures.put("delta", learner.plan().budget().delta());
    scores.ifPresent(each -> scored(each, figures));
    return figures;
  }

  /** What can be said of all examples together; nothing where events were not scored. */
  Hindsight hindsight() {
    return scores.map(ProgressiveScores::hindsight).orElse(Hindsight.NONE);
  }

  /** How often units came, where they were counted: for a sample that everybody may know. */
  Optional<String> advice() {
    return scores.flatMap(ProgressiveScores::records).map(units -> {
      long mean = Math.max(1, Math.round((double) units.records() / units.units()));
      return String.format(
          Locale.ROOT,
          "%,d units sent %s each on average, the busiest %,d. Where the stream will be like this"
              + " sample: %s: %d, which makes the noise for %s of a unit",
          units.units(),
          FigureFormat.counted(mean, "record"),
          units.most(),
          PlanKeys.RECORDS,
          mean,
          FigureFormat.counted(
              PlanKeys.usualParticipations(
                  OptionalLong.of(mean), learner.plan().ranges().numbers().isEmpty()),
              "round"));
    });
  }

  /** That a budget ended before the events did; empty where none has. */
  Optional<String> spent() {
    return result.newest().values().stream()
        .filter(each -> each.last() && !learner.plan().endsWithoutLabel(each.round()))
        .max(Comparator.comparingLong(LedgerEntry::slots))
        .map(last -> String.format(
            Locale.ROOT,
            "The budget was spent after %,d slots, of %,d events: from then on %s. A longer %s, or"
                + " a larger budget, lasts for more",
            last.slots(),
            result.events(),
            scores.isPresent() ? "they were scored only" : "nothing was learned",
            PlanKeys.HORIZON));
  }

  private void scored(ProgressiveScores all, Map<String, Object> figures) {
    Map<String, Point> byCandidate = all.candidates();
    if (!byCandidate.isEmpty()) {
      figures.put("figuresOf", byCandidate.keySet().iterator().next());
    }
    of("", all.point(), all.hindsight(), figures);
    Map<String, Hindsight> hindsight = all.hindsightOfCandidates();
    byCandidate.forEach((name, each) -> of(name + ".", each, hindsight.get(name), figures));
  }

  private void of(String prefix, Point point, Hindsight all, Map<String, Object> figures) {
    String loss = prefix + (ProgressiveScores.isLogLoss(learner.plan()) ? "logLoss" : "loss");
    figures.put(loss, finite(point.loss()));
    figures.put(loss + "OfVersions", finite(point.publishedLoss()));
    figures.put(loss + "OfBaseRate", finite(point.baseRateLoss()));
    figures.put(loss + "OfBestConstant", finite(all.constantLoss()));
    figures.put(prefix + "accuracy", finite(point.accuracy()));
    figures.put(prefix + "auc", finite(all.auc()));
    if (!Double.isNaN(all.rootMeanSquareError())) {
      figures.put(prefix + "rootMeanSquareError", all.rootMeanSquareError());
      figures.put(prefix + "rootMeanSquareErrorOfMean", all.rootMeanSquareErrorOfMean());
    }
  }

  /** The digest of the last version, or of that of each model. */
  void addDigests(Map<String, Object> figures) {
    Map<String, String> digests = new LinkedHashMap<>();
    for (LedgerEntry each : result.newest().values()) {
      digests.put(each.modelId(), HexFormat.of().formatHex(each.snapshotDigest()));
    }
    figures.put(
        digests.size() == 1 ? "snapshotDigest" : "snapshotDigests",
        digests.size() == 1 ? digests.values().iterator().next() : digests);
  }

  /** Why there is nothing to learn from; empty where there is. */
  Optional<String> useless() {
    long noLabel = scores
        .map(each -> each.hindsight().empty().getOrDefault(RecordStatus.NO_LABEL, 0L))
        .orElse(0L);
    if (noLabel == result.events()) {
      return Optional.of("none of the " + FigureFormat.counted(noLabel, "record")
          + " that were read has found a label (NO_LABEL), so nothing was learned");
    }
    return result.deadLetters() < result.events()
        ? Optional.empty()
        : Optional.of(result.noneUsable());
  }

  /** Why models have learned nothing of their label; empty where all could. */
  Optional<String> withoutLabel() {
    List<String> models = result.newest().values().stream()
        .filter(each -> each.last() && learner.plan().endsWithoutLabel(each.round()))
        .map(LedgerEntry::modelId)
        .toList();
    return models.isEmpty()
        ? Optional.empty()
        : Optional.of("model " + String.join(", ", models) + " has learned nothing: "
            + RangeSettings.NO_RANGE_OF_LABEL);
  }

  /** What the labels themselves say is wrong with their rule: exact, as the figures are. */
  void tellLabels(PrintWriter errors) {
    learner
        .newDecoders()
        .get(0)
        .labels()
        .ifPresent(labels -> labels.faults().forEach(each -> errors.println("Labels: " + each)));
    errors.flush();
  }

  /** A line for each figure. */
  static void print(Map<String, Object> figures, PrintWriter out) {
    figures.forEach((key, value) -> {
      String name = WORDS.getOrDefault(key, key);
      if (value instanceof Map<?, ?> models) {
        models.forEach((model, each) -> out.printf("%-21s %s %s%n", name, model, text(name, each)));
      } else {
        out.printf("%-21s %s%n", name, text(name, value));
      }
    });
  }

  private static Double finite(double figure) {
    return Double.isNaN(figure) ? null : (Double) figure;
  }

  private static String text(String name, Object value) {
    if (value instanceof Double figure) {
      return name.equals("epsilon")
          ? GuaranteeFigures.up(figure, 6)
          : String.format(Locale.ROOT, figure >= 1000 ? "%,.0f" : "%.6g", figure);
    }
    if (value instanceof Long count) {
      return String.format(Locale.ROOT, "%,d", count);
    }
    return value == null ? "-" : value.toString();
  }
}

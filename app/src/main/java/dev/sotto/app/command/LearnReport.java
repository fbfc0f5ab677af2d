package dev.sotto.app.command;

import dev.sotto.app.view.RunningTable;
import dev.sotto.app.view.ScoreCurves;
import dev.sotto.app.view.TellingFeatures;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores.Hindsight;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What was learned from a file: whether it is any good, what it has cost, and what to do next. */
final class LearnReport {
  private static final int MOST_FEATURES = 5;
  private static final int MOST_WEIGHTS = 4;

  /** An AUC that hardly any task has whose features are known before the label. */
  private static final double TOO_GOOD = 0.99;

  private final Path file;
  private final Path config;
  private final String onATopic;
  private final List<String> settings;
  private final ReplayReport report;
  private final List<RunningTable.Row> curve;

  /**
   * How it is printed.
   *
   * @param json as one object
   * @param table whether text has the table, which a terminal has shown already
   */
  record Form(boolean json, boolean table) {}

  /**
   * A report.
   *
   * @param onATopic flags that undo what was chosen for the file alone; empty for none
   * @param settings that were given beside the configuration
   */
  LearnReport(
      Path file,
      Path config,
      String onATopic,
      List<String> settings,
      ReplayReport report,
      List<RunningTable.Row> curve) {
    this.file = file;
    this.config = config;
    this.onATopic = onATopic;
    this.settings = List.copyOf(settings);
    this.report = report;
    this.curve = curve;
  }

  /**
   * Prints it.
   *
   * @param models the newest version of each, at least one
   * @param files in which they are, in the same order
   * @param form how
   */
  void print(
      LearnerSettings learner,
      Map<String, PublishedModel> models,
      List<Path> files,
      Form form,
      PrintWriter out) {
    PublishedModel first = models.values().iterator().next();
    List<TellingFeatures.Feature> features = TellingFeatures.of(first, MOST_FEATURES);
    if (form.json()) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("file", file.toString());
      all.put("model", first.manifest().modelId());
      all.put("version", first.manifest().version());
      all.put("modelFiles", files.stream().map(Path::toString).toList());
      all.put("configuration", config.toString());
      all.putAll(report.figures());
      all.put("betterThanBaseRate", isBetter());
      all.put("curve", curve);
      all.put("features", features);
      List<ScoreCurves.Curve> curves = ScoreCurves.of(first);
      all.put("curves", curves.subList(0, Math.min(MOST_FEATURES, curves.size())));
      all.put("exactNotPrivate", true);
      out.println(JsonRenderer.of(all));
    } else {
      text(learner, first, files, features, form, out);
    }
    out.flush();
  }

  private void text(
      LearnerSettings learner,
      PublishedModel model,
      List<Path> files,
      List<TellingFeatures.Feature> features,
      Form form,
      PrintWriter out) {
    Map<String, Object> figures = report.figures();
    Guarantee guarantee = model.manifest().guarantee();
    line(
        out,
        "learned",
        "from %,d of %,d events of %s in %.1f s",
        figures.get("contributed"),
        figures.get("events"),
        file.getFileName(),
        figures.get("seconds"));
    slots(report.hindsight(), out);
    line(out, "verdict", "%s", verdict());
    candidates(figures, out);
    Object error = figures.get("rootMeanSquareError");
    if (error != null) {
      line(
          out,
          "error",
          "%s, the root mean square in the unit of the label, where the mean of all has %s",
          RunningTable.figure((Double) error, 4),
          RunningTable.figure((Double) figures.get("rootMeanSquareErrorOfMean"), 4));
    }
    line(
        out,
        "cost",
        "epsilon %s at delta %s for %s, all versions together (at most %s)",
        GuaranteeFigures.up(guarantee.epsilon(), 4),
        GuaranteeFigures.upShort(guarantee.delta(), 6),
        guarantee.unit().sentence(),
        GuaranteeFigures.up(
            Math.min(guarantee.epsilonLimit(), learner.plan().budget().epsilon()), 4));
    if (form.table()) {
      RunningTable.lines(curve).forEach(out::println);
    }
    features(model, features, out);
    line(out, "model", "%s", files.stream().map(Path::toString).collect(Collectors.joining(", ")));
    String sotto = ProgramName.called();
    line(out, "score", "%s predict %s --model-file %s", sotto, quoted(file), quoted(files.get(0)));
    line(
        out,
        "on Kafka",
        "%s run -c %s%s --bootstrap-server HOST:PORT   (topic %s)",
        sotto,
        quoted(config),
        flags(" --set run.label=live" + ofAStream(learner, model.weights().length) + onATopic),
        learner.eventTopic());
    line(out, "", "a history of its own: records that both learn from pay for both");
  }

  /** The losses of all candidates; no line where there are none. */
  private static void candidates(Map<String, Object> figures, PrintWriter out) {
    if (figures.containsKey("figuresOf")) {
      String losses = figures.entrySet().stream()
          .filter(
              each -> each.getKey().matches("[^.]+\\.(logLoss|loss)") && each.getValue() != null)
          .map(each -> each.getKey().split("\\.")[0] + " " + loss((Double) each.getValue()))
          .collect(Collectors.joining(", "));
      line(out, "losses", "%s; all other figures are of %s", losses, figures.get("figuresOf"));
    }
  }

  /** Those that are set anew, and behind them all others that were given. */
  private String flags(String anew) {
    return settings.stream()
        .filter(each -> !anew.contains(" --set " + each.split("=", 2)[0].trim() + "="))
        .map(each -> " --set " + ProgramName.quoted(each))
        .collect(Collectors.joining("", anew, ""));
  }

  /** Versions as long as those of a stream are, where those of the file were shorter. */
  private static String ofAStream(LearnerSettings learner, int weights) {
    long usual = VersionKeys.usualSlots(weights);
    return !learner.plan().learnsFromBlocks()
            && learner.plan().learning().versions().slots() < usual
        ? " --set " + VersionKeys.SLOTS + "=" + usual
        : "";
  }

  /** How many slots were filled with nothing, and why; no line where none was. */
  private static void slots(Hindsight hindsight, PrintWriter out) {
    Map<RecordStatus, Long> empty = hindsight.empty();
    if (empty.isEmpty()) {
      return;
    }
    long all = empty.values().stream().mapToLong(each -> each).sum();
    String reasons = empty.entrySet().stream()
        .map(each ->
            text("%,d %s (%s)", each.getValue(), each.getKey(), each.getKey().sentence()))
        .collect(Collectors.joining(", "));
    line(
        out,
        "slots",
        "%,d filled, %,d of them with nothing (%.0f %%): %s%s",
        hindsight.filled(),
        all,
        100.0 * all / hindsight.filled(),
        reasons,
        empty.containsKey(RecordStatus.NOT_ADMITTED)
            ? text("; how many of a unit are learned from: %s", PlanKeys.PARTICIPATIONS)
            : "");
  }

  /** Curves of numbers, which are what moves a score; where there are none, norms of weights. */
  private static void features(
      PublishedModel model, List<TellingFeatures.Feature> features, PrintWriter out) {
    List<ScoreCurves.Curve> curves = ScoreCurves.of(model);
    if (!curves.isEmpty()) {
      line(
          out, "features", "numbers by how far they move the score, which the model shows anybody");
      ScoreCurves.plots(curves, MOST_FEATURES).forEach(each -> out.println("  " + each));
      long unknown = curves.stream().filter(each -> each.points().isEmpty()).count();
      if (unknown > 0) {
        line(
            out,
            "ranges",
            "found for %,d of %,d numbers, under noise; the others are learned by their magnitude"
                + " alone. Where they are known, give bounds: --set %s",
            curves.size() - unknown,
            curves.size(),
            "features.numeric.NAME.min=LOW, and max");
      }
    } else if (!features.isEmpty()) {
      line(out, "features", "by the norm of their weights, which the model shows to anybody");
      features.forEach(each -> out.println("  " + text(each)));
    }
  }

  private static void line(PrintWriter out, String name, String format, Object... values) {
    out.printf(Locale.ROOT, "%-10s " + format + "%n", prepend(name, values));
  }

  private static Object[] prepend(String name, Object... values) {
    Object[] all = new Object[values.length + 1];
    all[0] = name;
    System.arraycopy(values, 0, all, 1, values.length);
    return all;
  }

  private static String text(TellingFeatures.Feature feature) {
    String weights = feature.weights().isEmpty()
        ? "categories share their weights"
        : feature.weights().stream()
            .limit(MOST_WEIGHTS)
            .map(each -> String.format(Locale.ROOT, "%+.4f", each))
            .collect(Collectors.joining(" "));
    boolean more = feature.weights().size() > MOST_WEIGHTS;
    return String.format(
        Locale.ROOT,
        "%-24s %.4f   %s",
        feature.name(),
        feature.norm(),
        weights + (more ? " ..." : ""));
  }

  /** Better than a prediction that looks at no feature, where such a one is known. */
  private Boolean isBetter() {
    Double base = figure("OfBaseRate");
    Double loss = figure("");
    return base == null || loss == null || !Double.isFinite(loss) ? null : loss < base;
  }

  private String verdict() {
    Double base = figure("OfBaseRate");
    Double constant = figure("OfBestConstant");
    Double loss = figure("");
    if (loss == null) {
      return "no event could be scored";
    }
    if (!Double.isFinite(loss)) {
      return "UNKNOWN: a label lies so far out that the loss is no number; correct it, or state"
          + " label.min and label.max";
    }
    String than = base == null
        ? constant == null ? "" : ", where the best constant has " + loss(constant)
        : ", where the base rate has " + loss(base)
            + (constant == null ? "" : ", the best constant " + loss(constant));
    Double auc = (Double) report.figures().get("auc");
    return text(
                "%s loss %s",
                isBetter() == Boolean.FALSE ? "NO BETTER THAN THE BASE RATE:" : "", loss(loss))
            .strip()
        + than
        + (auc == null ? "" : text(", AUC %.4f", auc))
        + (constant != null && constant == 0
            ? "; all labels are the same, so there is nothing to learn"
            : isBetter() == Boolean.FALSE
                ? "; more events, fewer features or a larger --epsilon may help"
                : auc != null && auc >= TOO_GOOD
                    ? "; so good that a feature may repeat the label, or be known only after it: a"
                        + " status, a time of the end"
                    : "");
  }

  private static String loss(double value) {
    return RunningTable.figure(value, 4);
  }

  private Double figure(String which) {
    Map<String, Object> figures = report.figures();
    Object log = figures.get("logLoss" + which);
    return (Double) (log == null ? figures.get("loss" + which) : log);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String quoted(Path path) {
    return ProgramName.quoted(path.toString());
  }
}

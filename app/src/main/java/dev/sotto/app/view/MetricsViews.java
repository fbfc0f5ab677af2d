package dev.sotto.app.view;

import dev.sotto.learner.round.NoisyMetrics;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Published metrics as maps for JSON, and as tables. A share that the noise leaves undefined is null there and a dash
 * here.
 */
public final class MetricsViews {
  private MetricsViews() {}

  /** One window. */
  public static Map<String, Object> json(ModelMetrics metrics) {
    NoisyMetrics noisy = metrics.noisy();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("model", metrics.modelId());
    json.put("run", JsonViews.hex(metrics.runId()));
    json.put("firstRound", noisy.firstRound());
    json.put("lastRound", noisy.lastRound());
    json.put("slots", noisy.slots());
    json.put("exact", noisy.noiseStd() == 0);
    json.put("noiseStd", noisy.noiseStd());
    json.put("count", noisy.count());
    json.put("countError", noisy.countError());
    json.put("meanLoss", JsonViews.finite(noisy.meanLoss()));
    json.put("meanLossError", JsonViews.finite(noisy.meanLossError()));
    json.put("accuracy", JsonViews.finite(noisy.accuracy()));
    json.put("accuracyError", JsonViews.finite(noisy.accuracyError()));
    json.put("reliability", bins(noisy));
    json.put("lossBound", noisy.lossBound());
    json.put("sums", noisy.sums());
    json.put("fingerprint", JsonViews.hex(metrics.fingerprint()));
    return json;
  }

  private static List<Map<String, Object>> bins(NoisyMetrics noisy) {
    List<Map<String, Object>> bins = new ArrayList<>();
    for (int bin = 0; bin < noisy.bins(); bin++) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("from", (double) bin / noisy.bins());
      json.put("to", (bin + 1.0) / noisy.bins());
      json.put("count", noisy.count(bin));
      json.put("meanLabel", JsonViews.finite(noisy.meanLabel(bin)));
      json.put("meanLabelError", JsonViews.finite(noisy.meanLabelError(bin)));
      bins.add(json);
    }
    return bins;
  }

  /** The windows of one model, oldest first and at least one, then the reliability curve of the newest. */
  public static List<String> table(List<ModelMetrics> windows) {
    NoisyMetrics newest = windows.get(windows.size() - 1).noisy();
    List<String> lines = new ArrayList<>();
    lines.add("model " + windows.get(0).modelId()
        + (newest.noiseStd() == 0
            ? ": EXACT metrics, so without any guarantee"
            : ": +- is the standard error that the noise gives"));
    lines.add(row(
        "%19s %12s %12s %8s %10s %8s %10s %8s",
        "rounds", "slots", "examples", "+-", "mean loss", "+-", "accuracy", "+-"));
    for (ModelMetrics window : windows) {
      NoisyMetrics noisy = window.noisy();
      lines.add(row(
          "%19s %12d %12s %8s %10s %8s %10s %8s",
          rounds(noisy),
          noisy.slots(),
          fixed(noisy.count(), 1),
          fixed(noisy.countError(), 1),
          fixed(noisy.meanLoss(), 4),
          fixed(noisy.meanLossError(), 4),
          fixed(noisy.accuracy(), 4),
          fixed(noisy.accuracyError(), 4)));
    }
    lines.add("reliability of rounds " + rounds(newest));
    lines.add(row("%19s %12s %8s %10s %8s", "predicted", "examples", "+-", "mean label", "+-"));
    for (int bin = 0; bin < newest.bins(); bin++) {
      lines.add(row(
          "%19s %12s %8s %10s %8s",
          fixed((double) bin / newest.bins(), 3) + "-" + fixed((bin + 1.0) / newest.bins(), 3),
          fixed(newest.count(bin), 1),
          fixed(newest.countError(), 1),
          fixed(newest.meanLabel(bin), 4),
          fixed(newest.meanLabelError(bin), 4)));
    }
    return lines;
  }

  private static String rounds(NoisyMetrics noisy) {
    return noisy.firstRound() == noisy.lastRound()
        ? Long.toString(noisy.firstRound())
        : noisy.firstRound() + "-" + noisy.lastRound();
  }

  private static String fixed(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "-";
  }

  private static String row(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

package dev.sotto.app.view;

import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Published metrics as tables. A share that the noise leaves undefined is a dash. */
public final class MetricsText {
  private MetricsText() {}

  /**
   * The windows of one model, oldest first and at least one, then the reliability curve of the
   * newest.
   */
  public static List<String> lines(List<ModelMetrics> windows) {
    NoisyMetrics newest = windows.get(windows.size() - 1).noisy();
    String title = "model " + windows.get(0).modelId()
        + (newest.noiseStd() == 0
            ? ": EXACT metrics, so without any guarantee"
            : ": +- is the standard error that the noise gives");
    Table rounds = Table.headed(
        List.of("rounds", "slots", "examples", "+-", "mean loss", "+-", "accuracy", "+-"));
    for (ModelMetrics window : windows) {
      NoisyMetrics noisy = window.noisy();
      rounds.line(
          List.of(
              rounds(noisy),
              String.format(Locale.ROOT, "%,d", noisy.slots()),
              fixed(noisy.count(), 1),
              fixed(noisy.countError(), 1),
              fixed(noisy.meanLoss(), 4),
              fixed(noisy.meanLossError(), 4),
              fixed(noisy.accuracy(), 4),
              fixed(noisy.accuracyError(), 4)),
          "");
    }
    Table curve = Table.headed(List.of("predicted", "examples", "+-", "mean label", "+-"));
    for (ReliabilityBin bin : ReliabilityBin.of(newest)) {
      curve.line(
          List.of(
              fixed(bin.from(), 3) + "-" + fixed(bin.to(), 3),
              fixed(bin.count(), 1),
              fixed(newest.countError(), 1),
              fixed(bin.meanLabel(), 4),
              fixed(bin.meanLabelError(), 4)),
          "");
    }
    LearnedShare learned =
        LearnedShare.of(windows.stream().map(ModelMetrics::noisy).toList());
    return Stream.of(
            Stream.of(title),
            TextRenderer.of(rounds).lines(),
            Stream.of(learned.text()),
            Stream.of("reliability of rounds " + rounds(newest)),
            TextRenderer.of(curve).lines())
        .flatMap(each -> each)
        .toList();
  }

  /** Whether the loss has risen, in one line. */
  public static String drift(Optional<Drift> drift) {
    return drift
        .map(each -> (each.isAlarm()
                ? "DRIFT ALARM since round " + each.since().getAsLong() + ": the loss "
                : "no drift: the loss ")
            + (each.rise() < 0 ? "fell by " : "rose by ")
            + fixed(Math.abs(each.rise()), 4) + ", and a rise of more than "
            + fixed(each.threshold(), 4)
            + " is an alarm")
        .orElse("no drift: there are not enough windows to compare yet");
  }

  private static String rounds(NoisyMetrics noisy) {
    return noisy.firstRound() == noisy.lastRound()
        ? Long.toString(noisy.firstRound())
        : noisy.firstRound() + "-" + noisy.lastRound();
  }

  private static String fixed(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "-";
  }
}

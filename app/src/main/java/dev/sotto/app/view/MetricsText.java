package dev.sotto.app.view;

import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.monitoring.MeasuredLoss;
import dev.sotto.learner.monitoring.MeasuredLoss.Figure;
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
   *
   * @param hasLogLoss whether the loss is that of a probability of two classes: then what needs no
   *     feature stands beside it
   */
  public static List<String> lines(List<ModelMetrics> windows, boolean hasLogLoss) {
    NoisyMetrics newest = windows.get(windows.size() - 1).noisy();
    String title = "model " + windows.get(0).modelId()
        + (newest.noiseStd() == 0
            ? ": EXACT metrics, so without any guarantee"
            : ": +- is the standard error that the noise gives");
    Table rounds = Table.headed(List.of(
        "rounds",
        "slots",
        "examples",
        "+-",
        "mean loss",
        "+-",
        "constant",
        "+-",
        "accuracy",
        "+-"));
    for (ModelMetrics window : windows) {
      NoisyMetrics noisy = window.noisy();
      Figure constant = constant(noisy, hasLogLoss);
      rounds.line(
          List.of(
              rounds(noisy),
              String.format(Locale.ROOT, "%,d", noisy.slots()),
              count(noisy.count()),
              fixed(noisy.countError(), 1),
              fixed(noisy.meanLoss(), 4),
              fixed(noisy.meanLossError(), 4),
              fixed(constant.value(), 4),
              fixed(constant.error(), 4),
              fixed(noisy.accuracy(), 4),
              fixed(noisy.accuracyError(), 4)),
          "");
    }
    Table curve = Table.headed(List.of("predicted", "examples", "+-", "mean label", "+-"));
    for (ReliabilityBin bin : ReliabilityBin.of(newest)) {
      curve.line(
          List.of(
              fixed(bin.from(), 3) + "-" + fixed(bin.to(), 3),
              count(bin.count()),
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
            baselines(windows.stream().map(ModelMetrics::noisy).toList(), hasLogLoss),
            Stream.of(learned.text()),
            Stream.of("reliability of rounds " + rounds(newest)),
            TextRenderer.of(curve).lines())
        .flatMap(each -> each)
        .toList();
  }

  /** The best constant prediction over a window, known in hindsight. */
  private static Figure constant(NoisyMetrics noisy, boolean hasLogLoss) {
    return hasLogLoss ? new MeasuredLoss(noisy).bestConstant() : Figure.NONE;
  }

  /** By how much the loss is below that of predictions that need no feature. */
  private static Stream<String> baselines(List<NoisyMetrics> windows, boolean hasLogLoss) {
    NoisyMetrics newest = windows.get(windows.size() - 1);
    if (!hasLogLoss || !windows.stream().allMatch(newest::isLike)) {
      return Stream.of();
    }
    NoisyMetrics all = windows.stream().reduce(NoisyMetrics::plus).orElseThrow();
    Optional<Figure> baseRate = windows.subList(0, windows.size() - 1).stream()
        .reduce(NoisyMetrics::plus)
        .map(before -> new MeasuredLoss(newest).baseRate(new MeasuredLoss(before)));
    return Stream.of(
            Optional.of(compared(all, constant(all, true), "the best constant")),
            baseRate.map(each -> compared(newest, each, "the base rate of those before")))
        .flatMap(Optional::stream);
  }

  private static String compared(NoisyMetrics window, Figure other, String name) {
    Figure loss = new MeasuredLoss(window).mean();
    double deviations = loss.deviationsBelow(other);
    String text = "rounds " + rounds(window) + ": loss " + figure(loss) + ", where " + name
        + " has " + figure(other);
    return Double.isFinite(deviations)
        ? text
            + String.format(
                Locale.ROOT,
                ": %.1f standard errors %s",
                Math.abs(deviations),
                deviations < 0 ? "WORSE" : "better")
        : text;
  }

  private static String figure(Figure figure) {
    return fixed(figure.value(), 4) + " +- " + fixed(figure.error(), 4);
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

  private static String count(double value) {
    return String.format(Locale.ROOT, "%,.1f", value);
  }

  private static String fixed(double value, int digits) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "-";
  }
}

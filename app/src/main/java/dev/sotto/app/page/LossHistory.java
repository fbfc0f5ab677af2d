package dev.sotto.app.page;

import dev.sotto.app.view.LearnedShare;
import dev.sotto.app.view.ReliabilityBin;
import dev.sotto.learner.monitoring.MeasuredLoss;
import dev.sotto.learner.training.NoisyMetrics;
import java.util.ArrayList;
import java.util.List;

/** The newest windows of a model's private metrics: how good it is, and what that is worth. */
final class LossHistory {
  /** Windows are put together until the loss is known so well, as a part of its bound. */
  private static final double LOSS_ERROR = 0.005;

  private static final int SUMS = 20_000; // are kept at most

  /**
   * A figure; what the noise leaves undefined is null.
   *
   * @param error its standard error
   */
  record Figure(Double value, Double error) {
    static Figure of(MeasuredLoss.Figure figure) {
      return new Figure(finite(figure.value()), finite(figure.error()));
    }
  }

  /**
   * What a prediction for all would have lost over the same examples.
   *
   * @param above by how many standard errors that is more than the loss of the model
   */
  record Constant(Double value, Double error, Double above) {
    static Constant of(MeasuredLoss.Figure constant, MeasuredLoss.Figure model) {
      return new Constant(
          finite(constant.value()),
          finite(constant.error()),
          finite(model.deviationsBelow(constant)));
    }
  }

  /**
   * One window of private metrics.
   *
   * @param smooth the loss over it and as many windows before as it takes for a figure of some
   *     worth
   * @param constant what the best constant prediction would have lost over these; unknown for other
   *     losses than log-loss
   */
  record Window(
      long firstRound,
      long lastRound,
      Figure loss,
      Figure accuracy,
      Figure smooth,
      Figure constant) {}

  /**
   * The loss over the newest windows together: as many as it takes for a figure of some worth.
   *
   * @param constant the best one
   * @param baseRate the share of label 1 in the windows before; unknown without such windows
   */
  record Quality(
      long firstRound,
      long lastRound,
      Figure loss,
      Figure accuracy,
      Constant constant,
      Constant baseRate) {}

  /**
   * One bin of the reliability curve, over the same windows.
   *
   * @param from the smallest probability
   * @param to the largest
   * @param count noisy number of examples
   * @param countError its standard error
   * @param meanLabel share of label 1; null where the noise leaves none
   * @param error its standard error
   */
  record Bin(
      double from, double to, double count, double countError, Double meanLabel, Double error) {}

  private final boolean hasLogLoss;
  private final List<Window> windows = new ArrayList<>();
  private final List<NoisyMetrics> figures = new ArrayList<>(); // of the windows

  /**
   * Without windows.
   *
   * @param hasLogLoss whether the loss is that of a probability of two classes
   */
  LossHistory(boolean hasLogLoss) {
    this.hasLogLoss = hasLogLoss;
  }

  void clear() {
    windows.clear();
    figures.clear();
  }

  /** Which share of the slots of these windows was learned from, in words; null without any. */
  String learned() {
    return figures.isEmpty() ? null : LearnedShare.of(figures).text();
  }

  void add(NoisyMetrics noisy) {
    if (!figures.isEmpty() && !figures.get(0).isLike(noisy)) {
      clear();
    }
    figures.add(noisy);
    MeasuredLoss alone = new MeasuredLoss(noisy);
    MeasuredLoss together = new MeasuredLoss(together(smoothed()));
    windows.add(new Window(
        noisy.firstRound(),
        noisy.lastRound(),
        Figure.of(alone.mean()),
        Figure.of(alone.accuracy()),
        Figure.of(together.mean()),
        Figure.of(constant(together))));
    if (windows.size() > Math.max(1, Math.min(ModelHistory.POINTS, SUMS / noisy.sums().length))) {
      windows.remove(0);
      figures.remove(0);
    }
  }

  /** The first of the windows that the newest figures are put together of. */
  private int smoothed() {
    int from = figures.size() - 1;
    NoisyMetrics together = figures.get(from);
    while (from > 0 && !(together.meanLossError() <= LOSS_ERROR * together.lossBound())) {
      from--;
      together = figures.get(from).plus(together);
    }
    return from;
  }

  private NoisyMetrics together(int from) {
    return figures.subList(from, figures.size()).stream()
        .reduce(NoisyMetrics::plus)
        .orElseThrow();
  }

  private MeasuredLoss.Figure constant(MeasuredLoss loss) {
    return hasLogLoss ? loss.bestConstant() : MeasuredLoss.Figure.NONE;
  }

  /** The loss and what it is worth; null without metrics. */
  Quality quality() {
    if (figures.isEmpty()) {
      return null;
    }
    int from = smoothed();
    NoisyMetrics noisy = together(from);
    MeasuredLoss together = new MeasuredLoss(noisy);
    MeasuredLoss.Figure baseRate = figures.subList(0, from).stream()
        .reduce(NoisyMetrics::plus)
        .filter(before -> hasLogLoss)
        .map(before -> together.baseRate(new MeasuredLoss(before)))
        .orElse(MeasuredLoss.Figure.NONE);
    return new Quality(
        noisy.firstRound(),
        noisy.lastRound(),
        Figure.of(together.mean()),
        Figure.of(together.accuracy()),
        Constant.of(constant(together), together.mean()),
        Constant.of(baseRate, together.mean()));
  }

  /** At which losses are cut; null without metrics. */
  Double bound() {
    return figures.isEmpty() ? null : figures.get(0).lossBound();
  }

  /** The curve; empty without metrics. */
  List<Bin> reliability() {
    if (figures.isEmpty()) {
      return List.of();
    }
    NoisyMetrics noisy = together(smoothed());
    return ReliabilityBin.of(noisy).stream()
        .map(each -> new Bin(
            each.from(),
            each.to(),
            each.count(),
            noisy.countError(),
            finite(each.meanLabel()),
            finite(each.meanLabelError())))
        .toList();
  }

  /** Oldest first. */
  List<Window> windows() {
    return List.copyOf(windows);
  }

  private static Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }
}

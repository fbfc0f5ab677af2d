package dev.sotto.evaluation.compare;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How much larger the mean loss of a run is than that of its reference, over the same examples.
 *
 * @param reference the name of the other run
 * @param loss at the end
 * @param curve the same after fewer examples
 */
public record ExcessLoss(String reference, double loss, List<Point> curve) {
  /** At one place. */
  public record Point(long examples, double loss) {}

  public ExcessLoss {
    curve = List.copyOf(curve);
  }

  /** Empty if one failed, or if they did not predict the same examples under the same loss. */
  static Optional<ExcessLoss> of(ComparisonRun run, ComparisonRun reference) {
    return run.finished()
        .flatMap(own -> reference
            .finished()
            .filter(other ->
                own.examples() == other.examples() && own.lossName().equals(other.lossName()))
            .map(other -> between(own, reference.name(), other)));
  }

  private static ExcessLoss between(
      RunOutcome.Finished own, String name, RunOutcome.Finished other) {
    Map<Long, Double> losses = new HashMap<>();
    other.curve().forEach(point -> losses.put(point.examples(), point.loss()));
    List<Point> curve = own.curve().stream()
        .map(point -> {
          Double loss = losses.get(point.examples());
          return loss == null ? null : new Point(point.examples(), point.loss() - loss);
        })
        .filter(Objects::nonNull)
        .toList();
    return new ExcessLoss(name, own.loss() - other.loss(), curve);
  }
}

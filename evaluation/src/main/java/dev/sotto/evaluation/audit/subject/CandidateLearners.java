package dev.sotto.evaluation.audit.subject;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Several candidates that learn from the same slots, seen as the one release that costs as much as
 * all of them together: the mean of what they release about a canary. Its noise has to be smaller
 * by the root of their number, which it is only where the noise of each is its own; and this mean
 * is the best that an observer of all of them can do.
 *
 * @param each one of them
 * @param number how many, at least 2
 */
public record CandidateLearners(AuditSubject each, int number) implements AuditSubject {
  /**
   * What all candidates together claim, of a model that learns alone: that of one, with noise
   * smaller by the factor of their number; of one that is alone, its own.
   */
  public static Plan claimed(Plan candidate) {
    double factor = candidate.candidates().factor();
    PrivateMetrics metrics = candidate.metrics();
    return candidate.toBuilder()
        .candidates(Candidates.ALONE)
        .sigma(candidate.sigma() / factor)
        .metrics(metrics == null ? null : scaled(metrics, 1 / factor))
        .ranges(scaled(candidate.ranges(), 1 / factor))
        .build();
  }

  private static RangeSettings scaled(RangeSettings ranges, double factor) {
    return ranges
        .window()
        .map(each -> ranges.in(
            new RangeWindow(each.numbers(), each.rounds(), each.sigma() * factor, each.share())))
        .orElse(ranges);
  }

  private static PrivateMetrics scaled(PrivateMetrics metrics, double factor) {
    return new PrivateMetrics(
        metrics.sigma() * factor, metrics.lossBound(), metrics.bins(), metrics.window());
  }

  private static double[] sum(double[] one, double[] other) {
    double[] sum = one.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }

  @Override
  public String name() {
    return number + " candidates beside each other, each " + each.name();
  }

  @Override
  public Run start(Plan plan, Identity identity, Window window) {
    double factor = Candidates.of(number).factor();
    Plan one = plan.toBuilder()
        .candidates(Candidates.of(number))
        .sigma(plan.sigma() * factor)
        .metrics(plan.metrics() == null ? null : scaled(plan.metrics(), factor))
        .ranges(scaled(plan.ranges(), factor))
        .build();
    return new Together(IntStream.range(0, number)
        .mapToObj(i ->
            each.start(one, new Identity(identity.secret(), identity.model() + "." + i), window))
        .toList());
  }

  private record Together(List<Run> runs) implements Run {
    /** The same for all of them. */
    @Override
    public long nextSlot() {
      return runs.get(0).nextSlot();
    }

    @Override
    public void fill(Slot slot) {
      runs.forEach(each -> each.fill(slot));
    }

    @Override
    public void close(double[] into) {
      double[] one = new double[into.length];
      Arrays.fill(into, 0);
      for (Run each : runs) {
        each.close(one);
        for (int i = 0; i < into.length; i++) {
          into[i] += one[i] / runs.size();
        }
      }
    }

    /** Their mean: what all of them tell of one count. */
    @Override
    public Optional<double[]> counts() {
      return runs.stream()
          .map(each -> each.counts().orElseThrow())
          .reduce(CandidateLearners::sum)
          .map(sum -> Arrays.stream(sum).map(each -> each / runs.size()).toArray());
    }

    @Override
    public void mark() {
      runs.forEach(Run::mark);
    }

    @Override
    public void reset() {
      runs.forEach(Run::reset);
    }
  }
}

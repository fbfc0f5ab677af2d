package dev.sotto.app.view;

import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.replay.ProgressiveScores.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * How a loss develops, a line each time that the number of examples has doubled: its mean since the
 * line before, its mean so far, and that of the base rate of the labels. Exact figures, not private
 * ones.
 */
public final class RunningTable {
  /** Examples between two points that it is to be shown. */
  public static final long EVERY = 512;

  private static final String LINE = "%12s %12s %12s %12s %12s";

  private final Consumer<String> lines;
  private final List<Row> rows = new ArrayList<>();
  private long next = EVERY;

  /**
   * A line of it.
   *
   * @param examples that were scored so far
   * @param lossSinceLast mean loss of those behind the line before
   * @param loss mean loss of all of them
   * @param baseRateLoss that of the base rate of the labels; NaN where there is none
   * @param epsilon that was spent by then
   */
  public record Row(
      long examples, double lossSinceLast, double loss, double baseRateLoss, double epsilon) {}

  /** A table whose lines go somewhere as they come about. */
  public RunningTable(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Shows it the figures so far: every so often, and at the end. */
  public void at(Point point) {
    if (point.examples() >= next) {
      add(point);
      while (next <= point.examples()) {
        next *= 2;
      }
    }
  }

  /** Ends it with the figures of all examples, unless that is the last line. */
  public void end(Point point) {
    if (point.examples() > (rows.isEmpty() ? 0 : last().examples())) {
      add(point);
    }
  }

  private Row last() {
    return rows.get(rows.size() - 1);
  }

  private void add(Point point) {
    double since = point.loss();
    if (rows.isEmpty()) {
      lines.accept(heading());
    } else {
      double sum = point.loss() * point.examples() - last().loss() * last().examples();
      since = sum / (point.examples() - last().examples());
    }
    Row row = new Row(point.examples(), since, point.loss(), point.baseRateLoss(), point.epsilon());
    rows.add(row);
    lines.accept(text(row));
  }

  private static String heading() {
    return String.format(
        Locale.ROOT, LINE, "scored", "since last", "loss so far", "base rate", "epsilon");
  }

  private static String text(Row row) {
    return String.format(
        Locale.ROOT,
        LINE,
        String.format(Locale.ROOT, "%,d", row.examples()),
        loss(row.lossSinceLast()),
        loss(row.loss()),
        loss(row.baseRateLoss()),
        GuaranteeFigures.up(row.epsilon(), 4));
  }

  private static String loss(double value) {
    return Double.isNaN(value) ? "-" : figure(value, 5);
  }

  /** A loss of whatever size: with some decimals, or fewer digits where it is large. */
  public static String figure(double value, int decimals) {
    String format = value < 1_000 ? "%." + decimals + "f" : value < 1_000_000 ? "%,.1f" : "%.5g";
    return String.format(Locale.ROOT, format, value);
  }

  /** A table as lines, with their heading; none where it is empty. */
  public static List<String> lines(List<Row> rows) {
    return rows.isEmpty()
        ? List.of()
        : Stream.concat(Stream.of(heading()), rows.stream().map(RunningTable::text))
            .toList();
  }

  /** The lines so far. */
  public List<Row> rows() {
    return rows;
  }
}

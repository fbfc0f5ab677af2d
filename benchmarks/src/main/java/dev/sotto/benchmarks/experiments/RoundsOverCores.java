package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * From how many cores on layout rounds is faster than layout ordered: a simulation, with costs that
 * were measured on two cores (docs/experiments/scaling.md, "Rounds or ordered"). Layout ordered has
 * one trainer, and gains nothing from a third core. In layout rounds each core has a worker, and a
 * round waits for the slowest one and for two commits.
 */
final class RoundsOverCores implements Experiment {
  private static final int[] CORES = {1, 2, 4, 8, 16, 32, 64};
  private static final long[] BATCHES = {4096, 16_384, 65_536};
  private static final int ROUNDS = 4000;
  private static final long SEED = 1;

  /** Milliseconds from the end of a worker's slice to the next point, beside what is summed. */
  private static final double TRIP = 7;

  /** A worker's time for its slice varies by this share (standard deviation). */
  private static final double JITTER = 0.1;

  /** A pause of the collector or the broker: how often in a round of a worker, and how long. */
  private static final double PAUSES = 0.01;

  private static final double LEAST_PAUSE = 10; // milliseconds
  private static final double MOST_PAUSE = 30;

  /** Milliseconds to open and add one weight of a part. */
  private static final double MERGE = 5e-6;

  /**
   * What a record costs, in microseconds.
   *
   * @param ordered in layout ordered with two threads, all of it
   * @param rounds of a worker in layout rounds, without the round trip
   */
  private record Costs(String label, int weights, double ordered, double rounds) {}

  private static final List<Costs> MEASURED = List.of(
      new Costs("dense64", 64, 1.30, 1.18),
      new Costs("dense1024", 1024, 18.5, 16.9),
      new Costs("softmax10x784", 7840, 27.7, 29.0));

  /** A line of the table. */
  private record Line(Costs costs, long batch, double[] over, double needed, int overtakes) {}

  @Override
  public String name() {
    return "rounds-over-cores";
  }

  @Override
  public String question() {
    return "From how many cores on is layout rounds faster than layout ordered?";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  @Override
  public Outcome run(Trials trials) {
    List<Line> lines = new ArrayList<>();
    Map<String, Chart> charts = new LinkedHashMap<>();
    Chart chart = new Chart(
            "Layout rounds over layout ordered", "cores", true, "times the events a second", true)
        .ofMany();
    for (Costs costs : MEASURED) {
      for (long batch : BATCHES) {
        Line line = line(costs, batch, trials.choose(ROUNDS, ROUNDS / 10));
        lines.add(line);
        double[] across = new double[CORES.length];
        for (int i = 0; i < across.length; i++) {
          across[i] = CORES[i];
        }
        chart.line(costs.label() + ", " + batch, across, line.over(), line.over(), line.over());
      }
    }
    charts.put("lines", chart);
    return new Outcome(table(lines), table(lines), charts);
  }

  private static Line line(Costs costs, long batch, int rounds) {
    double[] over = new double[CORES.length];
    int overtakes = 0;
    for (int i = 0; i < CORES.length; i++) {
      double millis = round(costs, batch, CORES[i], rounds);
      over[i] = costs.ordered() * batch / 1e3 / millis;
      overtakes = overtakes == 0 && over[i] > 1 ? CORES[i] : overtakes;
    }
    return new Line(costs, batch, over, needed(costs, batch), overtakes);
  }

  /**
   * On paper, where nothing varies: rounds of B slots take B r / C + T on C cores, and ordered B o.
   * So rounds are faster from C = r / (o - T / B) on; never where T is above B o. Infinite then.
   */
  private static double needed(Costs costs, long batch) {
    double left = costs.ordered() - 1e3 * TRIP / batch;
    return left > 0 ? costs.rounds() / left : Double.POSITIVE_INFINITY;
  }

  /** Milliseconds of a round, the mean of many. */
  private static double round(Costs costs, long batch, int cores, int rounds) {
    SplittableRandom random = new SplittableRandom(SEED);
    double all = 0;
    for (int i = 0; i < rounds; i++) {
      double slowest = 0;
      for (int worker = 0; worker < cores; worker++) {
        double slice = batch * costs.rounds() / 1e3 / cores;
        slowest = Math.max(slowest, slice * (1 + JITTER * random.nextGaussian()) + pause(random));
      }
      all += slowest + TRIP + pause(random) + MERGE * costs.weights() * cores;
    }
    return all / rounds;
  }

  private static double pause(SplittableRandom random) {
    return random.nextDouble() < PAUSES ? random.nextDouble(LEAST_PAUSE, MOST_PAUSE) : 0;
  }

  private static ResultTable table(List<Line> lines) {
    Columns<Line> columns = new Columns<Line>()
        .add("case", line -> line.costs().label())
        .add("slots of a round", Line::batch)
        .add("ordered, us", line -> line.costs().ordered())
        .add("rounds, us", line -> line.costs().rounds())
        .add("cores needed, on paper", Line::needed)
        .add("simulated", line -> line.overtakes() == 0 ? "none" : line.overtakes());
    for (int i = 0; i < CORES.length; i++) {
      int at = i;
      columns.add("on " + CORES[i], line -> line.over()[at]);
    }
    return columns.of(lines);
  }
}

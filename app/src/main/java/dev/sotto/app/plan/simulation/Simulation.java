package dev.sotto.app.plan.simulation;

import dev.sotto.app.plan.Scenario;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Learns made-up data under a grid of settings, each at the price of one plan, with the learner that runs in
 * production. Costs no privacy: there is nobody in the data. Equal seeds give equal findings, on any number of threads.
 */
public final class Simulation {
  /** More weights than these are not simulated. */
  public static final int MOST_WEIGHTS = 256;

  private static final int REPETITIONS = 4;
  private static final int FRESH_REPETITIONS = 8;
  private static final long MOST_ROUNDS = 1000;
  private static final int MADE_UP = 8192;

  private final Scenario scenario;
  private final long seed;
  private final int dimension;
  private final long records;
  private final double thinning;
  private final List<Trial> trials;

  /**
   * A simulation.
   *
   * @throws IllegalArgumentException where the plan's loss, algorithm or size is beyond it
   */
  public Simulation(Scenario scenario, long seed) {
    Plan plan = scenario.plan();
    this.scenario = scenario;
    this.seed = seed;
    this.dimension = Math.min(MOST_WEIGHTS, plan.dimension());
    this.records = Math.min(scenario.horizon(), MOST_ROUNDS) * plan.batch();
    this.thinning = Math.max(1, (double) records / MADE_UP);
    LabelLaw.of(plan.loss());
    this.trials = Grid.around(plan.batch(), plan.clip(), records).stream()
        .map(setting -> new Trial(scenario, setting, dimension, records, thinning))
        .toList();
  }

  /** How many runs it takes. */
  public int runs() {
    return trials.size() * REPETITIONS + 2 * FRESH_REPETITIONS;
  }

  /**
   * Runs all of it.
   *
   * @param done is told how many runs have ended, by several threads
   */
  public Findings run(int threads, LongConsumer done) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    AtomicLong ended = new AtomicLong();
    try {
      Sample grid =
          sample(pool, trials, 0, REPETITIONS, () -> done.accept(ended.incrementAndGet()));
      List<Trial> two = List.of(trial(grid.best().setting()), trial(Setting.of(scenario.plan())));
      Sample fresh = sample(
          pool, two, REPETITIONS, FRESH_REPETITIONS, () -> done.accept(ended.incrementAndGet()));
      return new Findings(scenario, seed, dimension, records, thinning, grid, fresh);
    } finally {
      pool.shutdownNow();
    }
  }

  private Trial trial(Setting setting) {
    return trials.stream()
        .filter(each -> each.setting().equals(setting))
        .findFirst()
        .orElseThrow();
  }

  private Sample sample(
      ExecutorService pool, List<Trial> tried, int first, int repetitions, Runnable done)
      throws InterruptedException {
    List<SyntheticStream> streams = all(pool, streams(tried, first, repetitions));
    List<Callable<Double>> runs = new ArrayList<>();
    for (Trial trial : tried) {
      for (int i = 0; i < repetitions; i++) {
        SyntheticStream stream = streams.get(i);
        NoiseKey key = key(first + i);
        runs.add(() -> {
          double loss = trial.loss(stream, key);
          done.run();
          return loss;
        });
      }
    }
    List<Double> losses = all(pool, runs);
    List<Finding> found = new ArrayList<>();
    for (int i = 0; i < tried.size(); i++) {
      found.add(tried.get(i).finding(losses.subList(i * repetitions, (i + 1) * repetitions)));
    }
    Loss loss = scenario.plan().loss();
    double[] start = scenario.plan().optimizer().start(dimension).weights();
    return new Sample(
        streams.stream().map(each -> each.loss(loss, start)).toList(),
        streams.stream().map(each -> each.loss(loss, each.truth())).toList(),
        found);
  }

  private List<Callable<SyntheticStream>> streams(List<Trial> tried, int first, int repetitions) {
    int most =
        tried.stream().mapToInt(trial -> Math.toIntExact(trial.needs())).max().orElse(0);
    List<Callable<SyntheticStream>> streams = new ArrayList<>();
    for (int i = 0; i < repetitions; i++) {
      long own = seed * (REPETITIONS + FRESH_REPETITIONS) + first + i;
      streams.add(() -> new SyntheticStream(own, dimension, scenario.plan().loss(), most));
    }
    return streams;
  }

  /** No secret: there is nothing to hide. */
  private NoiseKey key(int repetition) {
    return NoiseKey.of(ByteBuffer.allocate(32).putLong(seed).putInt(repetition).array());
  }

  private static <T> List<T> all(ExecutorService pool, List<Callable<T>> tasks)
      throws InterruptedException {
    List<T> results = new ArrayList<>();
    for (Future<T> each : pool.invokeAll(tasks)) {
      try {
        results.add(each.get());
      } catch (ExecutionException failed) {
        throw new IllegalStateException("a simulated run failed", failed.getCause());
      }
    }
    return results;
  }
}

package dev.sotto.evaluation.plan.simulation;

import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.training.Plan;
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
 * Learns synthetic data under a grid of settings, each at the cost of one plan, with the learner
 * that runs in production. It costs no privacy, since the data are nobody's. Equal seeds give equal
 * results, on any number of threads.
 */
public final class Simulation {
  /** The largest number of weights that is simulated. */
  public static final int MOST_WEIGHTS = 256;

  private static final int REPETITIONS = 4;
  private static final int FRESH_REPETITIONS = 8;
  private static final long MOST_ROUNDS = 1000;
  private static final int SYNTHETIC_RECORDS = 8192;

  private final PlanScenario scenario;
  private final long seed;
  private final StreamSize size;
  private final List<SimulationTrial> trials;

  /**
   * A simulation.
   *
   * @throws IllegalArgumentException where the plan's loss, algorithm or size cannot be simulated
   */
  public Simulation(PlanScenario scenario, long seed) {
    Plan plan = scenario.plan();
    this.scenario = scenario;
    this.seed = seed;
    long records = Math.min(scenario.horizon(), MOST_ROUNDS) * plan.batch();
    this.size = new StreamSize(
        Math.min(MOST_WEIGHTS, plan.dimension()),
        records,
        Math.max(1, (double) records / SYNTHETIC_RECORDS));
    LabelModel.of(plan.loss());
    this.trials = SettingGrid.around(plan.batch(), plan.clip(), records).stream()
        .map(setting -> new SimulationTrial(scenario, setting, size))
        .toList();
  }

  /** The number of runs. */
  public int runs() {
    return trials.size() * REPETITIONS + 2 * FRESH_REPETITIONS;
  }

  /**
   * Runs all settings, then the best and the configured one on fresh repetitions.
   *
   * @param done receives the number of ended runs, from several threads
   */
  public SimulationResult run(int threads, LongConsumer done) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    AtomicLong ended = new AtomicLong();
    try {
      LossSample grid =
          sample(pool, trials, 0, REPETITIONS, () -> done.accept(ended.incrementAndGet()));
      List<SimulationTrial> two =
          List.of(trial(grid.best().setting()), trial(SimulatedSetting.of(scenario.plan())));
      LossSample fresh = sample(
          pool, two, REPETITIONS, FRESH_REPETITIONS, () -> done.accept(ended.incrementAndGet()));
      return new SimulationResult(scenario, seed, size, grid, fresh);
    } finally {
      pool.shutdownNow();
    }
  }

  private SimulationTrial trial(SimulatedSetting setting) {
    return trials.stream()
        .filter(each -> each.setting().equals(setting))
        .findFirst()
        .orElseThrow();
  }

  private LossSample sample(
      ExecutorService pool, List<SimulationTrial> tried, int first, int repetitions, Runnable done)
      throws InterruptedException {
    List<SyntheticStream> streams = all(pool, streams(tried, first, repetitions));
    List<Callable<Double>> runs = new ArrayList<>();
    for (SimulationTrial trial : tried) {
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
    List<SettingResult> found = new ArrayList<>();
    for (int i = 0; i < tried.size(); i++) {
      found.add(tried.get(i).result(losses.subList(i * repetitions, (i + 1) * repetitions)));
    }
    Loss loss = scenario.plan().loss();
    double[] start = scenario.plan().optimizer().start(size.dimension()).weights();
    return new LossSample(
        streams.stream().map(each -> each.loss(loss, start)).toList(),
        streams.stream().map(each -> each.loss(loss, each.truth())).toList(),
        found);
  }

  private List<Callable<SyntheticStream>> streams(
      List<SimulationTrial> tried, int first, int repetitions) {
    int most =
        tried.stream().mapToInt(trial -> Math.toIntExact(trial.needs())).max().orElse(0);
    List<Callable<SyntheticStream>> streams = new ArrayList<>();
    for (int i = 0; i < repetitions; i++) {
      long own = seed * (REPETITIONS + FRESH_REPETITIONS) + first + i;
      streams.add(
          () -> new SyntheticStream(own, size.dimension(), scenario.plan().loss(), most));
    }
    return streams;
  }

  /** A public key: the data are synthetic. */
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

package dev.sotto.evaluation.compare;

import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.replay.recording.Recording;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Runs configurations and their references over one recording, several at a time. */
public final class ComparisonRunner {
  private final Recording recording;
  private final Map<String, String> facts;
  private final long seed;
  private final long limit;
  private final boolean throwaway;

  /**
   * A comparison, not yet run.
   *
   * @param facts about the recording, by name and value
   * @param seed of the order of partitions, and of a throwaway key
   * @param limit the most records to read; 0 for all
   * @param throwaway whether all runs use a key that follows from the seed
   */
  public ComparisonRunner(
      Recording recording, Map<String, String> facts, long seed, long limit, boolean throwaway) {
    this.recording = recording;
    this.facts = new LinkedHashMap<>(facts);
    this.seed = seed;
    this.limit = limit;
    this.throwaway = throwaway;
  }

  /** Receives the progress, from several threads. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * Called after each step.
     *
     * @param records read by all runs together
     * @param done the number of ended runs
     * @param runs the number of all runs
     */
    void at(long records, long done, int runs);
  }

  /**
   * Runs all configurations and references.
   *
   * @param threads the number of runs at a time
   */
  public Comparison run(List<ComparedConfig> configs, int threads, Watcher watcher)
      throws InterruptedException {
    RunList list = new RunList(
        configs,
        throwaway ? Optional.of(SeededNoiseKey.of(seed)) : Optional.empty(),
        throwaway ? "a throwaway key, of seed " + seed : "its own key");
    Map<String, ComparisonRun> runs = new HashMap<>();
    list.faults().forEach(each -> runs.put(each.name(), each));
    all(list.jobs(), threads, watcher).forEach(each -> runs.put(each.name(), each));
    return new Comparison(
        facts,
        seed,
        limit,
        list.configurations(),
        list.order().stream().map(runs::get).toList());
  }

  private List<ComparisonRun> all(List<ComparisonJob> jobs, int threads, Watcher watcher)
      throws InterruptedException {
    AtomicLong records = new AtomicLong();
    AtomicLong done = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<ComparisonRun>> started = new ArrayList<>();
      for (ComparisonJob job : jobs) {
        started.add(pool.submit(() -> {
          AtomicLong own = new AtomicLong();
          ComparisonRun run = job.run(recording, seed, limit, events -> {
            long all = records.addAndGet(events - own.getAndSet(events));
            watcher.at(all, done.get(), jobs.size());
          });
          watcher.at(records.get(), done.incrementAndGet(), jobs.size());
          return run;
        }));
      }
      List<ComparisonRun> runs = new ArrayList<>();
      for (Future<ComparisonRun> each : started) {
        runs.add(each.get());
      }
      return runs;
    } catch (ExecutionException error) { // an error of the machine: jobs catch everything else
      throw new IllegalStateException("a run ended with " + error.getCause(), error.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}

package dev.sotto.app.compare;

import dev.sotto.app.config.ThrowawayKey;
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

/** Runs candidates and their references over one recording, several at a time. */
public final class Comparing {
  private final Recording recording;
  private final Map<String, String> facts;
  private final long seed;
  private final long limit;
  private final boolean throwaway;

  /**
   * A comparison that is yet to be run.
   *
   * @param facts of the recording, by name and value, for people
   * @param seed of the order of partitions, and of a throwaway key
   * @param limit the most records to read; 0 for all
   * @param throwaway whether a key that follows from the seed takes the place of every candidate's
   */
  public Comparing(
      Recording recording, Map<String, String> facts, long seed, long limit, boolean throwaway) {
    this.recording = recording;
    this.facts = new LinkedHashMap<>(facts);
    this.seed = seed;
    this.limit = limit;
    this.throwaway = throwaway;
  }

  /** Told how far all runs are; called by several threads. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * Some more has been done.
     *
     * @param records read by all runs together
     * @param done runs that have ended
     * @param runs that there are
     */
    void at(long records, long done, int runs);
  }

  /**
   * Runs all of them.
   *
   * @param threads how many at a time
   */
  public Comparison run(List<Candidate> candidates, int threads, Watcher watcher)
      throws InterruptedException {
    Roster roster = new Roster(
        candidates,
        throwaway ? Optional.of(ThrowawayKey.of(seed)) : Optional.empty(),
        throwaway ? "a throwaway key, of seed " + seed : "its own key");
    Map<String, Run> runs = new HashMap<>();
    roster.faults().forEach(each -> runs.put(each.name(), each));
    all(roster.jobs(), threads, watcher).forEach(each -> runs.put(each.name(), each));
    return new Comparison(
        facts,
        seed,
        limit,
        roster.configurations(),
        roster.order().stream().map(runs::get).toList());
  }

  private List<Run> all(List<Job> jobs, int threads, Watcher watcher) throws InterruptedException {
    AtomicLong records = new AtomicLong();
    AtomicLong done = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Run>> started = new ArrayList<>();
      for (Job job : jobs) {
        started.add(pool.submit(() -> {
          AtomicLong own = new AtomicLong();
          Run run = job.run(recording, seed, limit, events -> {
            long all = records.addAndGet(events - own.getAndSet(events));
            watcher.at(all, done.get(), jobs.size());
          });
          watcher.at(records.get(), done.incrementAndGet(), jobs.size());
          return run;
        }));
      }
      List<Run> runs = new ArrayList<>();
      for (Future<Run> each : started) {
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

package dev.sotto.app.quality;

import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.monitoring.DriftMonitor;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drift alarms of all models of an application, out of their published metrics. A new run of a
 * model begins anew; a window that was seen before is passed over. Safe for use by several threads.
 */
public final class DriftTracker implements MetricsFollower.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(DriftTracker.class);

  private record Run(byte[] id, DriftMonitor monitor) {}

  private final int most;
  private final Map<String, Run> runs = new HashMap<>();
  private final Map<String, Long> rounds = new HashMap<>();
  private final Set<String> reported = new HashSet<>();

  /**
   * Alarms of a number of models.
   *
   * @param most of any more there are none: the first that come
   */
  public DriftTracker(int most) {
    this.most = most;
  }

  @Override
  public void window(ModelMetrics window) {
    next(window);
  }

  /** Tells of alarms that begin and end, but not of those that have ended long ago. */
  @Override
  public synchronized void caughtUp() {
    drifts().forEach((model, drift) -> {
      if (drift.isAlarm() && reported.add(model)) {
        LOG.warn(
            "drift: the loss of model {} has risen since round {}, by {} as of round {}; more than"
                + " {} is an alarm (docs/metrics.md)",
            model,
            drift.since().getAsLong(),
            drift.rise(),
            drift.round(),
            drift.threshold());
      } else if (!drift.isAlarm() && reported.remove(model)) {
        LOG.info("drift: the alarm of model {} has ended with round {}", model, drift.round());
      }
    });
  }

  /** Takes the next window, and says how it is then; empty where there is nothing to compare. */
  public synchronized Optional<Drift> next(ModelMetrics window) {
    String model = window.modelId();
    NoisyMetrics noisy = window.noisy();
    Run run = runs.get(model);
    if (run == null && runs.size() >= most) {
      return Optional.empty();
    }
    if (run == null || !Arrays.equals(run.id(), window.runId())) {
      run = new Run(window.runId(), new DriftMonitor());
      runs.put(model, run);
      rounds.remove(model);
    }
    if (rounds.getOrDefault(model, 0L) < noisy.lastRound()) {
      rounds.put(model, noisy.lastRound());
      run.monitor().accept(noisy);
    }
    return run.monitor().drift();
  }

  /** How it is with each model as of its newest window; without those that cannot be compared. */
  public synchronized SortedMap<String, Drift> drifts() {
    SortedMap<String, Drift> all = new TreeMap<>();
    runs.forEach((model, run) -> run.monitor().drift().ifPresent(drift -> all.put(model, drift)));
    return all;
  }
}

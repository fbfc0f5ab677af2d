package dev.sotto.app.quality;

import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.status.LearnerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a running learner does with its own published metrics: the drift alarm always, the gate
 * where it is configured. Nothing of it reaches what learns.
 */
public final class QualityWatch implements AutoCloseable {
  private final DriftTracker drifts;
  private MetricsFollower follower;
  private Gate gate;
  private CandidateGate candidateGate;

  /**
   * A watch before there is anything to follow.
   *
   * @param models with alarms of their own, at most
   */
  public QualityWatch(int models) {
    this.drifts = new DriftTracker(models);
  }

  /** Begins, where there are metrics: once the learner's topics are there. */
  public synchronized void start(SottoConfig config, LearnerService learner) {
    if (config.learner().plan().metrics() == null) {
      return;
    }
    Map<String, String> clients = config.service().clients();
    String app = config.learner().app();
    List<MetricsFollower.Listener> listeners = new ArrayList<>(List.of(drifts));
    Optional<String> alias = config.effective().find(GateSettings.ALIAS);
    CandidateModels candidates = config.learner().run().candidates();
    if (alias.isPresent() && candidates.number() > 1) {
      candidateGate = new CandidateGate(
          clients,
          app,
          alias.get(),
          new CandidateGate.Models(config.learner().modelIds().name(), candidates),
          model -> isLearned(learner.status(), model));
      listeners.add(candidateGate);
    } else if (alias.isPresent()) {
      gate = new Gate(clients, app, alias.get(), model -> isLearned(learner.status(), model));
      listeners.add(gate);
    }
    follower = MetricsFollower.start(clients, app, listeners);
  }

  private static boolean isLearned(LearnerStatus status, String model) {
    return status.hidesModels()
        || status.models().stream().anyMatch(each -> each.modelId().equals(model));
  }

  /** How it is with each model as of its newest window; empty without metrics. */
  public SortedMap<String, Drift> drifts() {
    return drifts.drifts();
  }

  @Override
  public synchronized void close() {
    if (follower != null) {
      follower.close();
    }
    if (gate != null) {
      gate.close();
    }
    if (candidateGate != null) {
      candidateGate.close();
    }
  }
}

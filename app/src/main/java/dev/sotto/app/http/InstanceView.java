package dev.sotto.app.http;

import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.registry.RegistryWait;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.RestoreStatus;
import dev.sotto.topology.status.ThreadStatus;
import dev.sotto.topology.status.TransactionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Everything that health and metrics are made of, at one time. Nothing else of a learner is used
 * there, and none of it depends on the content of records, but for the ids of their schemas.
 *
 * @param restores stores that are being restored
 * @param awaited partitions whose part of the oldest open round is missing
 */
record InstanceView(
    Lifecycle lifecycle,
    Threads streams,
    List<RestoreStatus> restores,
    Progress progress,
    List<AwaitedPartition> awaited) {

  /**
   * Where the learner is in its life.
   *
   * @param failure why it stopped by itself
   * @param started whether its tasks ever ran, or a restore made progress
   * @param waiting the schema registry that it waits for
   */
  record Lifecycle(
      LifecyclePhase phase,
      Optional<String> failure,
      boolean started,
      Optional<RegistryWait.Waiting> waiting) {
    /** One that waits for no registry. */
    Lifecycle(LifecyclePhase phase, Optional<String> failure, boolean started) {
      this(phase, failure, started, Optional.empty());
    }
  }

  /**
   * Its stream threads.
   *
   * @param wanted the number that it was set up with
   */
  record Threads(int wanted, List<ThreadStatus> running, List<TransactionStatus> transactions) {}

  /**
   * What this instance has committed.
   *
   * @param hidesModels whether there are more models than are listed
   * @param rounds number of rounds
   * @param newestRoundAge since the last round of any model, or since the last task began; empty
   *     without tasks
   */
  record Progress(
      List<ModelStatus> models,
      boolean hidesModels,
      long rounds,
      Optional<Duration> newestRoundAge) {}

  /** Before there is a learner to look at. */
  static InstanceView starting() {
    return new InstanceView(
        new Lifecycle(LifecyclePhase.STARTING, Optional.empty(), false),
        new Threads(0, List.of(), List.of()),
        List.of(),
        new Progress(List.of(), false, 0, Optional.empty()),
        List.of());
  }

  static InstanceView of(LearnerService learner) {
    LearnerStatus status = learner.status();
    return new InstanceView(
        new Lifecycle(
            learner.phase(),
            Optional.ofNullable(learner.failure()).map(SottoException::getMessage),
            learner.hasStarted(),
            status.waiting()),
        new Threads(learner.threadsWanted(), learner.threads(), status.transactions()),
        learner.restores().running(),
        new Progress(
            status.models(),
            status.hidesModels(),
            status.roundsCommitted(),
            status.newestRoundAge()),
        status.awaited());
  }

  LifecyclePhase phase() {
    return lifecycle.phase();
  }

  /** The registry that keeps a learner from going on that would go on otherwise. */
  Optional<RegistryWait.Waiting> waiting() {
    return switch (phase()) {
      case STARTING, RESTORING, RUNNING -> lifecycle.waiting();
      case STOPPING, STOPPED, FAILED -> Optional.empty();
    };
  }

  List<ThreadStatus> threads() {
    return streams.running();
  }

  List<ModelStatus> models() {
    return progress.models();
  }
}

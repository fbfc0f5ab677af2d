package dev.sotto.app.http;

import dev.sotto.topology.LearnerService;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.Phase;
import dev.sotto.topology.status.RestoreStatus;
import dev.sotto.topology.status.ThreadStatus;
import dev.sotto.topology.status.TransactionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All that health and metrics are made of, at one time: nothing else of a learner comes here. None of it depends on what
 * records hold.
 *
 * @param failure why it stopped by itself
 * @param started whether its tasks ever ran, or a restore got on
 * @param threadsWanted stream threads that it was set up with
 * @param hidesModels whether there are more models than are told one by one
 * @param rounds that this instance has committed
 * @param newestRoundAge since any model's last round, or the last task's begin; empty without tasks
 */
record View(
    Phase phase,
    Optional<String> failure,
    boolean started,
    int threadsWanted,
    List<ThreadStatus> threads,
    List<TransactionStatus> transactions,
    List<RestoreStatus> restores,
    List<ModelStatus> models,
    boolean hidesModels,
    long rounds,
    Optional<Duration> newestRoundAge,
    List<AwaitedPartition> awaited) {

  /** Before there is a learner to look at. */
  static View starting() {
    return new View(
        Phase.STARTING,
        Optional.empty(),
        false,
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        false,
        0,
        Optional.empty(),
        List.of());
  }

  static View of(LearnerService learner) {
    LearnerStatus status = learner.status();
    return new View(
        learner.phase(),
        Optional.ofNullable(learner.failure()).map(StartFailure::getMessage),
        learner.hasStarted(),
        learner.threadsWanted(),
        learner.threads(),
        status.transactions(),
        learner.restores().running(),
        status.models(),
        status.hidesModels(),
        status.roundsCommitted(),
        status.newestRoundAge(),
        status.awaited());
  }
}

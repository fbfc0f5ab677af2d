package dev.sotto.app.http;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Plan;
import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.Phase;
import dev.sotto.topology.status.RestoreStatus;
import dev.sotto.topology.status.ThreadStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Views of learners that are not there, and a plan whose budget lasts for three rounds. */
final class Views {
  private Views() {}

  static Plan plan() {
    return new Plan(
        "views",
        2,
        "logistic",
        Losses.LOGISTIC.make(),
        "private-ftrl",
        "decreasing 1",
        new PrivateFtrl(
            Potentials.L2.make(Potentials.Shape.ofRadius(Double.POSITIVE_INFINITY)),
            new StepSize.Decreasing(1)),
        Mechanisms.BINARY_TREE.make(),
        1,
        4,
        4,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(1.6, 1e-6)); // mu 0.25 sqrt 2 of rounds 2 and 3 costs 1.54
  }

  static View of(Phase phase, boolean started) {
    return new View(
        phase,
        Optional.empty(),
        started,
        1,
        List.of(new ThreadStatus("a-StreamThread-1", "RUNNING", 2, 1)),
        List.of(),
        List.of(),
        List.of(),
        false,
        0,
        Optional.empty(),
        List.of());
  }

  static View failed(View view, String why) {
    return new View(
        Phase.FAILED,
        Optional.of(why),
        view.started(),
        view.threadsWanted(),
        view.threads(),
        view.transactions(),
        view.restores(),
        view.models(),
        view.hidesModels(),
        view.rounds(),
        view.newestRoundAge(),
        view.awaited());
  }

  static View withThreads(View view, ThreadStatus... threads) {
    return new View(
        view.phase(),
        view.failure(),
        view.started(),
        view.threadsWanted(),
        Arrays.asList(threads),
        view.transactions(),
        view.restores(),
        view.models(),
        view.hidesModels(),
        view.rounds(),
        view.newestRoundAge(),
        view.awaited());
  }

  static View withRestores(View view, RestoreStatus... restores) {
    return new View(
        view.phase(),
        view.failure(),
        view.started(),
        view.threadsWanted(),
        view.threads(),
        view.transactions(),
        Arrays.asList(restores),
        view.models(),
        view.hidesModels(),
        view.rounds(),
        view.newestRoundAge(),
        view.awaited());
  }

  /** Models at some rounds, the newest of so many seconds. */
  static View learning(long seconds, List<AwaitedPartition> awaited, ModelStatus... models) {
    View view = of(Phase.RUNNING, true);
    return new View(
        view.phase(),
        view.failure(),
        view.started(),
        view.threadsWanted(),
        view.threads(),
        view.transactions(),
        view.restores(),
        Arrays.asList(models),
        false,
        7,
        Optional.of(Duration.ofSeconds(seconds)),
        awaited);
  }

  static ModelStatus model(String id, long round) {
    return new ModelStatus(
        id,
        round,
        Duration.ofSeconds(3),
        OptionalLong.of(2),
        Optional.of(new ModelStatus.Snapshot(round, Duration.ofSeconds(3))));
  }
}

package dev.sotto.app.http;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.Trial;
import dev.sotto.topology.registry.RegistryWait;
import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.RestoreStatus;
import dev.sotto.topology.status.ThreadStatus;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Views of learners that are not there, and a plan whose budget lasts for three rounds. */
final class Views {
  private Views() {}

  static Plan plan() {
    return Trial.plan(2, 4).toBuilder()
        .sigma(4)
        .budget(new Budget(1.6, 1e-6))
        .build(); // mu 0.25 sqrt 2 of rounds 2 and 3 costs 1.54
  }

  static InstanceView of(LifecyclePhase phase, boolean started) {
    return new InstanceView(
        new InstanceView.Lifecycle(phase, Optional.empty(), started),
        new InstanceView.Threads(
            1, List.of(new ThreadStatus("a-StreamThread-1", "RUNNING", 2, 1)), List.of()),
        List.of(),
        new InstanceView.Progress(List.of(), false, 0, Optional.empty()),
        List.of());
  }

  static InstanceView failed(InstanceView view, String why) {
    return new InstanceView(
        new InstanceView.Lifecycle(
            LifecyclePhase.FAILED, Optional.of(why), view.lifecycle().started()),
        view.streams(),
        view.restores(),
        view.progress(),
        view.awaited());
  }

  static InstanceView waiting(InstanceView view, long seconds) {
    return new InstanceView(
        new InstanceView.Lifecycle(
            view.phase(),
            view.lifecycle().failure(),
            view.lifecycle().started(),
            Optional.of(new RegistryWait.Waiting(
                URI.create("http://schemas:8081"), Duration.ofSeconds(seconds)))),
        view.streams(),
        view.restores(),
        view.progress(),
        view.awaited());
  }

  static InstanceView withThreads(InstanceView view, ThreadStatus... threads) {
    return new InstanceView(
        view.lifecycle(),
        new InstanceView.Threads(
            view.streams().wanted(), Arrays.asList(threads), view.streams().transactions()),
        view.restores(),
        view.progress(),
        view.awaited());
  }

  static InstanceView withRestores(InstanceView view, RestoreStatus... restores) {
    return new InstanceView(
        view.lifecycle(), view.streams(), Arrays.asList(restores), view.progress(), view.awaited());
  }

  /** Models at some rounds, the newest of which is this many seconds old. */
  static InstanceView learning(
      long seconds, List<AwaitedPartition> awaited, ModelStatus... models) {
    InstanceView view = of(LifecyclePhase.RUNNING, true);
    return new InstanceView(
        view.lifecycle(),
        view.streams(),
        view.restores(),
        new InstanceView.Progress(
            Arrays.asList(models), false, 7, Optional.of(Duration.ofSeconds(seconds))),
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

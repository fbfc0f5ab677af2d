package dev.sotto.app.command;

import dev.sotto.topology.registry.RegistryWait;
import dev.sotto.topology.status.LearnerStatus;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Tells the terminal when a learner begins to wait for a schema registry, and when no longer. */
final class RegistryReport implements AutoCloseable {
  private static final long LOOK_MILLIS = 500;

  private final LearnerStatus status;
  private final Consumer<String> terminal;
  private final ScheduledExecutorService looks;
  private URI reported; // null while it does not wait

  RegistryReport(LearnerStatus status, Consumer<String> terminal) {
    this.status = status;
    this.terminal = terminal;
    this.looks = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, "sotto-registry-report");
      thread.setDaemon(true);
      return thread;
    });
  }

  RegistryReport start() {
    looks.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    return this;
  }

  /** Compares what is with what was reported. */
  void look() {
    Optional<RegistryWait.Waiting> now = status.waiting();
    if (now.isPresent() && reported == null) {
      reported = now.get().url();
      terminal.accept("waiting for the schema registry at " + reported
          + "; no event is lost, and it goes on by itself when the registry answers");
    } else if (now.isEmpty() && reported != null) {
      terminal.accept("waits no longer for the schema registry at " + reported);
      reported = null;
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}

package dev.sotto.topology.processor;

import dev.sotto.topology.client.CleanStop;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Has a task write what it holds on the heap alone once the instance is to stop, where a version
 * was published since the state was written. Streams calls no processor before its last commit, and
 * commits behind every punctuation: so there is one only while there is something to write.
 */
final class StopCheckpoint {
  static final Duration LOOK = Duration.ofMillis(500);

  private final ProcessorContext<?, ?> context;
  private final CleanStop stop;
  private final BooleanSupplier unsaved;
  private final Runnable save;
  private final int partition;
  private Cancellable timer;

  /** For one life of a task: Streams cancels timers itself when it closes one. */
  StopCheckpoint(
      ProcessorContext<?, ?> context, CleanStop stop, BooleanSupplier unsaved, Runnable save) {
    this.context = context;
    this.stop = stop;
    this.unsaved = unsaved;
    this.save = save;
    this.partition = context.taskId().partition();
    stop.release(partition); // what an earlier life held is read again
  }

  /** To be called whenever something was taken. */
  void look() {
    if (!stop.isExpected() || !unsaved.getAsBoolean()) {
      return;
    }
    stop.hold(partition);
    if (stop.isAsked()) {
      saveNow();
    } else if (timer == null) {
      timer = context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, now -> saveIfAsked());
    }
  }

  private void saveIfAsked() {
    if (stop.isAsked()) {
      saveNow();
    }
    if (!unsaved.getAsBoolean()) {
      stop.release(partition);
      timer.cancel();
      timer = null;
    }
  }

  private void saveNow() {
    save.run();
    stop.release(partition);
  }

  /** The task has left. */
  void close() {
    stop.release(partition);
  }
}

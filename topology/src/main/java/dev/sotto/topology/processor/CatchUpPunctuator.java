package dev.sotto.topology.processor;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Lets a task read on now and then while it is behind, and only then: every punctuation makes
 * Streams commit.
 */
final class CatchUpPunctuator {
  private final ProcessorContext<?, ?> context;
  private final Duration interval;
  private final BooleanSupplier behind;
  private final Runnable goOn;
  private Cancellable timer;

  /** For one life of a task: Streams cancels timers itself when it closes one. */
  CatchUpPunctuator(
      ProcessorContext<?, ?> context, Duration interval, BooleanSupplier behind, Runnable goOn) {
    this.context = context;
    this.interval = interval;
    this.behind = behind;
    this.goOn = goOn;
  }

  /** To be called whenever it may have fallen behind. */
  void look() {
    if (timer == null && behind.getAsBoolean()) {
      timer = context.schedule(interval, PunctuationType.WALL_CLOCK_TIME, now -> {
        goOn.run();
        if (!behind.getAsBoolean()) {
          timer.cancel();
          timer = null;
        }
      });
    }
  }
}

package dev.sotto.topology;

import dev.sotto.learner.extension.ExtensionFailure;
import dev.sotto.topology.core.Refusal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What to do when a stream thread dies: replace it, with growing pauses, where trying again may help; stop with an
 * exit code where it cannot, or where faults keep coming.
 */
final class FaultPolicy implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(FaultPolicy.class);
  private static final int MOST_FAULTS = 10;
  private static final long WINDOW = TimeUnit.MINUTES.toNanos(10);
  private static final long ONE_FAULT = TimeUnit.SECONDS.toNanos(1); // many threads, one broker

  private final String eventTopic;
  private final LongSupplier clock;
  private final Deque<Long> faults = new ArrayDeque<>();
  private StartFailure failure;

  FaultPolicy(String eventTopic) {
    this(eventTopic, System::nanoTime);
  }

  FaultPolicy(String eventTopic, LongSupplier clock) {
    this.eventTopic = eventTopic;
    this.clock = clock;
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable thrown) {
    long pause = judge(thrown);
    if (pause < 0) {
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    try {
      Thread.sleep(pause); // outside the lock: who asks for the failure must not wait
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** Milliseconds until the thread is to be replaced; negative where that would not help. */
  private synchronized long judge(Throwable thrown) {
    StartFailure stop = hopeless(thrown);
    long now = clock.getAsLong();
    if (stop == null) {
      if (faults.isEmpty() || now - faults.peekLast() > ONE_FAULT) {
        faults.addLast(now);
      }
      while (now - faults.peekFirst() > WINDOW) {
        faults.removeFirst();
      }
      if (faults.size() > MOST_FAULTS) {
        stop = new StartFailure(
            ExitCode.FAULTS,
            MOST_FAULTS + " faults within " + TimeUnit.NANOSECONDS.toMinutes(WINDOW)
                + " minutes, the last: " + nameOf(thrown) + "; the log inside has the details",
            thrown);
      }
    }
    if (stop != null) {
      LOG.error("stopping: {}", stop.getMessage(), thrown);
      if (failure == null) {
        failure = stop;
      }
      return -1;
    }
    long pause = Math.min(1_000, 100L << Math.min(faults.size(), 7)); // its transaction is open
    LOG.warn("a stream thread failed and is replaced in {} ms: {}", pause, nameOf(thrown), thrown);
    return pause;
  }

  /** Why the learner stopped, or null. */
  synchronized StartFailure failure() {
    return failure;
  }

  private StartFailure hopeless(Throwable thrown) {
    Refusal refusal = Refusal.in(thrown);
    if (refusal != null) {
      return new StartFailure(ExitCode.REFUSED, refusal.getMessage(), refusal);
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof StartFailure known) {
        return known;
      }
      if (cause instanceof ExtensionFailure broken) {
        return new StartFailure(ExitCode.CONFIGURATION, broken.getMessage(), thrown);
      }
      if (cause instanceof MissingSourceTopicException) {
        return new StartFailure(
            ExitCode.TOPIC,
            "a topic to read is gone, " + eventTopic + " or one that the learner made: "
                + cause.getMessage()
                + ". Restore it; what its records held cannot be learned again",
            thrown);
      }
      if (cause instanceof OffsetOutOfRangeException) {
        return new StartFailure(
            ExitCode.REFUSED,
            "records of " + eventTopic
                + " that were not learned yet are gone: raise its retention.ms. They cannot"
                + " be learned any more; start a new app.id whose budget accounts for what was spent",
            thrown);
      }
      if (cause instanceof NoOffsetForPartitionException) {
        return new StartFailure(
            ExitCode.TOPIC,
            "the group has no offset for a partition of " + eventTopic
                + ": it was added, or offsets were deleted. Stop all instances and start again, which sets it,"
                + " or says why models cannot go on over more partitions",
            thrown);
      }
      if (String.valueOf(cause.getMessage()).contains("invalid partitions")) {
        return new StartFailure(
            ExitCode.REFUSED,
            eventTopic
                + " has another number of partitions than when its models were begun: they would live"
                + " elsewhere. Do not reset the application; start a new app.id whose budget accounts for what was"
                + " spent",
            thrown);
      }
      if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
        return new StartFailure(ExitCode.FORBIDDEN, "not allowed: " + cause.getMessage(), thrown);
      }
      if (diskIsFull(cause)) {
        return new StartFailure(
            ExitCode.STATE_FOLDER,
            "the state folder cannot be written: " + rootOf(thrown).getMessage()
                + "; free some space or move state.dir, then start again: nothing is lost",
            thrown);
      }
    }
    return null;
  }

  private static boolean diskIsFull(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    boolean state = cause instanceof ProcessorStateException
        || cause instanceof IOException
        || cause instanceof RocksDBException;
    return !(cause instanceof LockException)
        && state
        && (message.contains("No space left")
            || message.contains("Read-only file system")
            || message.contains("Permission denied")
            || message.contains("couldn't be created")
            || message.contains("Disk quota exceeded"));
  }

  /** What our own code says of a fault; of any other its kind alone, since its message may tell sizes of records. */
  static String nameOf(Throwable thrown) {
    String name = rootOf(thrown).getClass().getSimpleName();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      boolean plain =
          cause instanceof IllegalStateException || cause instanceof IllegalArgumentException;
      StackTraceElement[] trace = cause.getStackTrace();
      if (plain && trace.length > 0 && trace[0].getClassName().startsWith("dev.sotto.")) {
        name = cause.getMessage();
      }
    }
    return name;
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}

package dev.sotto.topology.runtime;

import dev.sotto.learner.extension.ExtensionException;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.LoginFailure;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.registry.RegistryUnavailableException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.errors.LockException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.apache.kafka.streams.errors.TopologyException;
import org.apache.kafka.streams.processor.TaskId;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What to do when a stream thread dies. It is replaced, with growing pauses, where trying again may
 * help. The learner stops with a reason where that cannot help, or where faults keep coming back.
 */
final class FailurePolicy implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(FailurePolicy.class);
  private static final int MOST_FAULTS = 10;
  private static final long WINDOW = TimeUnit.MINUTES.toNanos(10);
  private static final long ONE_FAULT = TimeUnit.SECONDS.toNanos(1); // many threads, one broker

  private final String app;
  private final String topics;
  private final StateFolder stateFolder;
  private final Supplier<Optional<SottoException>> otherPartitions;
  private final LongSupplier clock;
  private final Deque<Long> faults = new ArrayDeque<>();
  private SottoException failure;

  /**
   * A policy for the threads of one learner.
   *
   * @param app whose stores they are
   * @param topics with the events, and the labels that come later
   * @param otherPartitions what to stop with where the cluster says that the users' topics have
   *     other partitions than when the learner was started, and it cannot go on with them; asked
   *     only where Streams fails without a cause, or knows no offset
   * @param clock in nanoseconds
   */
  FailurePolicy(
      String app,
      String topics,
      StateFolder stateFolder,
      Supplier<Optional<SottoException>> otherPartitions,
      LongSupplier clock) {
    this.app = app;
    this.topics = topics;
    this.stateFolder = stateFolder;
    this.otherPartitions = otherPartitions;
    this.clock = clock;
  }

  @Override
  public StreamThreadExceptionResponse handle(Throwable thrown) {
    JudgedThreads.mark(Thread.currentThread());
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
  private long judge(Throwable thrown) {
    SottoException stop = hopeless(thrown); // outside the lock: it may ask the cluster
    if (stop == null && mayComeFromDamage(thrown)) {
      suspectStores(thrown);
    }
    synchronized (this) {
      if (stop == null && !isOfRegistry(thrown)) {
        stop = tooMany(thrown);
      }
      if (stop != null) {
        LOG.error(LearnerService.STOPPING, stop.getMessage(), thrown);
        if (failure == null) {
          failure = stop;
        }
        return -1;
      }
      long pause = Math.min(1_000, 100L << Math.min(faults.size(), 7)); // its transaction is open
      LOG.warn(
          "a stream thread failed and is replaced in {} ms: {}", pause, nameOf(thrown), thrown);
      return pause;
    }
  }

  /** Streams keeps the stores of a task whose thread has failed, and they may be why it failed. */
  private void suspectStores(Throwable thrown) {
    Optional<TaskId> task = Optional.empty();
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (task.isEmpty() && cause instanceof StreamsException known) {
        task = known.taskId();
      }
    }
    try {
      stateFolder.suspect(app, task);
    } catch (IOException unwritten) {
      LOG.warn("that stores may be damaged could not be noted", unwritten);
    }
  }

  private static boolean mayComeFromDamage(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof TransientException own) {
        return own.kind() == FailureKind.FAULTS; // the stores disagree
      }
      if (isOfStores(cause) && !(cause instanceof IOException)) {
        return true;
      }
    }
    return false;
  }

  /** Counts a fault that may pass; what to stop with where there were too many, else null. */
  private SottoException tooMany(Throwable thrown) {
    long now = clock.getAsLong();
    if (faults.isEmpty() || now - faults.peekLast() > ONE_FAULT) {
      faults.addLast(now);
    }
    while (now - faults.peekFirst() > WINDOW) {
      faults.removeFirst();
    }
    return faults.size() <= MOST_FAULTS
        ? null
        : new TransientException(
            FailureKind.FAULTS,
            MOST_FAULTS + " faults within " + TimeUnit.NANOSECONDS.toMinutes(WINDOW)
                + " minutes, the last: " + nameOf(thrown) + "; the log inside has the details",
            thrown);
  }

  /** Whether it waits for a schema registry, however long: the record stays unread meanwhile. */
  private static boolean isOfRegistry(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof RegistryUnavailableException) {
        return true;
      }
    }
    return false;
  }

  /** Why the learner stopped, or null. */
  synchronized SottoException failure() {
    return failure;
  }

  private SottoException hopeless(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnsafeToContinueException refusal) {
        return refusal;
      }
    }
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof TransientException) {
        return null;
      }
      SottoException stop = hopelessCause(cause, thrown);
      if (stop != null) {
        return stop;
      }
    }
    return null;
  }

  private SottoException hopelessCause(Throwable cause, Throwable thrown) {
    if (cause instanceof SottoException known) {
      return known;
    }
    if (cause instanceof ExtensionException broken) {
      return new SottoException(FailureKind.CONFIGURATION, broken.getMessage(), thrown);
    }
    if (cause instanceof MissingSourceTopicException) {
      return new SottoException(
          FailureKind.TOPIC,
          "a topic to read is gone, " + topics + " or one that the learner made: "
              + cause.getMessage()
              + ". Restore it; what its records held cannot be learned again",
          thrown);
    }
    if (cause instanceof UnknownTopicOrPartitionException) { // for a minute, as long as one waits
      return new SottoException(
          FailureKind.TOPIC,
          "a topic that " + app + " writes is gone from the brokers. Start again, which makes it"
              + " anew, or says what is lost with it",
          thrown);
    }
    if (cause instanceof OffsetOutOfRangeException) {
      return new UnsafeToContinueException(
          "records of " + topics
              + " that were not learned yet are gone: raise retention.ms. They cannot"
              + " be learned any more; " + NewHistory.START,
          thrown);
    }
    if (cause instanceof NoOffsetForPartitionException unknown) {
      return otherPartitions
          .get()
          .orElseGet(() -> new SottoException(
              FailureKind.TOPIC,
              "the group has no offset for " + unknown.partitions()
                  + ": partitions were added, or offsets were deleted. Stop all instances and start"
                  + " again, which sets it, or says how",
              thrown));
    }
    if (cause instanceof FencedInstanceIdException) {
      return new SottoException(
          FailureKind.STATE_FOLDER,
          "another instance has taken this one's name in the group: does it run on a copy of this"
              + " state.dir, or with the same group.instance.id? Give each a folder and a name of"
              + " its own",
          thrown);
    }
    if (cause instanceof AuthenticationException refused) {
      return new SottoException(
          FailureKind.FORBIDDEN, "not allowed: " + LoginFailure.words(refused), thrown);
    }
    if (cause instanceof AuthorizationException) {
      return new SottoException(
          FailureKind.FORBIDDEN, "not allowed: " + cause.getMessage(), thrown);
    }
    if ((cause.getClass() == StreamsException.class || cause instanceof TopologyException)
        && cause.getCause() == null) {
      Optional<SottoException> other = otherPartitions.get();
      if (other.isPresent()) {
        return other.get();
      }
    }
    String unwritable = isOfStores(cause) ? stateFolder.fault() : null;
    return unwritable == null
        ? null
        : new SottoException(
            FailureKind.STATE_FOLDER,
            "the state folder cannot be written: " + unwritable
                + "; free some space or move state.dir, then start again: nothing is lost",
            thrown);
  }

  private static boolean isOfStores(Throwable cause) {
    return !(cause instanceof LockException)
        && (cause instanceof ProcessorStateException
            || cause instanceof IOException
            || cause instanceof RocksDBException);
  }

  /**
   * The message of our own exceptions; of any other its class alone: a message may show sizes of
   * records.
   */
  static String nameOf(Throwable thrown) {
    Throwable root = thrown;
    String message = null;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      root = cause;
      message = cause instanceof SottoException ? cause.getMessage() : message;
    }
    return message == null ? root.getClass().getSimpleName() : message;
  }
}

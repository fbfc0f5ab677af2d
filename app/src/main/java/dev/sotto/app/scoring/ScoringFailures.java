package dev.sotto.app.scoring;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.registry.RegistryUnavailableException;
import dev.sotto.topology.runtime.JudgedThreads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replaces threads that failed, unless that cannot help or has not helped often. */
final class ScoringFailures implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ScoringFailures.class);
  private static final int MOST = 10;
  private static final long WINDOW = TimeUnit.MINUTES.toNanos(10);

  private final LongSupplier clock;
  private final Deque<Long> faults = new ArrayDeque<>();
  private SottoException failure;

  ScoringFailures(LongSupplier clock) {
    this.clock = clock;
  }

  /** Why it stopped; empty where it has not. */
  synchronized Optional<SottoException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable thrown) {
    JudgedThreads.mark(Thread.currentThread());
    SottoException stop = hopeless(thrown);
    if (stop == null && !isOfRegistry(thrown)) {
      long now = clock.getAsLong();
      faults.addLast(now);
      while (now - faults.peekFirst() > WINDOW) {
        faults.removeFirst();
      }
      if (faults.size() > MOST) {
        stop = new TransientException(
            FailureKind.FAULTS,
            "a thread failed more than " + MOST + " times in 10 minutes, at last: "
                + root(thrown).getClass().getSimpleName()
                + "; nothing is lost: start it again with the same --id",
            thrown);
      }
    }
    if (stop == null) {
      LOG.warn(
          "a stream thread failed and is replaced: {}",
          root(thrown).getClass().getSimpleName(),
          thrown);
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    LOG.error("stopping: {}", stop.getMessage(), thrown);
    failure = failure == null ? stop : failure;
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private static Throwable root(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** Whether a schema registry does not answer: the event stays unread, however long. */
  private static boolean isOfRegistry(Throwable thrown) {
    return root(thrown) instanceof RegistryUnavailableException;
  }

  private static SottoException hopeless(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
        return new SottoException(
            FailureKind.FORBIDDEN, "not allowed: " + cause.getMessage(), thrown);
      }
      if (cause instanceof SottoException known && !(cause instanceof TransientException)) {
        return known;
      }
      if (cause instanceof MissingSourceTopicException) {
        return new SottoException(
            FailureKind.TOPIC, "the topic of the events is gone: " + cause.getMessage(), thrown);
      }
      if (cause instanceof UnknownTopicOrPartitionException) { // for a minute
        return new SottoException(
            FailureKind.TOPIC,
            "a topic to which predictions go is gone: start again with the same --id, which makes"
                + " it anew, and goes on where it was",
            thrown);
      }
    }
    return null;
  }
}

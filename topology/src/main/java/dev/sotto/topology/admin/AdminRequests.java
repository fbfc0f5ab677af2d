package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.LoginFailure;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Waits for answers of a cluster, and turns what goes wrong into a message for the operator. */
public final class AdminRequests {
  private static final long SECONDS = 20;

  private final String bootstrapServers;

  /** Answers of the cluster behind these servers. */
  public AdminRequests(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * The answer.
   *
   * @param what was asked for: a verb and its object, as in "describe topic x"
   * @throws UnknownTopicOrPartitionException as it is; so are {@link TopicExistsException} and
   *     {@link GroupIdNotFoundException}: it depends on the request what they mean
   * @throws SottoException in all other cases
   */
  public <T> T await(KafkaFuture<T> future, String what) {
    try {
      return future.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw explained(failed.getCause(), what);
    } catch (java.util.concurrent.TimeoutException late) {
      throw explained(late, what);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(FailureKind.UNEXPECTED, "interrupted while trying to " + what, stop);
    }
  }

  /** Waits before something is looked at again. */
  public static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(FailureKind.UNEXPECTED, "interrupted while waiting", stop);
    }
  }

  private RuntimeException explained(Throwable cause, String what) {
    if (cause instanceof UnknownTopicOrPartitionException
        || cause instanceof TopicExistsException
        || cause instanceof GroupIdNotFoundException) {
      return (RuntimeException) cause;
    }
    if (cause instanceof InvalidReplicationFactorException) {
      return new SottoException(
          FailureKind.TOPIC,
          "could not " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; lower topics.replication.factor, or add brokers",
          cause);
    }
    if (cause instanceof InvalidTopicException) {
      return new SottoException(
          FailureKind.TOPIC,
          "could not " + what + " on " + bootstrapServers
              + ": a topic's name has 1 to 249 letters, digits, dots, dashes and underscores",
          cause);
    }
    if (cause instanceof AuthenticationException refused) {
      return new SottoException(
          FailureKind.FORBIDDEN,
          "not allowed to " + what + " on " + bootstrapServers + ": " + LoginFailure.words(refused),
          cause);
    }
    if (cause instanceof AuthorizationException) {
      return new SottoException(
          FailureKind.FORBIDDEN,
          "not allowed to " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; ask for the permission, or have the topic created beforehand",
          cause);
    }
    if (cause instanceof TimeoutException
        || cause instanceof java.util.concurrent.TimeoutException) {
      return new TransientException(
          FailureKind.UNREACHABLE,
          "no broker answered at " + bootstrapServers + " while trying to " + what
              + "; check bootstrap.servers, the network and the security settings",
          cause);
    }
    return new SottoException(
        FailureKind.UNEXPECTED,
        "could not " + what + " on " + bootstrapServers + ": " + cause,
        cause);
  }
}

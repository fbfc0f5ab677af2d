package dev.sotto.topology;

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

/** Waits for answers of a cluster, and turns what goes wrong into messages with an exit code. */
public final class Answers {
  private static final long SECONDS = 20;

  private final String bootstrapServers;

  /** Answers of the cluster behind these servers. */
  public Answers(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * The answer.
   *
   * @param what was asked for: a verb and its object, as in "describe topic x"
   * @throws UnknownTopicOrPartitionException as it is; so are {@link TopicExistsException} and
   *     {@link GroupIdNotFoundException}: it depends on the question what they mean
   * @throws StartFailure in all other cases
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
      throw new StartFailure(ExitCode.UNEXPECTED, "interrupted while trying to " + what, stop);
    }
  }

  private RuntimeException explained(Throwable cause, String what) {
    if (cause instanceof UnknownTopicOrPartitionException
        || cause instanceof TopicExistsException
        || cause instanceof GroupIdNotFoundException) {
      return (RuntimeException) cause;
    }
    if (cause instanceof InvalidReplicationFactorException) {
      return new StartFailure(
          ExitCode.TOPIC,
          "could not " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; lower topics.replication.factor, or add brokers",
          cause);
    }
    if (cause instanceof InvalidTopicException) {
      return new StartFailure(
          ExitCode.TOPIC,
          "could not " + what + " on " + bootstrapServers
              + ": a topic's name has 1 to 249 letters, digits, dots, dashes and underscores",
          cause);
    }
    if (cause instanceof AuthenticationException) {
      return new StartFailure(
          ExitCode.FORBIDDEN,
          "not allowed to " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; check the user, the password and the other security settings",
          cause);
    }
    if (cause instanceof AuthorizationException) {
      return new StartFailure(
          ExitCode.FORBIDDEN,
          "not allowed to " + what + " on " + bootstrapServers + ": " + cause.getMessage()
              + "; ask for the permission, or have the topic created beforehand",
          cause);
    }
    if (cause instanceof TimeoutException
        || cause instanceof java.util.concurrent.TimeoutException) {
      return new StartFailure(
          ExitCode.UNREACHABLE,
          "no broker answered at " + bootstrapServers + " while trying to " + what
              + "; check bootstrap.servers, the network and the security settings",
          cause);
    }
    return new StartFailure(
        ExitCode.UNEXPECTED, "could not " + what + " on " + bootstrapServers + ": " + cause, cause);
  }
}

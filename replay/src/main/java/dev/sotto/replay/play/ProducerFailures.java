package dev.sotto.replay.play;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Explains failures of the producer. */
final class ProducerFailures {
  private final PlaySettings settings;
  private final String name;

  /** Failures of a play; the name is that of its group and producer. */
  ProducerFailures(PlaySettings settings, String name) {
    this.settings = settings;
    this.name = name;
  }

  /** One record, by its place in the recording. */
  record Place(int partition, long offset) {}

  /**
   * The failure with a message for the operator; what is not Kafka's is returned as it is.
   *
   * @param place of the first record that was refused; null where none was
   */
  RuntimeException explained(RuntimeException failed, Place place) {
    if (!(failed instanceof KafkaException)) {
      return failed;
    }
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      SottoException known = known(cause, place, failed);
      if (known != null) {
        return known;
      }
    }
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    return fault(
        FailureKind.UNEXPECTED,
        "playing into topic " + settings.topic() + " failed: " + cause + "; " + again(),
        failed);
  }

  private SottoException known(Throwable cause, Place place, RuntimeException whole) {
    String topic = settings.topic();
    if (cause instanceof ProducerFencedException
        || cause instanceof InvalidProducerEpochException
        || cause instanceof CommitFailedException) {
      return fault(
          FailureKind.IN_USE,
          "another player of this recording into topic " + topic
              + " has taken over (or this one stood still for longer than its transaction lives):"
              + " this one adds nothing"
              + " any more, and no record is there twice",
          whole);
    }
    if (cause instanceof TopicAuthorizationException) {
      return forbidden("write to topic " + topic, "Write on the topic", whole);
    }
    if (cause instanceof TransactionalIdAuthorizationException) {
      return forbidden(
          "use the transactional id " + name,
          "Write and Describe on transactional ids with the prefix sotto-play.",
          whole);
    }
    if (cause instanceof GroupAuthorizationException) {
      return forbidden(
          "commit for the group " + name, "Read on groups with the prefix sotto-play.", whole);
    }
    if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
      return forbidden(
          "play into topic " + topic + ": " + cause.getMessage(), "the security settings", whole);
    }
    if (cause instanceof RecordTooLargeException && place != null) {
      return fault(
          FailureKind.TOPIC,
          TargetRules.tooLarge(topic, place.partition(), place.offset(), "") + ". " + again(),
          whole);
    }
    if (cause instanceof RecordTooLargeException
        || cause instanceof InvalidTimestampException
        || cause instanceof InvalidRecordException
        || cause instanceof PolicyViolationException
        || cause instanceof UnknownTopicOrPartitionException) {
      return fault(
          FailureKind.TOPIC,
          "topic " + topic + " does not take " + at(place) + ": " + cause.getMessage() + ". "
              + again(),
          whole);
    }
    if (cause instanceof TimeoutException) {
      return fault(
          FailureKind.UNREACHABLE,
          "no broker answered at " + settings.servers() + " while playing into topic " + topic
              + "; " + again(),
          whole);
    }
    return null;
  }

  private static String at(Place place) {
    return place == null
        ? "the recording"
        : "the record at partition " + place.partition() + ", offset " + place.offset()
            + " of the recording";
  }

  private static String again() {
    return "started again, it continues after the last record that has been committed";
  }

  private static SottoException forbidden(String what, String need, RuntimeException whole) {
    return fault(
        FailureKind.FORBIDDEN,
        "not allowed to " + what + "; ask for the permission: " + need,
        whole);
  }

  private static SottoException fault(FailureKind code, String message, RuntimeException cause) {
    return new SottoException(code, message, cause);
  }
}

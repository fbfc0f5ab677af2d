package dev.sotto.app.preflight;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Permissions of which brokers do not tell by themselves, found out by requests that are made so
 * that they have no effect where they are allowed. Brokers check permissions before all else: what
 * they complain of tells which one was there.
 */
record PermissionProbe(Admin admin) {
  private static final long SECONDS = 20;

  /** A topic that cannot exist, since no name has a slash. */
  private static final String NOWHERE = "preflight/nowhere";

  /** Of partitions; no topic has as many. */
  private static final int NONE = Integer.MAX_VALUE;

  private static final Set<TransactionState> QUIET = Set.of(
      TransactionState.EMPTY, TransactionState.COMPLETE_COMMIT, TransactionState.COMPLETE_ABORT);

  /** What is known of a permission. */
  enum Answer {
    ALLOWED,
    REFUSED,
    UNKNOWN
  }

  /** Read on a group: asks to commit an offset of a topic that cannot exist. */
  Answer readsGroup(String group) {
    Throwable complaint = committing(group, NOWHERE);
    if (complaint instanceof GroupAuthorizationException) {
      return Answer.REFUSED;
    }
    return complaint instanceof TopicAuthorizationException
            || complaint instanceof UnknownTopicOrPartitionException
        ? Answer.ALLOWED
        : Answer.UNKNOWN;
  }

  /** Create on a topic that does not exist: asks only whether it could be. */
  Answer createsMissing(String topic) {
    NewTopic plain = new NewTopic(topic, Optional.of(1), Optional.empty());
    Throwable complaint = complaint(admin
        .createTopics(List.of(plain), new CreateTopicsOptions().validateOnly(true))
        .all());
    if (complaint instanceof AuthorizationException) {
      return Answer.REFUSED;
    }
    return complaint == null ? Answer.ALLOWED : Answer.UNKNOWN;
  }

  /** Read on a topic that does not exist: asks to commit an offset of it. */
  Answer readsMissing(String group, String topic) {
    return ofMissing(committing(group, topic));
  }

  /** DescribeConfigs on a topic that does not exist. */
  Answer describesConfigsOfMissing(String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return ofMissing(complaint(admin.describeConfigs(List.of(resource)).all()));
  }

  private static Answer ofMissing(Throwable complaint) {
    if (complaint instanceof TopicAuthorizationException) {
      return Answer.REFUSED;
    }
    return complaint instanceof UnknownTopicOrPartitionException ? Answer.ALLOWED : Answer.UNKNOWN;
  }

  private Throwable committing(String group, String topic) {
    TopicPartition partition = new TopicPartition(topic, NONE);
    return complaint(admin
        .alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(0)))
        .partitionResult(partition));
  }

  /**
   * Write on a transactional id that nobody has a transaction of: asks for a producer of it. The
   * coordinator keeps an id without a producer until it expires; nothing else is left.
   */
  Answer writesTransactions(String id) {
    Throwable complaint = complaint(admin.fenceProducers(Set.of(id)).all());
    if (complaint == null) {
      return Answer.ALLOWED;
    }
    return complaint instanceof AuthorizationException ? Answer.REFUSED : Answer.UNKNOWN;
  }

  /** Describe on a transactional id, and whether a producer could be fenced without harm. */
  Transactions transactions(String id) {
    Reply<TransactionDescription> reply =
        Reply.to(admin.describeTransactions(List.of(id)).description(id));
    if (reply.value != null) {
      return new Transactions(Answer.ALLOWED, QUIET.contains(reply.value.state()), "");
    }
    if (reply.complaint instanceof TransactionalIdNotFoundException) {
      return new Transactions(Answer.ALLOWED, true, "");
    }
    return reply.complaint instanceof AuthorizationException
        ? new Transactions(Answer.REFUSED, false, "")
        : new Transactions(Answer.UNKNOWN, false, reply.complaint.toString());
  }

  /**
   * What is known of a transactional id.
   *
   * @param quiet whether no transaction of it is under way
   * @param why it is unknown, if it is
   */
  record Transactions(Answer described, boolean quiet, String why) {}

  private static Throwable complaint(KafkaFuture<?> asked) {
    return Reply.to(asked).complaint;
  }

  /** What was answered: a value, which may be null, or a complaint. */
  private record Reply<T>(T value, Throwable complaint) {
    static <T> Reply<T> to(KafkaFuture<T> asked) {
      try {
        return new Reply<>(asked.get(SECONDS, TimeUnit.SECONDS), null);
      } catch (ExecutionException refused) {
        return new Reply<>(null, refused.getCause());
      } catch (TimeoutException late) {
        return new Reply<>(null, late);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new SottoException(FailureKind.UNEXPECTED, "interrupted", stop);
      }
    }
  }
}

package dev.sotto.app.preflight;

import dev.sotto.app.cluster.AclGrant;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Whether these clients may do what a learner does, as far as brokers tell; what they do not tell
 * is called unknown.
 */
final class PermissionChecks {
  private static final long SECONDS = 20;

  private PermissionChecks() {}

  static void run(PreflightContext preflight) {
    for (AclGrant grant : AclGrant.learner(preflight.config(), preflight.deployment())) {
      if (grant.type() == ResourceType.TOPIC) {
        topic(preflight, grant);
      }
    }
    group(preflight);
    transactions(preflight);
  }

  private static void topic(PreflightContext preflight, AclGrant grant) {
    String subject = "permissions on topic " + grant.name();
    try {
      Optional<TopicDescription> found = preflight.cluster().topic(grant.name());
      if (found.isPresent()) {
        Set<AclOperation> needed = EnumSet.copyOf(grant.operations());
        needed.remove(AclOperation.CREATE);
        compare(preflight, subject, grant, needed, found.get().authorizedOperations());
      }
      // One that is missing: whether it could be created has been asked already.
    } catch (SottoException failure) {
      if (failure.kind() != FailureKind.FORBIDDEN) {
        throw failure;
      }
      missing(preflight, subject, grant, grant.operations(), "none, not even Describe");
    }
  }

  private static void compare(
      PreflightContext preflight,
      String subject,
      AclGrant grant,
      Set<AclOperation> needed,
      Set<AclOperation> allowed) {
    if (allowed == null) {
      unknown(preflight, subject, grant, "these brokers do not tell");
      return;
    }
    Set<AclOperation> lacking = EnumSet.copyOf(needed);
    lacking.removeAll(allowed);
    if (lacking.isEmpty()) {
      preflight.ok(subject, words(needed));
    } else {
      Set<AclOperation> has = EnumSet.copyOf(needed);
      has.removeAll(lacking);
      missing(preflight, subject, grant, lacking, has.isEmpty() ? "none" : words(has));
    }
  }

  private static void missing(
      PreflightContext preflight,
      String subject,
      AclGrant grant,
      Set<AclOperation> lacking,
      String found) {
    AclGrant more = new AclGrant(grant.type(), grant.name(), grant.pattern(), lacking);
    preflight.fault(
        subject,
        found,
        words(grant.operations()),
        more.command(preflight.servers(), "User:THE-LEARNER"));
  }

  private static void group(PreflightContext preflight) {
    AclGrant grant = AclGrant.group(preflight.app());
    String subject = "permissions on group " + preflight.app();
    try {
      Optional<ConsumerGroup> group = ConsumerGroup.of(preflight.cluster(), preflight.app());
      if (group.isPresent()) {
        compare(
            preflight, subject, grant, grant.operations(), group.get().allowed().orElse(null));
      } else {
        preflight.ok(
            subject, "Describe; Read: unknown, brokers do not tell before the group exists");
      }
    } catch (SottoException failure) {
      if (failure.kind() != FailureKind.FORBIDDEN) {
        throw failure;
      }
      missing(preflight, subject, grant, grant.operations(), "none, not even Describe");
    }
  }

  /**
   * Describe is shown by how the question is refused; Write only by what would change something.
   */
  private static void transactions(PreflightContext preflight) {
    AclGrant grant = AclGrant.transactions(preflight.app());
    String id = preflight.app() + "-preflight";
    String subject = "permissions on transactional ids " + preflight.app() + "-*";
    KafkaFuture<?> asked =
        preflight.cluster().admin().describeTransactions(List.of(id)).all();
    try {
      asked.get(SECONDS, TimeUnit.SECONDS);
      described(preflight, subject);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof TransactionalIdNotFoundException) {
        described(preflight, subject);
      } else if (refused.getCause() instanceof AuthorizationException) {
        missing(preflight, subject, grant, grant.operations(), "none, not even Describe");
      } else {
        unknown(preflight, subject, grant, refused.getCause().toString());
      }
    } catch (TimeoutException late) {
      unknown(preflight, subject, grant, "no answer");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(FailureKind.UNEXPECTED, "interrupted", stop);
    }
  }

  private static void described(PreflightContext preflight, String subject) {
    preflight.ok(subject, "Describe; Write: unknown, brokers do not tell");
  }

  private static void unknown(
      PreflightContext preflight, String subject, AclGrant grant, String why) {
    preflight.warning(
        subject,
        "unknown: " + why,
        words(grant.operations()),
        "make sure yourself; ./sotto describe lists them");
  }

  private static String words(Set<AclOperation> operations) {
    return String.join(", ", new AclGrant(ResourceType.ANY, "", null, operations).operationNames());
  }
}

package dev.sotto.app.operations;

import dev.sotto.app.operations.Preflight.Flight;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
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

/** Whether these clients may do what a learner does, as far as brokers tell; what they do not tell is called unknown. */
final class PermissionChecks {
  private static final long SECONDS = 20;

  private PermissionChecks() {}

  static void run(Flight flight) {
    for (Grant grant : Grant.learner(flight.app(), flight.blueprint())) {
      if (grant.type() == ResourceType.TOPIC) {
        topic(flight, grant);
      }
    }
    group(flight);
    transactions(flight);
  }

  private static void topic(Flight flight, Grant grant) {
    String subject = "permissions on topic " + grant.name();
    try {
      Optional<TopicDescription> found = flight.cluster().topic(grant.name());
      if (found.isPresent()) {
        Set<AclOperation> needed = EnumSet.copyOf(grant.operations());
        needed.remove(AclOperation.CREATE);
        compare(flight, subject, grant, needed, found.get().authorizedOperations());
      }
      // One that is missing: whether it could be created has been asked already.
    } catch (StartFailure failure) {
      if (failure.exitCode() != ExitCode.FORBIDDEN) {
        throw failure;
      }
      missing(flight, subject, grant, grant.operations(), "none, not even Describe");
    }
  }

  private static void compare(
      Flight flight,
      String subject,
      Grant grant,
      Set<AclOperation> needed,
      Set<AclOperation> allowed) {
    if (allowed == null) {
      unknown(flight, subject, grant, "these brokers do not tell");
      return;
    }
    Set<AclOperation> lacking = EnumSet.copyOf(needed);
    lacking.removeAll(allowed);
    if (lacking.isEmpty()) {
      flight.findings().ok(subject, words(needed));
    } else {
      Set<AclOperation> has = EnumSet.copyOf(needed);
      has.removeAll(lacking);
      missing(flight, subject, grant, lacking, has.isEmpty() ? "none" : words(has));
    }
  }

  private static void missing(
      Flight flight, String subject, Grant grant, Set<AclOperation> lacking, String found) {
    Grant more = new Grant(grant.type(), grant.name(), grant.pattern(), lacking);
    flight
        .findings()
        .fault(
            subject,
            found,
            words(grant.operations()),
            more.command(flight.servers(), "User:THE-LEARNER"));
  }

  private static void group(Flight flight) {
    Grant grant = Grant.group(flight.app());
    String subject = "permissions on group " + flight.app();
    try {
      Optional<Group> group = Group.of(flight.cluster(), flight.app());
      if (group.isPresent()) {
        compare(
            flight, subject, grant, grant.operations(), group.get().allowed().orElse(null));
      } else {
        flight
            .findings()
            .ok(subject, "Describe; Read: unknown, brokers do not tell before the group exists");
      }
    } catch (StartFailure failure) {
      if (failure.exitCode() != ExitCode.FORBIDDEN) {
        throw failure;
      }
      missing(flight, subject, grant, grant.operations(), "none, not even Describe");
    }
  }

  /** Describe is shown by how the question is refused; Write only by what would change something. */
  private static void transactions(Flight flight) {
    Grant grant = Grant.transactions(flight.app());
    String id = flight.app() + "-preflight";
    String subject = "permissions on transactional ids " + flight.app() + "-*";
    KafkaFuture<?> asked =
        flight.cluster().admin().describeTransactions(List.of(id)).all();
    try {
      asked.get(SECONDS, TimeUnit.SECONDS);
      told(flight, subject);
    } catch (ExecutionException refused) {
      if (refused.getCause() instanceof TransactionalIdNotFoundException) {
        told(flight, subject);
      } else if (refused.getCause() instanceof AuthorizationException) {
        missing(flight, subject, grant, grant.operations(), "none, not even Describe");
      } else {
        unknown(flight, subject, grant, refused.getCause().toString());
      }
    } catch (TimeoutException late) {
      unknown(flight, subject, grant, "no answer");
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new StartFailure(ExitCode.UNEXPECTED, "interrupted", stop);
    }
  }

  private static void told(Flight flight, String subject) {
    flight.findings().ok(subject, "Describe; Write: unknown, brokers do not tell");
  }

  private static void unknown(Flight flight, String subject, Grant grant, String why) {
    flight
        .findings()
        .warning(
            subject,
            "unknown: " + why,
            words(grant.operations()),
            "make sure yourself; ./sotto describe lists them");
  }

  private static String words(Set<AclOperation> operations) {
    return String.join(", ", new Grant(ResourceType.ANY, "", null, operations).operationNames());
  }
}

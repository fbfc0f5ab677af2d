package dev.sotto.app.preflight;

import dev.sotto.app.cluster.AclGrant;
import dev.sotto.app.preflight.PermissionProbe.Answer;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Whether these clients may do what a learner does, as far as brokers tell; what they do not tell
 * is called unknown.
 */
final class PermissionChecks {
  private PermissionChecks() {}

  static void run(PreflightContext preflight) {
    PermissionProbe probe = new PermissionProbe(preflight.cluster().admin());
    List<AclGrant> all = AclGrant.learner(preflight.config(), preflight.deployment());
    for (AclGrant grant : all) {
      if (grant.type() == ResourceType.TOPIC) {
        topic(preflight, probe, grant);
      }
    }
    group(preflight, probe);
    for (AclGrant grant : all) {
      if (grant.type() == ResourceType.TRANSACTIONAL_ID) {
        transactions(preflight, probe, grant);
      }
    }
  }

  private static void topic(PreflightContext preflight, PermissionProbe probe, AclGrant grant) {
    String subject = "permissions on topic " + grant.name();
    try {
      Optional<TopicDescription> found = preflight.cluster().topic(grant.name());
      if (found.isPresent()) {
        Set<AclOperation> needed = EnumSet.copyOf(grant.operations());
        needed.remove(AclOperation.CREATE);
        compare(preflight, subject, grant, needed, found.get().authorizedOperations());
      } else {
        missingTopic(preflight, probe, subject, grant);
      }
    } catch (SottoException failure) {
      if (failure.kind() != FailureKind.FORBIDDEN) {
        throw failure;
      }
      missing(preflight, subject, grant, grant.operations(), "none, not even Describe");
    }
  }

  private static void missingTopic(
      PreflightContext preflight, PermissionProbe probe, String subject, AclGrant grant) {
    Set<AclOperation> has = EnumSet.noneOf(AclOperation.class);
    Set<AclOperation> lacking = EnumSet.noneOf(AclOperation.class);
    Set<AclOperation> unknown = EnumSet.noneOf(AclOperation.class);
    for (AclOperation each : grant.operations()) {
      Answer answer = switch (each) {
        case CREATE -> probe.createsMissing(grant.name());
        case READ -> probe.readsMissing(preflight.app(), grant.name());
        case DESCRIBE_CONFIGS -> probe.describesConfigsOfMissing(grant.name());
        case DESCRIBE -> Answer.ALLOWED; // otherwise we would not know that it is missing
        default -> Answer.UNKNOWN;
      };
      switch (answer) {
        case ALLOWED -> has.add(each);
        case REFUSED -> lacking.add(each);
        default -> unknown.add(each);
      }
    }
    if (!lacking.isEmpty()) {
      missing(preflight, subject, grant, lacking, words(has));
    } else {
      preflight.ok(
          subject,
          words(has)
              + (unknown.isEmpty()
                  ? ""
                  : "; " + words(unknown)
                      + ": unknown, brokers do not tell before the topic exists"));
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

  private static void group(PreflightContext preflight, PermissionProbe probe) {
    AclGrant grant = AclGrant.group(preflight.app());
    String subject = "permissions on group " + preflight.app();
    try {
      Optional<ConsumerGroup> group = ConsumerGroup.of(preflight.cluster(), preflight.app());
      if (group.isPresent()) {
        compare(
            preflight, subject, grant, grant.operations(), group.get().allowed().orElse(null));
        return;
      }
      switch (probe.readsGroup(preflight.app())) {
        case ALLOWED -> preflight.ok(subject, words(grant.operations()));
        case REFUSED ->
          missing(preflight, subject, grant, EnumSet.of(AclOperation.READ), "Describe");
        default ->
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

  /** An id of a prefix is one that no learner has; one by itself is left alone while it is used. */
  private static void transactions(
      PreflightContext preflight, PermissionProbe probe, AclGrant grant) {
    boolean prefix = grant.pattern() == PatternType.PREFIXED;
    String id = prefix ? grant.name() + "preflight" : grant.name();
    String subject = "permissions on transactional id" + (prefix ? "s " : " ") + grant.name()
        + (prefix ? "*" : "");
    PermissionProbe.Transactions found = probe.transactions(id);
    switch (found.described()) {
      case REFUSED ->
        missing(preflight, subject, grant, grant.operations(), "none, not even Describe");
      case UNKNOWN -> unknown(preflight, subject, grant, found.why());
      default -> {
        switch (found.quiet() ? probe.writesTransactions(id) : Answer.UNKNOWN) {
          case ALLOWED -> preflight.ok(subject, words(grant.operations()));
          case REFUSED ->
            missing(preflight, subject, grant, EnumSet.of(AclOperation.WRITE), "Describe");
          default -> preflight.ok(subject, "Describe; Write: unknown, brokers do not tell");
        }
      }
    }
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

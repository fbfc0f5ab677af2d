package dev.sotto.app.operations;

import dev.sotto.topology.Blueprint;
import dev.sotto.topology.TopicNeed;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.SecurityUtils;

/**
 * One thing on a cluster that somebody must be allowed to use: exactly named where it can be, since a prefix covers every
 * app.id that begins with it.
 */
public record Grant(
    ResourceType type, String name, PatternType pattern, Set<AclOperation> operations) {
  /** What a learner needs, with its changelogs; see {@link Blueprint}. */
  public static List<Grant> learner(String app, Blueprint blueprint) {
    List<Grant> all = new ArrayList<>();
    for (TopicNeed need : blueprint.everyTopic()) {
      Set<AclOperation> operations =
          EnumSet.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
      if (need.isRead()) {
        operations.add(AclOperation.READ);
      }
      if (need.isWritten()) {
        operations.add(AclOperation.WRITE);
        operations.add(AclOperation.CREATE);
      }
      all.add(new Grant(ResourceType.TOPIC, need.topic(), PatternType.LITERAL, operations));
    }
    all.add(group(app));
    all.add(transactions(app));
    return List.copyOf(all);
  }

  /** Of the learner's consumer group. */
  static Grant group(String app) {
    return new Grant(
        ResourceType.GROUP,
        app,
        PatternType.LITERAL,
        EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE));
  }

  /** Streams names its transactional ids after the application, a hyphen, and what differs. */
  static Grant transactions(String app) {
    return new Grant(
        ResourceType.TRANSACTIONAL_ID,
        app + "-",
        PatternType.PREFIXED,
        EnumSet.of(AclOperation.WRITE, AclOperation.DESCRIBE));
  }

  /** What somebody needs who reads what is published, and nothing else. */
  public static List<Grant> reader(Blueprint blueprint) {
    return blueprint.everyTopic().stream()
        .filter(TopicNeed::outside)
        .map(need -> new Grant(
            ResourceType.TOPIC,
            need.topic(),
            PatternType.LITERAL,
            EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE)))
        .toList();
  }

  /** The operations as Kafka's tools write them. */
  List<String> operationNames() {
    return operations.stream().map(SecurityUtils::operationName).toList();
  }

  /**
   * The command that grants it.
   *
   * @param principal as in {@code User:alice}
   */
  public String command(String servers, String principal) {
    String option = switch (type) {
      case GROUP -> "--group";
      case TRANSACTIONAL_ID -> "--transactional-id";
      default -> "--topic";
    };
    return "kafka-acls.sh --bootstrap-server " + servers + " --add --allow-principal '" + principal
        + "'"
        + operationNames().stream()
            .map(each -> " --operation " + each)
            .collect(Collectors.joining())
        + (pattern == PatternType.PREFIXED ? " --resource-pattern-type prefixed" : "")
        + " " + option + " '" + name + "'";
  }

  /** The same for an Admin client. */
  public List<AclBinding> bindings(String principal) {
    ResourcePattern resource = new ResourcePattern(type, name, pattern);
    return operations.stream()
        .map(each -> new AclBinding(
            resource, new AccessControlEntry(principal, "*", each, AclPermissionType.ALLOW)))
        .toList();
  }

  Map<String, Object> json(String principal) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("principal", principal);
    json.put("resourceType", SecurityUtils.resourceTypeName(type));
    json.put("resourceName", name);
    json.put("patternType", pattern.name().toLowerCase(Locale.ROOT));
    json.put("operations", operationNames());
    return json;
  }
}

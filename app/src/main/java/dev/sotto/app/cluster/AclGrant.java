package dev.sotto.app.cluster;

import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.learner.description.Section;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.TopicRequirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * One thing on a cluster that somebody must be allowed to use: exactly named where it can be, since
 * a prefix covers every app.id that begins with it.
 */
public record AclGrant(
    ResourceType type, String name, PatternType pattern, Set<AclOperation> operations) {
  /** What a learner needs, with its changelogs; see {@link Deployment}. */
  public static List<AclGrant> learner(String app, Deployment deployment) {
    List<AclGrant> all = new ArrayList<>();
    for (TopicRequirement need : deployment.everyTopic()) {
      Set<AclOperation> operations =
          EnumSet.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
      if (need.isRead()) {
        operations.add(AclOperation.READ);
      }
      if (need.isWritten()) {
        operations.add(AclOperation.WRITE);
        operations.add(AclOperation.CREATE);
      }
      all.add(new AclGrant(ResourceType.TOPIC, need.topic(), PatternType.LITERAL, operations));
    }
    all.add(group(app));
    all.add(transactions(app));
    return List.copyOf(all);
  }

  /**
   * What a learner of a configuration needs: with the gate also what it takes to move an alias,
   * with the page what it takes to show aliases and curves.
   */
  public static List<AclGrant> learner(SottoConfig config, Deployment deployment) {
    String app = config.learner().app();
    List<AclGrant> all = new ArrayList<>(learner(app, deployment));
    if (config.effective().find(GateSettings.ALIAS).isPresent()) {
      all.addAll(gate(app));
    } else if (config.http().isPresent()) {
      all.add(reading(Names.aliases(app)));
      all.add(reading(Names.snapshots(app)));
    }
    return List.copyOf(all);
  }

  private static AclGrant reading(String topic) {
    return new AclGrant(
        ResourceType.TOPIC,
        topic,
        PatternType.LITERAL,
        EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE));
  }

  /** What it takes to move an alias by published metrics, beside the rest. */
  private static List<AclGrant> gate(String app) {
    return List.of(
        new AclGrant(
            ResourceType.TOPIC,
            Names.aliases(app),
            PatternType.LITERAL,
            EnumSet.of(
                AclOperation.READ,
                AclOperation.WRITE,
                AclOperation.CREATE,
                AclOperation.DESCRIBE,
                AclOperation.DESCRIBE_CONFIGS)),
        reading(Names.snapshots(app)),
        new AclGrant(
            ResourceType.TRANSACTIONAL_ID,
            Names.aliases(app),
            PatternType.LITERAL,
            EnumSet.of(AclOperation.WRITE, AclOperation.DESCRIBE)));
  }

  /** Of the learner's consumer group. */
  public static AclGrant group(String app) {
    return new AclGrant(
        ResourceType.GROUP,
        app,
        PatternType.LITERAL,
        EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE));
  }

  /** Streams names its transactional ids after the application, a hyphen, and what differs. */
  public static AclGrant transactions(String app) {
    return new AclGrant(
        ResourceType.TRANSACTIONAL_ID,
        app + "-",
        PatternType.PREFIXED,
        EnumSet.of(AclOperation.WRITE, AclOperation.DESCRIBE));
  }

  /** What somebody needs who reads what is published, and nothing else. */
  public static List<AclGrant> reader(Deployment deployment) {
    return deployment.everyTopic().stream()
        .filter(TopicRequirement::outside)
        .map(need -> new AclGrant(
            ResourceType.TOPIC,
            need.topic(),
            PatternType.LITERAL,
            EnumSet.of(AclOperation.READ, AclOperation.DESCRIBE)))
        .toList();
  }

  /** The operations as Kafka's tools write them. */
  public List<String> operationNames() {
    return operations.stream().map(AclGrant::commandName).toList();
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

  /** The grant with its command. */
  Section describe(String servers, String principal) {
    String command = command(servers, principal);
    return Section.untitled()
        .fact("principal", principal)
        .fact("resourceType", commandName(type))
        .fact("resourceName", name)
        .fact("patternType", pattern.name().toLowerCase(Locale.ROOT))
        .fact("operations", operationNames())
        .fact("command", command, command);
  }

  /** As {@code kafka-acls} writes it: {@code DescribeConfigs}. */
  private static String commandName(Enum<?> constant) {
    return Arrays.stream(constant.name().split("_"))
        .map(each -> each.charAt(0) + each.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }
}

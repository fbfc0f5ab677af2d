package dev.sotto.app.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sotto.config.SottoConfig;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.TopicRequirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a learner needs on a cluster as resources of Strimzi's operators: a {@code KafkaTopic} for
 * each topic but the users' own, and a {@code KafkaUser} with the permissions of the learner and of
 * a reader. They say what {@link LearnerDescription} says; nothing is asked of any broker.
 *
 * @param cluster name of the {@code Kafka} resource
 * @param partitions of the event topic
 * @param learner the principal that runs it
 * @param reader the principal that reads what is published
 */
public record StrimziResources(
    SottoConfig config, String cluster, int partitions, String learner, String reader) {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String API = "kafka.strimzi.io/v1";
  private static final int LONGEST = 253; // characters of a name in Kubernetes

  /** All of them, one document each. */
  public String describe() {
    Deployment deployment = Deployment.of(config.learner(), config.service());
    return Stream.of(
            Stream.concat(deployment.topics().stream(), deployment.changelogs().stream())
                .map(this::topic),
            Stream.of(
                user(learner, AclGrant.learner(config, deployment), deployment.streams()),
                user(reader, AclGrant.reader(deployment), deployment.streams())))
        .flatMap(each -> each)
        .map(StrimziResources::text)
        .collect(Collectors.joining());
  }

  private Map<String, Object> topic(TopicRequirement need) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("topicName", need.topic());
    spec.put("partitions", need.partitions().of(partitions));
    short replication = config.service().replication();
    if (replication > 0) {
      spec.put("replicas", (int) replication);
    }
    spec.put("config", need.settings());
    return resource("KafkaTopic", resourceName(need.topic()), spec);
  }

  private Map<String, Object> user(
      String principal, List<AclGrant> grants, SortedMap<String, String> clients) {
    Map<String, Object> spec = new LinkedHashMap<>();
    authentication(clients).ifPresent(type -> spec.put("authentication", Map.of("type", type)));
    Map<String, Object> authorization = new LinkedHashMap<>();
    authorization.put("type", "simple");
    authorization.put("acls", grants.stream().map(StrimziResources::rule).toList());
    spec.put("authorization", authorization);
    return resource("KafkaUser", userName(principal), spec);
  }

  private static Map<String, Object> rule(AclGrant grant) {
    Map<String, Object> resource = new LinkedHashMap<>();
    resource.put(
        "type",
        grant.type() == ResourceType.TRANSACTIONAL_ID
            ? "transactionalId"
            : grant.type().name().toLowerCase(Locale.ROOT));
    resource.put("name", grant.name());
    resource.put("patternType", grant.pattern() == PatternType.PREFIXED ? "prefix" : "literal");
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("resource", resource);
    rule.put("operations", grant.operationNames());
    return rule;
  }

  private Map<String, Object> resource(String kind, String name, Map<String, Object> spec) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    metadata.put("labels", Map.of("strimzi.io/cluster", cluster));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("apiVersion", API);
    all.put("kind", kind);
    all.put("metadata", metadata);
    all.put("spec", spec);
    return all;
  }

  /** How a user logs in, as the configuration's clients do; empty where Strimzi does not say. */
  private static Optional<String> authentication(SortedMap<String, String> clients) {
    String protocol = clients.getOrDefault("security.protocol", "PLAINTEXT");
    return switch (protocol) {
      case "SSL" -> Optional.of("tls");
      case "SASL_SSL", "SASL_PLAINTEXT" ->
        Optional.of("scram-sha-512")
            .filter(each -> each.equalsIgnoreCase(clients.get("sasl.mechanism")));
      default -> Optional.empty();
    };
  }

  /** Strimzi gives a user of TLS the principal {@code User:CN=NAME}, others {@code User:NAME}. */
  private static String userName(String principal) {
    String name = principal.replaceFirst("^User:(CN=)?", "");
    if (!name.equals(resourceName(name))) {
      throw new IllegalArgumentException("a KafkaUser is named in small letters, digits, dots and"
          + " hyphens, so a principal must be such as User:sotto or User:CN=sotto, but was "
          + principal);
    }
    return name;
  }

  /** A topic's name where Kubernetes takes it; otherwise one like it that no other topic has. */
  static String resourceName(String topic) {
    List<String> labels = new ArrayList<>();
    for (String label : topic.toLowerCase(Locale.ROOT).split("\\.", -1)) {
      labels.add(label.replaceAll("[^a-z0-9-]", "-").replaceAll("^-+|-+$", ""));
    }
    String name =
        String.join(".", labels.stream().filter(each -> !each.isEmpty()).toList());
    if (name.equals(topic) && name.length() <= LONGEST) {
      return name;
    }
    String mark = String.format(Locale.ROOT, "%08x", topic.hashCode());
    String kept = name.substring(0, Math.min(name.length(), LONGEST - 9));
    return kept.isEmpty() ? "t-" + mark : kept.replaceAll("[.-]+$", "") + "-" + mark;
  }

  private static String text(Map<String, Object> resource) {
    try {
      return YAML.writeValueAsString(resource);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}

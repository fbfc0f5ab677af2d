package dev.sotto.app.cluster;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.config.SottoConfig;
import dev.sotto.topology.admin.TopicRequirement;
import dev.sotto.topology.admin.TopicRequirement.Party;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A learner as it will be on a cluster, in words; nothing is asked of any broker.
 *
 * @param servers for the commands
 * @param learner the principal that runs it
 * @param reader the principal that reads what is published
 */
public record LearnerDescription(
    SottoConfig config, String servers, String learner, String reader) {
  private static final String LINE = System.lineSeparator();

  private Deployment deployment() {
    return Deployment.of(config.learner(), config.service());
  }

  /** All of it as text. */
  public String text() {
    Deployment deployment = deployment();
    LearnerSettings settings = config.learner();
    StringBuilder text = new StringBuilder();
    text.append("app.id ").append(settings.app()).append(", layout ");
    text.append(settings.layout().configName()).append(LINE);
    heading(text, "Topology");
    text.append(deployment.drawing().toString().stripTrailing()).append(LINE);
    heading(text, "Topics");
    topic(text, deployment.events());
    deployment.labels().ifPresent(each -> topic(text, each));
    deployment.topics().forEach(each -> topic(text, each));
    heading(text, "Changelogs, which Streams creates");
    deployment.changelogs().forEach(each -> topic(text, each));
    heading(text, "Streams settings in force");
    shown(deployment.streams())
        .forEach((name, value) ->
            text.append("  ").append(name).append('=').append(value).append(LINE));
    heading(text, "Permissions of the learner");
    AclGrant.learner(config, deployment)
        .forEach(each -> text.append(each.command(servers, learner)).append(LINE));
    heading(text, "Permissions of a reader of published data");
    AclGrant.reader(deployment)
        .forEach(each -> text.append(each.command(servers, reader)).append(LINE));
    text.append("Readers must set isolation.level=read_committed; one that uses a consumer group"
            + " needs Read on that group as well.")
        .append(LINE);
    return text.toString();
  }

  private static void heading(StringBuilder text, String words) {
    text.append(LINE).append("# ").append(words).append(LINE);
  }

  private static void topic(StringBuilder text, TopicRequirement need) {
    text.append(need.topic()).append(": ").append(need.holds()).append(LINE);
    line(text, "written by", words(need.writers()));
    line(text, "read by", words(need.readers()));
    line(text, "partitions", need.partitions().rule());
    line(text, "boundary", boundary(need));
    line(text, "retention", retention(need));
    if (!need.settings().isEmpty()) {
      line(
          text,
          "created with",
          need.settings().entrySet().stream()
              .map(each -> each.getKey() + "=" + each.getValue()
                  + (TopicRequirement.isLeast(each.getKey()) ? " (or more)" : "")
                  + (TopicRequirement.isProposal(each.getKey(), each.getValue())
                      ? " (or as you like)"
                      : ""))
              .collect(Collectors.joining(", ")));
    }
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format("  %-12s  %s%n", name, value));
  }

  private static String words(Set<Party> parties) {
    return parties.stream().map(Party::words).collect(Collectors.joining(", "));
  }

  private static String boundary(TopicRequirement need) {
    return need.outside() ? "outside: published" : "inside: as sensitive as the events";
  }

  private static String retention(TopicRequirement need) {
    SortedMap<String, String> settings = need.settings();
    if (!need.isWritten()) {
      return "yours to set: at least the longest downtime plus one round (./sotto preflight"
          + " checks it); never compacted";
    }
    if ("compact".equals(settings.get("cleanup.policy"))) {
      String history = settings.get("min.compaction.lag.ms");
      return "the newest of every key for ever"
          + (history == null
              ? ""
              : ", everything for "
                  + DurationText.words(Duration.ofMillis(Long.parseLong(history))));
    }
    String time = settings.get("retention.ms");
    if (time == null || time.equals("-1")) {
      return time == null ? "the broker's default" : "for ever";
    }
    String bytes = settings.get("retention.bytes");
    return DurationText.words(Duration.ofMillis(Long.parseLong(time)))
        + (bytes == null
            ? ""
            : ", and at most " + (Long.parseLong(bytes) >> 20) + " MiB in each partition")
        + "; yours to change";
  }

  /** All of it, to be printed as JSON. */
  public Json json() {
    Deployment deployment = deployment();
    LearnerSettings settings = config.learner();
    return new Json(
        new Drawing(
            settings.app(), settings.layout().configName(), deployment.drawing().toString()),
        new Topics(
            Topic.of(deployment.events()),
            deployment.topics().stream().map(Topic::of).toList(),
            deployment.changelogs().stream().map(Topic::of).toList()),
        shown(deployment.streams()),
        new Acls(
            acls(AclGrant.learner(config, deployment), learner),
            acls(AclGrant.reader(deployment), reader)));
  }

  private List<AclGrant.Json> acls(List<AclGrant> grants, String principal) {
    return grants.stream().map(each -> each.json(servers, principal)).toList();
  }

  /** What is printed as JSON. */
  public record Json(
      @JsonUnwrapped Drawing drawing,
      @JsonUnwrapped Topics topics,
      SortedMap<String, String> streams,
      Acls acls) {}

  private record Drawing(String app, String layout, String topology) {}

  private record Topics(Topic events, List<Topic> topics, List<Topic> changelogs) {}

  private record Acls(List<AclGrant.Json> learner, List<AclGrant.Json> reader) {}

  private record Topic(
      String topic,
      String holds,
      @JsonUnwrapped Parties parties,
      @JsonUnwrapped Rules rules) {
    static Topic of(TopicRequirement need) {
      return new Topic(
          need.topic(),
          need.holds(),
          new Parties(
              need.writers().stream().map(Party::words).toList(),
              need.readers().stream().map(Party::words).toList()),
          new Rules(need.partitions().rule(), need.outside(), retention(need), need.settings()));
    }
  }

  private record Parties(List<String> writers, List<String> readers) {}

  private record Rules(
      String partitions,
      boolean outsideTheTrustBoundary,
      String retention,
      SortedMap<String, String> settings) {}

  private static SortedMap<String, String> shown(SortedMap<String, String> settings) {
    SortedMap<String, String> shown = new TreeMap<>();
    settings.forEach((name, value) -> shown.put(name, SottoConfig.shownClient(name, value)));
    return shown;
  }
}

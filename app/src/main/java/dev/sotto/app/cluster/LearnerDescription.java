package dev.sotto.app.cluster;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.description.Section;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Party;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A learner as it will be on a cluster; nothing is asked of any broker.
 *
 * @param servers for the commands
 * @param learner the principal that runs it
 * @param reader the principal that reads what is published
 */
public record LearnerDescription(
    SottoConfig config, String servers, String learner, String reader) {
  /** All of it. */
  public Section describe() {
    Deployment deployment = Deployment.of(config.learner(), config.service());
    LearnerSettings settings = config.learner();
    String topology = deployment.topology().toString();
    List<Section> labels =
        deployment.labels().stream().map(LearnerDescription::topic).toList();
    return Section.untitled()
        .fact("app", settings.app(), "app.id " + settings.app())
        .append(settings.layout().describe())
        .add(heading("Topology").fact("topology", topology, topology.stripTrailing()))
        .add(heading("Topics")
            .object("events", topic(deployment.events()))
            .items("", labels)
            .items("topics", topics(deployment.topics())))
        .add(heading("Changelogs, which Streams creates")
            .items("changelogs", topics(deployment.changelogs())))
        .add(streams(deployment))
        .object(
            "acls",
            Section.untitled()
                .add(heading("Permissions of the learner")
                    .items("learner", grants(AclGrant.learner(config, deployment), learner)))
                .add(heading("Permissions of a reader of published data")
                    .items("reader", grants(AclGrant.reader(deployment), reader))
                    .lines("Readers must set isolation.level=read_committed; one that uses a"
                        + " consumer group needs Read on that group as well.")));
  }

  private static Section heading(String words) {
    return Section.titled("# " + words);
  }

  private static List<Section> topics(Collection<TopicRequirement> needs) {
    return needs.stream().map(LearnerDescription::topic).toList();
  }

  private static Section topic(TopicRequirement need) {
    String created = need.settings().entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue()
            + (TopicRequirement.isLeast(each.getKey()) ? " (or more)" : "")
            + (TopicRequirement.isProposal(each.getKey(), each.getValue())
                ? " (or as you like)"
                : ""))
        .collect(Collectors.joining(", "));
    return Section.untitled()
        .fact("topic", need.topic(), need.topic() + ": " + need.holds())
        .fact("holds", need.holds())
        .fact("writers", words(need.writers()), line("written by", words(need.writers())))
        .fact("readers", words(need.readers()), line("read by", words(need.readers())))
        .fact(
            "partitions",
            need.partitions().rule(),
            line("partitions", need.partitions().rule()))
        .fact(
            "outsideTheTrustBoundary",
            need.outside(),
            line(
                "boundary",
                need.outside() ? "outside: published" : "inside: as sensitive as the events"))
        .fact("retention", retention(need), line("retention", retention(need)))
        .fact("settings", need.settings(), created.isEmpty() ? "" : line("created with", created));
  }

  private static String line(String name, String value) {
    return String.format("  %-12s  %s", name, value);
  }

  private static String line(String name, List<String> values) {
    return line(name, String.join(", ", values));
  }

  private static List<String> words(Set<Party> parties) {
    return parties.stream().map(Party::words).toList();
  }

  private static Section streams(Deployment deployment) {
    SortedMap<String, String> shown = new TreeMap<>();
    deployment
        .streams()
        .forEach((name, value) -> shown.put(name, SottoConfig.shownClient(name, value)));
    String lines = shown.entrySet().stream()
        .map(each -> "  " + each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(System.lineSeparator()));
    return heading("Streams settings in force").fact("streams", shown, lines);
  }

  private List<Section> grants(List<AclGrant> all, String principal) {
    return all.stream().map(each -> each.describe(servers, principal)).toList();
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
        + (bytes == null || bytes.equals("-1") // as large as the time lets it be
            ? ""
            : ", and at most " + (Long.parseLong(bytes) >> 20) + " MiB in each partition")
        + "; yours to change";
  }
}

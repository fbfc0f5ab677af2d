package dev.sotto.app.operations;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.topology.Blueprint;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.TopicNeed;
import dev.sotto.topology.TopicNeed.Party;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
public record Description(SottoConfig config, String servers, String learner, String reader) {
  private static final String LINE = System.lineSeparator();

  private Blueprint blueprint() {
    return Blueprint.of(config.learner(), config.service());
  }

  /** As a Mermaid flowchart, without a fence. */
  public String mermaid() {
    Blueprint blueprint = blueprint();
    return Mermaid.of(blueprint.drawing(), blueprint.everyTopic());
  }

  /** All of it as text. */
  public String text() {
    Blueprint blueprint = blueprint();
    LearnerSettings settings = config.learner();
    StringBuilder text = new StringBuilder();
    text.append("app.id ").append(settings.app()).append(", layout ");
    text.append(settings.layout().configName()).append(LINE);
    heading(text, "Topology");
    text.append(blueprint.drawing().toString().stripTrailing()).append(LINE);
    heading(text, "The same as Mermaid");
    text.append(Mermaid.of(blueprint.drawing(), blueprint.everyTopic()));
    heading(text, "Topics");
    topic(text, blueprint.events());
    blueprint.topics().forEach(each -> topic(text, each));
    heading(text, "Changelogs, which Streams creates");
    blueprint.changelogs().forEach(each -> topic(text, each));
    heading(text, "Streams settings in force");
    shown(blueprint.streams())
        .forEach((name, value) ->
            text.append("  ").append(name).append('=').append(value).append(LINE));
    heading(text, "Permissions of the learner");
    Grant.learner(settings.app(), blueprint)
        .forEach(each -> text.append(each.command(servers, learner)).append(LINE));
    heading(text, "Permissions of a reader of published data");
    Grant.reader(blueprint)
        .forEach(each -> text.append(each.command(servers, reader)).append(LINE));
    text.append(
            "Readers must set isolation.level=read_committed; one that uses a consumer group needs Read on that"
                + " group as well.")
        .append(LINE);
    return text.toString();
  }

  private static void heading(StringBuilder text, String words) {
    text.append(LINE).append("# ").append(words).append(LINE);
  }

  private static void topic(StringBuilder text, TopicNeed need) {
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
                  + (TopicNeed.isLeast(each.getKey()) ? " (or more)" : ""))
              .collect(Collectors.joining(", ")));
    }
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format("  %-12s  %s%n", name, value));
  }

  private static String words(Set<Party> parties) {
    return parties.stream().map(Party::words).collect(Collectors.joining(", "));
  }

  private static String boundary(TopicNeed need) {
    return need.outside() ? "outside: published" : "inside: as sensitive as the events";
  }

  private static String retention(TopicNeed need) {
    SortedMap<String, String> settings = need.settings();
    if (!need.isWritten()) {
      return "yours to set: at least the longest downtime plus one round (./sotto preflight checks it);"
          + " never compacted";
    }
    if ("compact".equals(settings.get("cleanup.policy"))) {
      String history = settings.get("min.compaction.lag.ms");
      return "the newest of every key for ever"
          + (history == null
              ? ""
              : ", everything for " + Spans.words(Duration.ofMillis(Long.parseLong(history))));
    }
    return "-1".equals(settings.get("retention.ms")) ? "for ever" : "the broker's default";
  }

  /** All of it as a map for JSON. */
  public Map<String, Object> json() {
    Blueprint blueprint = blueprint();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("app", config.learner().app());
    json.put("layout", config.learner().layout().configName());
    json.put("topology", blueprint.drawing().toString());
    json.put("mermaid", Mermaid.of(blueprint.drawing(), blueprint.everyTopic()));
    json.put("events", topic(blueprint.events()));
    json.put("topics", blueprint.topics().stream().map(Description::topic).toList());
    json.put(
        "changelogs", blueprint.changelogs().stream().map(Description::topic).toList());
    json.put("streams", shown(blueprint.streams()));
    json.put("acls", acls(blueprint));
    return json;
  }

  private Map<String, Object> acls(Blueprint blueprint) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("learner", acls(Grant.learner(config.learner().app(), blueprint), learner));
    json.put("reader", acls(Grant.reader(blueprint), reader));
    return json;
  }

  private List<Map<String, Object>> acls(List<Grant> grants, String principal) {
    return grants.stream()
        .map(each -> {
          Map<String, Object> json = each.json(principal);
          json.put("command", each.command(servers, principal));
          return json;
        })
        .toList();
  }

  private static Map<String, Object> topic(TopicNeed need) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("topic", need.topic());
    json.put("holds", need.holds());
    json.put("writers", need.writers().stream().map(Party::words).toList());
    json.put("readers", need.readers().stream().map(Party::words).toList());
    json.put("partitions", need.partitions().rule());
    json.put("outsideTheTrustBoundary", need.outside());
    json.put("retention", retention(need));
    json.put("settings", need.settings());
    return json;
  }

  private static SortedMap<String, String> shown(SortedMap<String, String> settings) {
    SortedMap<String, String> shown = new TreeMap<>();
    settings.forEach((name, value) -> shown.put(name, SottoConfig.shownClient(name, value)));
    return shown;
  }
}

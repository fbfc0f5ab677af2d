package dev.sotto.topology.admin;

import static dev.sotto.topology.failure.FailureKind.CONFIGURATION;
import static dev.sotto.topology.failure.FailureKind.REFUSED;
import static dev.sotto.topology.failure.FailureKind.TOPIC;
import static dev.sotto.topology.failure.StartFinding.fault;
import static dev.sotto.topology.failure.StartFinding.ok;

import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a start needs of the users' topics and of its own: the start stops at what is wrong, and
 * preflight prints all of it.
 */
public final class StartChecks {
  private static final String POLICY = "cleanup.policy";
  private static final String LOG_TIME =
      " --config " + TopicSettings.TIMESTAMPS + "=" + TopicSettings.ARRIVAL;

  private final LearnerSettings settings;
  private final String servers;
  private final TopicFacts topics;

  /**
   * Checks for a learner.
   *
   * @param servers for the commands that put things right
   */
  public StartChecks(LearnerSettings settings, String servers, TopicFacts topics) {
    this.settings = settings;
    this.servers = servers;
    this.topics = topics;
  }

  /** The topic of events. */
  public List<StartFinding> events() {
    String topic = settings.sourceTopic();
    String subject = "event topic " + topic;
    OptionalInt partitions = topics.partitionsOf(topic);
    if (partitions.isEmpty()) {
      return List.of(fault(
          TOPIC,
          subject,
          "does not exist on " + servers,
          "a topic with the number of partitions that its producers need",
          create(topic, "N") + (settings.needsLogTimeOfEvents() ? LOG_TIME : "")
              + ", or correct events.topic"));
    }
    List<StartFinding> findings = new ArrayList<>();
    findings.add(partitions(subject, partitions.getAsInt()));
    kept(subject, topic, findings);
    return findings;
  }

  /** The topic of labels that come later; nothing where there is none. */
  public List<StartFinding> labels() {
    if (settings.labels().isEmpty()) {
      return List.of();
    }
    String topic = settings.labels().orElseThrow().topic();
    String subject = "label topic " + topic;
    String events = settings.sourceTopic();
    OptionalInt must = topics.partitionsOf(events);
    OptionalInt has = topics.partitionsOf(topic);
    if (has.isEmpty()) {
      return List.of(fault(
          TOPIC,
          subject,
          "does not exist on " + servers,
          "a topic with as many partitions as " + events,
          create(topic, must.isEmpty() ? "N" : Integer.toString(must.getAsInt())) + LOG_TIME
              + ", or correct " + LabelKeys.TOPIC));
    }
    List<StartFinding> findings = new ArrayList<>();
    findings.add(
        has.equals(must)
            ? ok(subject, counted(has.getAsInt()) + ", as " + events)
            : fault(
                TOPIC,
                subject,
                counted(has.getAsInt()),
                "as many partitions as " + events + ", which has " + must.orElse(0)
                    + ": a label is joined with the event of its id in the partition of the same"
                    + " number",
                asMany(settings, must.orElse(0), has.getAsInt())));
    kept(subject, topic, findings);
    return findings;
  }

  private StartFinding partitions(String subject, int partitions) {
    Optional<Layout.Misfit> misfit = settings.layout().misfit(settings, partitions);
    if (misfit.isEmpty()) {
      return ok(subject, counted(partitions) + ", layout " + settings.layout().configName());
    }
    // Another setting would not help a model that has begun over other partitions.
    int began = settings.layout().sumsParts()
        ? topics.partitionsOf(Names.control(settings.app())).orElse(partitions)
        : partitions;
    return began == partitions
        ? fault(
            CONFIGURATION,
            subject,
            counted(partitions),
            misfit.get().must(),
            misfit.get().fix())
        : fault(
            REFUSED,
            subject,
            counted(partitions),
            began + ", over which the model was begun: its slices would be others",
            EventPartitions.others(settings, began, partitions));
  }

  /** No record vanishes, and the broker dates them where their time counts. */
  private void kept(String subject, String topic, List<StartFinding> findings) {
    String policy = topics.topicSetting(topic, POLICY);
    findings.add(
        policy.contains("compact")
            ? fault(
                TOPIC,
                subject,
                POLICY + "=" + policy,
                POLICY + "=delete: records that vanish would change rounds that are paid for",
                alter(topic, POLICY + "=delete"))
            : ok(subject, POLICY + "=" + policy));
    if (settings.needsLogTimeOfEvents()) {
      String stamps = topics.topicSetting(topic, TopicSettings.TIMESTAMPS);
      String found = TopicSettings.TIMESTAMPS + "=" + stamps;
      String must = TopicSettings.TIMESTAMPS + "=" + TopicSettings.ARRIVAL;
      String key = needsLogTime(settings);
      findings.add(
          stamps.equals(TopicSettings.ARRIVAL)
              ? ok(subject, found)
              : fault(
                  TOPIC,
                  subject,
                  found,
                  must + " for " + key + ": when "
                      + (settings.labels().isPresent()
                          ? "an event has waited long enough"
                          : "a version ends")
                      + " must not depend on what producers write",
                  "for a topic without records: " + alter(topic, must)
                      + ". Records that are there keep their producers' times: take a new topic,"
                      + " begin after them (events.start: latest), or unset " + key));
    }
  }

  /**
   * One of its own topics, which is there; one that a start gives more partitions may have fewer.
   *
   * @param partitions that it has
   * @param events partitions of the topic of events; 0 where it is not known
   */
  public List<StartFinding> own(TopicRequirement need, int partitions, int events) {
    String topic = need.topic();
    String subject = "topic " + topic;
    List<StartFinding> faults = new ArrayList<>();
    boolean grows = partitions < events && JoinPartitions.grows(settings, topic);
    if (events > 0 && !need.isMet(partitions, events) && !grows) {
      int must = need.partitions().of(events);
      boolean begun =
          topic.equals(Names.ledger(settings.app())) || topic.equals(Names.control(settings.app()));
      faults.add(fault(
          begun ? REFUSED : TOPIC,
          subject,
          counted(partitions),
          must + " (" + need.partitions().rule() + ")",
          begun
              ? EventPartitions.others(settings, partitions, must)
              : "put the number of partitions back, or " + NewHistory.START));
    }
    faults.addAll(settings(need, topics, servers));
    return faults;
  }

  /** The settings of a topic that do not meet what is needed of it. */
  static List<StartFinding> settings(TopicRequirement need, TopicFacts topics, String servers) {
    List<StartFinding> faults = new ArrayList<>();
    need.settings().forEach((name, value) -> {
      String has = topics.topicSetting(need.topic(), name);
      if (!need.isMet(name, has)) {
        faults.add(fault(
            TOPIC,
            "topic " + need.topic(),
            name + "=" + has,
            name + "=" + value + (TopicRequirement.isLeast(name) ? " or more" : ""),
            alter(servers, need.topic(), name + "=" + value)));
      }
    });
    return faults;
  }

  static String counted(int partitions) {
    return partitions == 1 ? "1 partition" : partitions + " partitions";
  }

  private String create(String topic, String partitions) {
    return "kafka-topics.sh --bootstrap-server " + servers + " --create --topic " + topic
        + " --partitions " + partitions;
  }

  private String alter(String topic, String setting) {
    return alter(servers, topic, setting);
  }

  /** The command that alters a topic's setting. */
  public static String alter(String servers, String topic, String setting) {
    return "kafka-configs.sh --bootstrap-server " + servers
        + " --alter --entity-type topics --entity-name " + topic + " --add-config " + setting;
  }

  /** The setting for which the users' topics must say when the broker appended a record. */
  static String needsLogTime(LearnerSettings settings) {
    return (settings.labels().isPresent() ? LabelKeys.TOPIC : VersionKeys.INTERVAL).name();
  }

  /**
   * What makes both have as many partitions, where they have not. In layouts other than ordered the
   * events must keep theirs.
   */
  static String asMany(LearnerSettings settings, int events, int labels) {
    String topic = settings.labels().orElseThrow().topic();
    if (events > labels || settings.layout().keepsOrder()) {
      return "kafka-topics.sh --alter --topic "
          + (events > labels ? topic : settings.sourceTopic()) + " --partitions "
          + Math.max(events, labels);
    }
    return "make a topic of labels with " + counted(events) + ", and set " + LabelKeys.TOPIC
        + "; the events must keep theirs in this layout";
  }
}

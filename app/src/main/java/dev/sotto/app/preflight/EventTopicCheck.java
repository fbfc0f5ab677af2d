package dev.sotto.app.preflight;

import dev.sotto.app.cluster.DurationText;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.settings.BlockKeys;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.admin.StartOffsets;
import dev.sotto.topology.admin.TopicSetup;
import dev.sotto.topology.settings.LearnerSettings;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;

/** Whether the users' topic keeps its records long enough, and whole. */
final class EventTopicCheck {
  private static final long OVERHEAD = 1 << 10;
  private static final Duration LATELY = Duration.ofDays(1);

  private EventTopicCheck() {}

  static void run(PreflightContext preflight) {
    String topic = preflight.deployment().events().topic();
    String subject = "event topic " + topic;
    preflight.check(subject, () -> {
      preflight.addAll(preflight.checks().events());
      int partitions = preflight.cluster().partitions(topic);
      if (partitions > 0) {
        time(preflight, subject, topic);
        bytes(preflight, subject, topic);
        blocks(preflight, topic, partitions);
        size(preflight, subject, topic);
      }
    });
    preflight.settings().labels().ifPresent(labels -> labels(preflight, labels.topic()));
  }

  /** That of labels that come later: it must go with the topic of events. */
  private static void labels(PreflightContext preflight, String topic) {
    String subject = "label topic " + topic;
    preflight.check(subject, () -> {
      preflight.addAll(preflight.checks().labels());
      if (preflight.cluster().partitions(topic) == 0) {
        return;
      }
      bytes(preflight, subject, topic);
      Admin admin = preflight.cluster().admin();
      TopicSetup topics =
          new TopicSetup(admin, preflight.servers(), preflight.service().replication());
      StartOffsets.lost(admin, topics, preflight.settings())
          .ifPresent(why -> preflight.fault(
              "group " + preflight.app(),
              "no offsets where it has taken records",
              "the offsets up to which it has read",
              why));
    });
  }

  private static void time(PreflightContext preflight, String subject, String topic) {
    long retention = Long.parseLong(preflight.topicSetting(topic, "retention.ms"));
    long outage = preflight.outage().toMillis();
    String found = "retention.ms=" + retention
        + (retention < 0
            ? " (for ever)"
            : " (" + DurationText.words(Duration.ofMillis(retention)) + ")");
    if (retention >= 0 && retention < outage) {
      preflight.fault(
          subject,
          found,
          "at least " + outage + " (" + DurationText.words(preflight.outage())
              + ", --outage-hours): a learner that is down for so long would lose records",
          preflight.alter(topic, "retention.ms=" + outage));
      return;
    }
    preflight.ok(
        subject,
        found + ", an outage of " + DurationText.words(preflight.outage()) + " loses nothing");
    String stamps = preflight.topicSetting(topic, "message.timestamp.type");
    boolean told = preflight.settings().needsLogTimeOfEvents(); // as a fault
    if (retention >= 0 && !told && !stamps.equals("LogAppendTime")) {
      preflight.warning(
          subject,
          "message.timestamp.type=" + stamps
              + ": a record with an old time of its own is deleted early",
          "LogAppendTime, or producers whose times are those of sending",
          preflight.alter(topic, "message.timestamp.type=LogAppendTime")
              + " (records that are there already keep their producers' times)");
    }
  }

  private static void bytes(PreflightContext preflight, String subject, String topic) {
    String bytes = preflight.topicSetting(topic, "retention.bytes");
    if (!bytes.equals("-1")) {
      preflight.warning(
          subject,
          "retention.bytes=" + bytes + ": records may go before their time",
          "-1, or certainty that these bytes last for " + DurationText.words(preflight.outage()),
          preflight.alter(topic, "retention.bytes=-1"));
    }
  }

  /** Whether events are still there when a block reads them again. */
  private static void blocks(PreflightContext preflight, String topic, int partitions) {
    LearnerSettings learner = preflight.settings();
    QuerySchedule queries = learner.plan().block();
    if (!queries.readsAgain()) {
      return;
    }
    BlockRetention blocks = new BlockRetention(
        topic,
        learner.layout().spansPartitions()
            ? (queries.slots() - 1) / partitions + 1
            : queries.slots(),
        (double) queries.reads() / queries.slots(),
        learner.modelIds().sharesPartitions(),
        preflight.cluster().appendRates(topic, LATELY));
    add(preflight, blocks.time(Long.parseLong(preflight.topicSetting(topic, "retention.ms"))));
    blocks
        .bytes(Long.parseLong(preflight.topicSetting(topic, "retention.bytes")))
        .ifPresent(each -> add(preflight, each));
  }

  /** With the whole command where a setting of the topic is the fix. */
  private static void add(PreflightContext preflight, PreflightFinding finding) {
    String topic = preflight.deployment().events().topic();
    preflight
        .findings()
        .add(
            finding.fix().isEmpty()
                ? finding
                : finding.withFix(preflight.alter(topic, finding.fix()) + ", or set a smaller "
                    + BlockKeys.SLOTS.name()));
  }

  private static void size(PreflightContext preflight, String subject, String topic) {
    long topicMost = Long.parseLong(preflight.topicSetting(topic, "max.message.bytes"));
    long most = preflight.config().effective().get(EventKeys.MAX_BYTES);
    if (topicMost > most + OVERHEAD) {
      preflight.warning(
          subject,
          "max.message.bytes=" + topicMost + " is above events.max.bytes=" + most
              + ": longer records fill their slots with nothing",
          "events.max.bytes of at least " + topicMost + ", or producers that never send more",
          "set events.max.bytes: " + topicMost);
    } else {
      preflight.ok(subject, "max.message.bytes=" + topicMost + ", events.max.bytes=" + most);
    }
  }
}

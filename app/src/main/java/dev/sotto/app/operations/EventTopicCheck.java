package dev.sotto.app.operations;

import dev.sotto.app.operations.Preflight.Flight;
import dev.sotto.topology.Layout;
import dev.sotto.topology.TopicNeeds;
import java.time.Duration;
import org.apache.kafka.clients.admin.TopicDescription;

/** Whether the users' topic keeps its records long enough, and whole. */
final class EventTopicCheck {
  private static final long OVERHEAD = 1 << 10;

  private EventTopicCheck() {}

  static void run(Flight flight) {
    String topic = flight.blueprint().events().topic();
    String subject = "event topic " + topic;
    flight.findings().look(subject, () -> {
      TopicDescription found = flight.cluster().topic(topic).orElse(null);
      if (found == null) {
        flight
            .findings()
            .fault(
                subject,
                "does not exist",
                "a topic with the number of partitions that its producers need",
                "kafka-topics.sh --bootstrap-server " + flight.servers() + " --create --topic "
                    + topic + " --partitions N, or correct events.topic");
        return;
      }
      partitions(flight, subject, found.partitions().size());
      compaction(flight, subject, topic);
      time(flight, subject, topic);
      bytes(flight, subject, topic);
      size(flight, subject, topic);
    });
  }

  private static void partitions(Flight flight, String subject, int partitions) {
    var learner = flight.config().learner();
    TopicNeeds.partitionsFault(learner, partitions)
        .ifPresentOrElse(
            wrong -> flight
                .findings()
                .fault(
                    subject,
                    partitions + " partitions",
                    wrong,
                    learner.layout() == Layout.ROUNDS
                        ? "set batch.size to a multiple of " + partitions
                        : "set layout: funnel, or model.id.source: partition, key or header"),
            () -> flight
                .findings()
                .ok(
                    subject,
                    (partitions == 1 ? "1 partition" : partitions + " partitions") + ", layout "
                        + learner.layout().configName()));
  }

  private static void compaction(Flight flight, String subject, String topic) {
    String policy = flight.cluster().topicSetting(topic, "cleanup.policy");
    if (policy.contains("compact")) {
      flight
          .findings()
          .fault(
              subject,
              "cleanup.policy=" + policy,
              "cleanup.policy=delete: records that vanish would change rounds that are paid for",
              flight.alter(topic, "cleanup.policy=delete"));
    } else {
      flight.findings().ok(subject, "cleanup.policy=" + policy);
    }
  }

  private static void time(Flight flight, String subject, String topic) {
    long retention = Long.parseLong(flight.cluster().topicSetting(topic, "retention.ms"));
    long outage = flight.outage().toMillis();
    String found = "retention.ms=" + retention
        + (retention < 0 ? " (for ever)" : " (" + Spans.words(Duration.ofMillis(retention)) + ")");
    if (retention >= 0 && retention < outage) {
      flight
          .findings()
          .fault(
              subject,
              found,
              "at least " + outage + " (" + Spans.words(flight.outage())
                  + ", --outage-hours): a learner that is down for so long would lose records",
              flight.alter(topic, "retention.ms=" + outage));
      return;
    }
    flight
        .findings()
        .ok(subject, found + ", an outage of " + Spans.words(flight.outage()) + " loses nothing");
    String stamps = flight.cluster().topicSetting(topic, "message.timestamp.type");
    if (retention >= 0 && !stamps.equals("LogAppendTime")) {
      flight
          .findings()
          .warning(
              subject,
              "message.timestamp.type=" + stamps
                  + ": a record with an old time of its own is deleted early",
              "LogAppendTime, or producers whose times are those of sending",
              flight.alter(topic, "message.timestamp.type=LogAppendTime"));
    }
  }

  private static void bytes(Flight flight, String subject, String topic) {
    String bytes = flight.cluster().topicSetting(topic, "retention.bytes");
    if (!bytes.equals("-1")) {
      flight
          .findings()
          .warning(
              subject,
              "retention.bytes=" + bytes + ": records may go before their time",
              "-1, or certainty that so many bytes last for " + Spans.words(flight.outage()),
              flight.alter(topic, "retention.bytes=-1"));
    }
  }

  private static void size(Flight flight, String subject, String topic) {
    long topicMost = Long.parseLong(flight.cluster().topicSetting(topic, "max.message.bytes"));
    long most =
        Long.parseLong(flight.config().effective().get("events.max.bytes").toString());
    if (topicMost > most + OVERHEAD) {
      flight
          .findings()
          .warning(
              subject,
              "max.message.bytes=" + topicMost + " is above events.max.bytes=" + most
                  + ": longer records fill their slots with nothing",
              "events.max.bytes of at least " + topicMost + ", or producers that never send more",
              "set events.max.bytes: " + topicMost);
    } else {
      flight
          .findings()
          .ok(subject, "max.message.bytes=" + topicMost + ", events.max.bytes=" + most);
    }
  }
}

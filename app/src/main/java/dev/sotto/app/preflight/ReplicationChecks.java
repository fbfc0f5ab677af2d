package dev.sotto.app.preflight;

import dev.sotto.topology.settings.TopicRequirement;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;

/** Whether what is written survives a broker, and can be written at all. */
final class ReplicationChecks {
  private static final String SUBJECT = "replication";
  private static final String LEAST = "min.insync.replicas";

  private ReplicationChecks() {}

  static void run(PreflightContext preflight) {
    preflight.check(SUBJECT, () -> factor(preflight));
    for (TopicRequirement need : preflight.deployment().everyTopic()) {
      String subject = "replication of topic " + need.topic();
      preflight.check(
          subject,
          () -> preflight
              .cluster()
              .visible(need.topic())
              .ifPresent(found -> topic(preflight, subject, need, found)));
    }
  }

  /** Of topics that are yet to be created. */
  private static void factor(PreflightContext preflight) {
    int brokers = preflight.cluster().nodes().size();
    short configured = preflight.service().replication();
    OptionalLong broker = preflight.brokerNumber("default.replication.factor");
    if (configured < 0 && broker.isEmpty()) {
      preflight.warning(
          SUBJECT,
          "topics.replication.factor=-1: the brokers' default.replication.factor, which they do"
              + " not tell",
          "3 in production",
          "set topics.replication.factor: 3, or grant DescribeConfigs on the cluster to see it");
      return;
    }
    long factor = configured < 0 ? broker.getAsLong() : configured;
    String found = "topics.replication.factor=" + configured
        + (configured < 0 ? " (default.replication.factor=" + factor + ")" : "") + ", " + brokers
        + (brokers == 1 ? " broker" : " brokers");
    OptionalLong least = preflight.brokerNumber(LEAST);
    if (factor > brokers) {
      preflight.fault(
          SUBJECT,
          found,
          "at most " + brokers,
          "set topics.replication.factor: " + brokers + ", or add brokers");
    } else if (least.isPresent() && least.getAsLong() > factor) {
      preflight.fault(
          SUBJECT,
          found + ", the brokers' " + LEAST + "=" + least.getAsLong(),
          LEAST + " of at most " + factor + ": otherwise nothing can be written",
          "set topics.replication.factor: " + (least.getAsLong() + 1) + ", or lower " + LEAST);
    } else if (factor == 1) {
      preflight.warning(
          SUBJECT,
          found + ": a disk that is lost takes the ledger with it",
          "3 in production",
          "set topics.replication.factor: 3 (and have that many brokers)");
    } else {
      preflight.ok(SUBJECT, found);
    }
  }

  private static void topic(
      PreflightContext preflight, String subject, TopicRequirement need, TopicDescription found) {
    long least = Long.parseLong(preflight.topicSetting(need.topic(), LEAST));
    int replicas = found.partitions().stream()
        .mapToInt(each -> each.replicas().size())
        .min()
        .orElse(0);
    long stuck =
        found.partitions().stream().filter(each -> isStuck(each, least)).count();
    if (least > replicas) {
      preflight.fault(
          subject,
          replicas + " replicas, " + LEAST + "=" + least,
          LEAST + " of at most " + replicas + ": otherwise nothing can be written",
          preflight.alter(need.topic(), LEAST + "=" + Math.max(1, replicas - 1)));
    } else if (stuck > 0) {
      preflight.fault(
          subject,
          stuck + " of " + found.partitions().size()
              + " partitions have no leader, or too few replicas in sync",
          "at least " + least + " in sync for each",
          "bring the brokers that hold them back");
    } else if (need.isWritten() && replicas > 2 && least == 1) {
      preflight.warning(
          subject,
          replicas + " replicas, " + LEAST
              + "=1: what one broker alone has acknowledged may be lost",
          LEAST + "=2",
          preflight.alter(need.topic(), LEAST + "=2"));
    } else {
      preflight.ok(
          subject,
          (replicas == 1 ? "1 replica, " : replicas + " replicas, ") + LEAST + "=" + least
              + ", all in sync as needed");
    }
  }

  private static boolean isStuck(TopicPartitionInfo partition, long least) {
    boolean leaderless = partition.leader() == null || partition.leader().isEmpty();
    return leaderless || partition.isr().size() < least;
  }
}

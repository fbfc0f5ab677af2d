package dev.sotto.app.preflight;

import dev.sotto.app.cluster.DurationText;
import dev.sotto.topology.admin.ConsumerGroup;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.ApplicationKeys;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.streams.StreamsConfig;

/** Whether times fit each other and the brokers, and who else runs. */
final class TimeoutAndGroupChecks {
  private static final long COMMITS = 3;
  private static final String TRANSACTION = ApplicationKeys.TRANSACTION_TIMEOUT.name();
  private static final String BROKERS_MOST = "transaction.max.timeout.ms";
  private static final String SESSION = "session.timeout.ms";
  private static final String STREAMS_SESSION = "group.streams.session.timeout.ms";

  private TimeoutAndGroupChecks() {}

  static void run(PreflightContext preflight) {
    transactions(preflight);
    Map<String, Object> consumer = new StreamsConfig(preflight.deployment().streams())
        .getMainConsumerConfigs(preflight.app(), "preflight", 0);
    isolation(preflight, consumer);
    preflight.check("group.protocol", () -> protocol(preflight, consumer));
    preflight.check("group " + preflight.app(), () -> members(preflight));
  }

  private static void transactions(PreflightContext preflight) {
    long timeout = preflight.service().transactionTimeout().toMillis();
    OptionalLong most = preflight.brokerNumber(BROKERS_MOST);
    String found = TRANSACTION + "=" + timeout;
    if (most.isEmpty()) {
      preflight.warning(
          TRANSACTION,
          found + "; the brokers' " + BROKERS_MOST + " is unknown",
          "at most " + BROKERS_MOST + " (15 min unless changed)",
          "grant DescribeConfigs on the cluster to see it");
    } else if (timeout > most.getAsLong()) {
      preflight.fault(
          TRANSACTION,
          found,
          "at most the brokers' " + BROKERS_MOST + "=" + most.getAsLong(),
          "set " + TRANSACTION + ": " + most.getAsLong());
    } else {
      preflight.ok(TRANSACTION, found + ", the brokers' " + BROKERS_MOST + "=" + most.getAsLong());
    }
    long commit = Long.parseLong(preflight.deployment().streams().get("commit.interval.ms"));
    if (timeout < COMMITS * commit) {
      preflight.fault(
          TRANSACTION,
          found + ", commit.interval.ms=" + commit,
          "at least " + COMMITS + " commit intervals: otherwise a slow commit is aborted",
          "set " + TRANSACTION + ": " + COMMITS * commit + ", or lower kafka.commit.interval.ms");
    } else {
      preflight.ok(TRANSACTION, found + ", commit.interval.ms=" + commit);
    }
  }

  private static void isolation(PreflightContext preflight, Map<String, Object> consumer) {
    String level = String.valueOf(consumer.get("isolation.level"));
    if (level.equals(PartitionReader.COMMITTED)) {
      preflight.ok("isolation.level", level);
    } else {
      preflight.fault(
          "isolation.level", level, PartitionReader.COMMITTED, "remove it from kafka.*");
    }
  }

  private static void protocol(PreflightContext preflight, Map<String, Object> consumer) {
    String subject = "group.protocol";
    String protocol = preflight
        .deployment()
        .streams()
        .getOrDefault("group.protocol", "classic")
        .toLowerCase(Locale.ROOT);
    if (!protocol.equals("streams")) {
      classic(preflight, subject, Long.parseLong(consumer.get(SESSION).toString()));
      return;
    }
    FinalizedVersionRange version = preflight
        .cluster()
        .await(
            preflight.cluster().admin().describeFeatures().featureMetadata(), "read the features")
        .finalizedFeatures()
        .get("streams.version");
    if (version == null || version.maxVersionLevel() < 1) {
      preflight.fault(
          subject,
          "streams, but the brokers' feature streams.version is "
              + (version == null ? "absent" : version.maxVersionLevel()),
          "streams.version of at least 1",
          "kafka-features.sh --bootstrap-server " + preflight.servers()
              + " upgrade --feature streams.version=1, or set kafka.group.protocol: classic");
      return;
    }
    Optional<String> own = preflight.cluster().groupSetting(preflight.app(), "streams." + SESSION);
    Optional<String> millis = own.or(() -> preflight.cluster().brokerSetting(STREAMS_SESSION));
    String missed = millis
        .map(each -> "after " + DurationText.words(Duration.ofMillis(Long.parseLong(each))))
        .orElse("after a time that they do not tell (45 s unless changed)");
    preflight.ok(
        subject,
        "streams: the brokers' " + STREAMS_SESSION + " decides when a killed instance is missed: "
            + missed);
  }

  private static void classic(PreflightContext preflight, String subject, long session) {
    OptionalLong least = preflight.brokerNumber("group.min." + SESSION);
    OptionalLong most = preflight.brokerNumber("group.max." + SESSION);
    String found = "classic: a killed instance is missed after "
        + DurationText.words(Duration.ofMillis(session)) + " (consumer." + SESSION + "=" + session
        + ")";
    boolean low = least.isPresent() && session < least.getAsLong();
    boolean high = most.isPresent() && session > most.getAsLong();
    if (low || high) {
      long bound = low ? least.getAsLong() : most.getAsLong();
      preflight.fault(
          subject,
          found,
          (low ? "at least " : "at most ") + bound + ", which the brokers demand",
          "set kafka.consumer." + SESSION + ": " + bound);
    } else {
      preflight.ok(subject, found);
    }
  }

  private static void members(PreflightContext preflight) {
    String subject = "group " + preflight.app();
    Optional<ConsumerGroup> found = ConsumerGroup.of(preflight.cluster(), preflight.app());
    if (found.isEmpty()) {
      preflight.ok(subject, "does not exist yet");
      return;
    }
    ConsumerGroup group = found.get();
    int members = group.members().size();
    String protocol = preflight
        .deployment()
        .streams()
        .getOrDefault("group.protocol", "classic")
        .toLowerCase(Locale.ROOT);
    if (members > 0 && group.streams() != protocol.equals("streams")) {
      preflight.fault(
          subject,
          members + " members with group.protocol " + (group.streams() ? "streams" : "classic"),
          "all members with the same, here " + protocol,
          "stop all instances before group.protocol is changed");
      return;
    }
    preflight.ok(
        subject,
        members == 0
            ? "state " + group.state() + ", no other members"
            : "state " + group.state() + ", "
                + (members == 1 ? "1 member: " : members + " members: ")
                + String.join("; ", group.names()));
  }
}

package dev.sotto.app.operations;

import dev.sotto.app.operations.Preflight.Flight;
import dev.sotto.topology.read.PartitionReader;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.streams.StreamsConfig;

/** Whether times fit each other and the brokers, and who else runs. */
final class RunningChecks {
  private static final long COMMITS = 3;
  private static final String TRANSACTION = "transaction.timeout.ms";
  private static final String BROKERS_MOST = "transaction.max.timeout.ms";
  private static final String SESSION = "session.timeout.ms";
  private static final String STREAMS_SESSION = "group.streams.session.timeout.ms";

  private RunningChecks() {}

  static void run(Flight flight) {
    transactions(flight);
    Map<String, Object> consumer = new StreamsConfig(flight.blueprint().streams())
        .getMainConsumerConfigs(flight.app(), "preflight", 0);
    isolation(flight, consumer);
    flight.findings().look("group.protocol", () -> protocol(flight, consumer));
    flight.findings().look("group " + flight.app(), () -> members(flight));
  }

  private static void transactions(Flight flight) {
    long timeout = flight.config().service().transactionTimeout().toMillis();
    OptionalLong most = flight.cluster().brokerNumber(BROKERS_MOST);
    String found = TRANSACTION + "=" + timeout;
    if (most.isEmpty()) {
      flight
          .findings()
          .warning(
              TRANSACTION,
              found + "; the brokers' " + BROKERS_MOST + " is unknown",
              "at most " + BROKERS_MOST + " (15 min unless changed)",
              "grant DescribeConfigs on the cluster to see it");
    } else if (timeout > most.getAsLong()) {
      flight
          .findings()
          .fault(
              TRANSACTION,
              found,
              "at most the brokers' " + BROKERS_MOST + "=" + most.getAsLong(),
              "set " + TRANSACTION + ": " + most.getAsLong());
    } else {
      flight
          .findings()
          .ok(TRANSACTION, found + ", the brokers' " + BROKERS_MOST + "=" + most.getAsLong());
    }
    long commit = Long.parseLong(flight.blueprint().streams().get("commit.interval.ms"));
    if (timeout < COMMITS * commit) {
      flight
          .findings()
          .fault(
              TRANSACTION,
              found + ", commit.interval.ms=" + commit,
              "at least " + COMMITS + " commit intervals: otherwise a slow commit is aborted",
              "set " + TRANSACTION + ": " + COMMITS * commit
                  + ", or lower kafka.commit.interval.ms");
    } else {
      flight.findings().ok(TRANSACTION, found + ", commit.interval.ms=" + commit);
    }
  }

  private static void isolation(Flight flight, Map<String, Object> consumer) {
    String level = String.valueOf(consumer.get("isolation.level"));
    if (level.equals(PartitionReader.COMMITTED)) {
      flight.findings().ok("isolation.level", level);
    } else {
      flight
          .findings()
          .fault("isolation.level", level, PartitionReader.COMMITTED, "remove it from kafka.*");
    }
  }

  private static void protocol(Flight flight, Map<String, Object> consumer) {
    String subject = "group.protocol";
    String protocol = flight
        .blueprint()
        .streams()
        .getOrDefault("group.protocol", "classic")
        .toLowerCase(Locale.ROOT);
    if (!protocol.equals("streams")) {
      classic(flight, subject, Long.parseLong(consumer.get(SESSION).toString()));
      return;
    }
    FinalizedVersionRange version = flight
        .cluster()
        .answers()
        .await(flight.cluster().admin().describeFeatures().featureMetadata(), "read the features")
        .finalizedFeatures()
        .get("streams.version");
    if (version == null || version.maxVersionLevel() < 1) {
      flight
          .findings()
          .fault(
              subject,
              "streams, but the brokers' feature streams.version is "
                  + (version == null ? "absent" : version.maxVersionLevel()),
              "streams.version of at least 1",
              "kafka-features.sh --bootstrap-server " + flight.servers()
                  + " upgrade --feature streams.version=1, or set kafka.group.protocol: classic");
      return;
    }
    Optional<String> own = flight.cluster().groupSetting(flight.app(), "streams." + SESSION);
    Optional<String> millis = own.or(() -> flight.cluster().brokerSetting(STREAMS_SESSION));
    String missed = millis
        .map(each -> "after " + Spans.words(Duration.ofMillis(Long.parseLong(each))))
        .orElse("after a time that they do not tell (45 s unless changed)");
    flight
        .findings()
        .ok(
            subject,
            "streams: the brokers' " + STREAMS_SESSION
                + " decides when a killed instance is missed: " + missed);
  }

  private static void classic(Flight flight, String subject, long session) {
    OptionalLong least = flight.cluster().brokerNumber("group.min." + SESSION);
    OptionalLong most = flight.cluster().brokerNumber("group.max." + SESSION);
    String found = "classic: a killed instance is missed after "
        + Spans.words(Duration.ofMillis(session)) + " (consumer." + SESSION + "=" + session + ")";
    boolean low = least.isPresent() && session < least.getAsLong();
    boolean high = most.isPresent() && session > most.getAsLong();
    if (low || high) {
      long bound = low ? least.getAsLong() : most.getAsLong();
      flight
          .findings()
          .fault(
              subject,
              found,
              (low ? "at least " : "at most ") + bound + ", which the brokers demand",
              "set kafka.consumer." + SESSION + ": " + bound);
    } else {
      flight.findings().ok(subject, found);
    }
  }

  private static void members(Flight flight) {
    String subject = "group " + flight.app();
    Optional<Group> found = Group.of(flight.cluster(), flight.app());
    if (found.isEmpty()) {
      flight.findings().ok(subject, "does not exist yet");
      return;
    }
    Group group = found.get();
    int members = group.members().size();
    String protocol = flight
        .blueprint()
        .streams()
        .getOrDefault("group.protocol", "classic")
        .toLowerCase(Locale.ROOT);
    if (members > 0 && group.streams() != protocol.equals("streams")) {
      flight
          .findings()
          .fault(
              subject,
              members + " members with group.protocol " + (group.streams() ? "streams" : "classic"),
              "all members with the same, here " + protocol,
              "stop all instances before group.protocol is changed");
      return;
    }
    flight
        .findings()
        .ok(
            subject,
            members == 0
                ? "state " + group.state() + ", no other members"
                : "state " + group.state() + ", "
                    + (members == 1 ? "1 member: " : members + " members: ")
                    + String.join("; ", group.members()));
  }
}

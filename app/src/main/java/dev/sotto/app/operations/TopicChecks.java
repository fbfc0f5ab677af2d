package dev.sotto.app.operations;

import dev.sotto.app.operations.Preflight.Flight;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.TopicNeed;
import dev.sotto.topology.Topics;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.TopicDescription;

/** Whether the application's own topics are as they must be, or could be made so. */
final class TopicChecks {
  private TopicChecks() {}

  static void run(Flight flight) {
    List<TopicNeed> own = new ArrayList<>(flight.blueprint().topics());
    own.addAll(flight.blueprint().changelogs());
    for (TopicNeed need : own) {
      String subject = "topic " + need.topic();
      flight.findings().look(subject, () -> {
        TopicDescription found = flight.cluster().topic(need.topic()).orElse(null);
        if (found == null) {
          missing(flight, subject, need);
        } else {
          existing(flight, subject, need, found.partitions().size());
        }
      });
    }
  }

  private static void missing(Flight flight, String subject, TopicNeed need) {
    int events = Math.max(1, flight.eventPartitions());
    try {
      flight.cluster().couldCreate(need.fresh(events, flight.config().service().replication()));
      flight.findings().ok(subject, "does not exist yet, and can be created");
    } catch (StartFailure failure) {
      String fix = failure.exitCode() == ExitCode.FORBIDDEN
          ? "have it created beforehand with what ./sotto describe lists, or grant Create on it"
          : "make it possible, or have it created beforehand with what ./sotto describe lists";
      flight
          .findings()
          .fault(
              subject,
              "does not exist, and cannot be created: " + failure.getMessage(),
              "a topic, or the permission to create it",
              fix);
    }
  }

  private static void existing(Flight flight, String subject, TopicNeed need, int partitions) {
    int events = flight.eventPartitions();
    boolean sound = true;
    if (events > 0 && !need.isMet(partitions, events)) {
      sound = false;
      int must = need.partitions().of(events);
      boolean ledger = need.topic().equals(Names.ledger(flight.app()));
      flight
          .findings()
          .fault(
              subject,
              partitions + " partitions",
              must + " (" + need.partitions().rule() + ")",
              ledger
                  ? Topics.otherLedger(need.topic(), partitions, must)
                  : "put the number of partitions back, or start a new app.id whose budget accounts for what"
                      + " was spent");
    }
    for (var setting : need.settings().entrySet()) {
      String name = setting.getKey();
      String has = flight.cluster().topicSetting(need.topic(), name);
      if (!need.isMet(name, has)) {
        sound = false;
        flight
            .findings()
            .fault(
                subject,
                name + "=" + has,
                name + "=" + setting.getValue() + (TopicNeed.isLeast(name) ? " or more" : ""),
                flight.alter(need.topic(), name + "=" + setting.getValue()));
      }
    }
    if (sound) {
      flight.findings().ok(subject, "exists, with all that is needed of it");
    }
  }
}

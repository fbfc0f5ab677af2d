package dev.sotto.app.preflight;

import dev.sotto.topology.admin.JoinPartitions;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.settings.TopicRequirement;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.TopicDescription;

/** Whether the application's own topics are as they must be, or could be made so. */
final class TopicChecks {
  private TopicChecks() {}

  static void run(PreflightContext preflight) {
    List<TopicRequirement> own = new ArrayList<>(preflight.deployment().topics());
    own.addAll(preflight.deployment().changelogs());
    for (TopicRequirement need : own) {
      String subject = "topic " + need.topic();
      preflight.check(subject, () -> {
        TopicDescription found = preflight.cluster().topic(need.topic()).orElse(null);
        if (found == null) {
          missing(preflight, subject, need);
        } else {
          existing(preflight, subject, need, found.partitions().size());
        }
      });
    }
  }

  private static void missing(PreflightContext preflight, String subject, TopicRequirement need) {
    int events = Math.max(1, preflight.eventPartitions());
    try {
      preflight.cluster().couldCreate(need.fresh(events, preflight.service().replication()));
      preflight.ok(subject, "does not exist yet, and can be created");
    } catch (SottoException failure) {
      String fix = failure.kind() == FailureKind.FORBIDDEN
          ? "have it created beforehand with what ./sotto describe lists, or grant Create on it"
          : "make it possible, or have it created beforehand with what ./sotto describe lists";
      preflight.fault(
          subject,
          "does not exist, and cannot be created: " + failure.getMessage(),
          "a topic, or the permission to create it",
          fix);
    }
  }

  private static void existing(
      PreflightContext preflight, String subject, TopicRequirement need, int partitions) {
    int events = preflight.eventPartitions();
    List<StartFinding> faults = preflight.checks().own(need, partitions, events);
    preflight.addAll(faults);
    boolean sound = faults.isEmpty();
    boolean grows = partitions < events && JoinPartitions.grows(preflight.settings(), need.topic());
    if (grows) {
      try {
        preflight.cluster().couldGrow(need.topic(), events);
      } catch (SottoException failure) {
        sound = false;
        preflight.fault(
            subject,
            partitions + " partitions, and cannot be given more: " + failure.getMessage(),
            events + " partitions, as many as the events have",
            JoinPartitions.byHand(need.topic(), events));
      }
    }
    if (sound) {
      preflight.ok(
          subject,
          grows
              ? "exists with " + partitions + " partitions; the start gives it " + events
                  + ", as many as the events have"
              : "exists, with all that is needed of it");
    }
  }
}

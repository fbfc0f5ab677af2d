package dev.sotto.topology.start;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The runs before a run, from the one at whose model it began back to the first. */
final class EarlierRuns {
  private EarlierRuns() {}

  /**
   * Why one of them may have learned records that count as new; empty where none has. A ledger that
   * is not there any more belongs to a learner that cannot go on.
   *
   * @param clients Kafka client settings
   * @param model at which the run begins or began
   */
  static Optional<String> doubt(Map<String, String> clients, StartingModel model) {
    StartingModel link = model;
    while (true) {
      long now = PublishedRun.entries(clients, link.app());
      if (now > link.records().entries()) {
        return Optional.of("the learner " + link.app() + " has gone on since a run began at its"
            + " model: " + Names.ledger(link.app()) + " had " + link.records().entries()
            + " entries then, and has " + now + " now");
      }
      Optional<StartingModel> before = new StartTopic(clients, link.app()).read();
      if (before.isEmpty()) {
        return link.newest().terms().earlierMu() > 0 && now > 0
            ? Optional.of("it is forgotten how the learner " + link.app() + " began: "
                + Names.start(link.app()) + " is gone")
            : Optional.empty();
      }
      if (!before.get().records().newOnly()) {
        return Optional.empty();
      }
      link = before.get();
    }
  }

  /**
   * They, and the one at whose model the run begins, back to the one that began with a cost.
   *
   * @param clients Kafka client settings
   * @param model at which the run begins; its records are those of its own run
   */
  static List<StartingModel> of(Map<String, String> clients, StartingModel model) {
    List<StartingModel> all = new ArrayList<>();
    Set<String> apps = new HashSet<>();
    Optional<StartingModel> link = Optional.of(model);
    while (link.isPresent() && apps.add(link.get().app())) {
      all.add(link.get());
      link = new StartTopic(clients, link.get().app())
          .read()
          .filter(each -> each.records().newOnly());
    }
    return all;
  }

  /**
   * What some runs have learned of the event topic: one has no entry of a partition of which it has
   * learned nothing, but one before it may have.
   */
  static List<OffsetRange> learned(List<StartingModel> runs) {
    Map<Integer, OffsetRange> all = new TreeMap<>();
    for (StartingModel each : runs) {
      each.records()
          .learned()
          .forEach(range -> all.merge(range.partition(), range, OffsetRange::span));
    }
    return List.copyOf(all.values());
  }
}

package dev.sotto.client;

import dev.sotto.client.ModelHealth.State;
import dev.sotto.learner.training.ModelSnapshot;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/** Puts versions in place that are what the ledger says and that can be scored; no others. */
final class VersionOffer {
  private static final int ATTEMPTS = 5;

  private final LiveModel model;
  private final TopicReader ledger; // null where it is not looked at

  VersionOffer(LiveModel model, TopicReader ledger) {
    this.model = model;
    this.ledger = ledger;
  }

  /**
   * Puts the newest version in place that can be used; where newer ones cannot, the health says so.
   *
   * @return whether there is any whole one, usable or not
   */
  boolean newest(
      VersionSearch search,
      Predicate<ModelSnapshot> wanted,
      List<TopicPartition> partitions,
      Map<TopicPartition, Long> ends) {
    Set<Long> refused = new HashSet<>();
    Optional<String> first = Optional.empty();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<VersionSearch.Found> found = search.find(
          each -> wanted.test(each) && !refused.contains(each.version()), partitions, ends);
      if (found.isEmpty()) {
        break;
      }
      Optional<String> fault = put(found.get());
      if (fault.isEmpty()) {
        first.ifPresent(newer -> model.say(State.DAMAGED, newer));
        return true;
      }
      refused.add(found.get().model().manifest().version());
      first = first.or(() -> fault);
    }
    return !refused.isEmpty();
  }

  /** Puts a whole version in place; gives what the health says where it cannot be used. */
  Optional<String> put(VersionSearch.Found found) {
    ModelSnapshot manifest = found.model().manifest();
    Optional<String> fault =
        ledger == null ? Optional.empty() : new LedgerSearch(ledger).fault(manifest);
    ScoringModel scoring = null;
    if (fault.isEmpty()) {
      try {
        scoring = ScoringModel.of(found.model());
      } catch (IllegalArgumentException future) {
        fault = Optional.of(future.getMessage());
      }
    }
    if (fault.isEmpty()) {
      model.put(found, scoring);
      return Optional.empty();
    }
    String text = "version " + manifest.version() + " of model " + manifest.modelId()
        + " is not used: " + fault.get();
    model.say(State.DAMAGED, text);
    return Optional.of(text);
  }
}

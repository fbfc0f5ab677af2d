package dev.sotto.client;

import dev.sotto.client.ModelHealth.State;
import dev.sotto.learner.training.ModelSnapshot;
import java.util.HashSet;
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
  private final boolean older;

  /**
   * Offers to a model.
   *
   * @param ledger to compare with; null for none
   * @param older whether an older version will do where a newer one is not decided
   */
  VersionOffer(LiveModel model, TopicReader ledger, boolean older) {
    this.model = model;
    this.ledger = ledger;
    this.older = older;
  }

  /**
   * What came of an offer.
   *
   * @param found whether there is any whole version, usable or not
   * @param left the newest version that was left out, of which it is not known yet whether the
   *     ledger confirms it; null where there is none
   */
  record Offered(boolean found, Left left) {}

  /**
   * A version that was left out.
   *
   * @param open what was written to the ledger and may hold its entry
   * @param fault what there is to say of it, if it lasts
   */
  record Left(long version, TopicReader.Written open, String fault) {}

  /** A version, what may be wrong with it, and what the ledger has before it. */
  private record Checked(
      VersionSearch.Found version,
      Optional<ScoringModel> usable,
      String fault,
      TopicReader.Written open,
      long before) {
    boolean isDecided() {
      return open == null;
    }
  }

  /**
   * Puts the newest version in place that can be used; where newer ones cannot, the health says so.
   *
   * @param settled up to which version it is known of all ledger entries whether they count; -1 of
   *     none
   */
  Offered newest(
      VersionSearch search,
      Predicate<ModelSnapshot> wanted,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> to,
      long settled) {
    Set<Long> refused = new HashSet<>();
    Optional<String> newer = Optional.empty();
    Left left = null;
    long[] most = {Long.MAX_VALUE};
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<VersionSearch.Found> found = search.find(
          each ->
              wanted.test(each) && each.version() <= most[0] && !refused.contains(each.version()),
          from,
          to);
      if (found.isEmpty()) {
        break;
      }
      Checked checked = check(found.get(), settled);
      if (checked.usable.isPresent()) {
        model.put(checked.version, checked.usable.get(), newer);
        return new Offered(true, left);
      }
      long version = found.get().model().manifest().version();
      refused.add(version);
      if (checked.isDecided()) {
        newer = newer.or(() -> Optional.of(checked.fault));
      } else {
        left = left == null ? new Left(version, checked.open, checked.fault) : left;
        long inPlace = model.current().map(ScoringModel::version).orElse(-1L);
        if (!older || checked.before <= inPlace) {
          break;
        }
        most[0] = checked.before; // what the ledger has not confirmed need not be read
      }
    }
    newer.ifPresent(text -> model.say(State.DAMAGED, text));
    return new Offered(!refused.isEmpty(), left);
  }

  /**
   * Puts a whole version in place; where it cannot be used, the health says so.
   *
   * @return false where it is not known yet whether it can: it is to be looked for again
   */
  boolean put(VersionSearch.Found found) {
    Checked checked = check(found, -1);
    if (checked.usable.isPresent()) {
      model.put(found, checked.usable.get(), Optional.empty());
    } else if (checked.isDecided()) {
      model.say(State.DAMAGED, checked.fault);
    }
    return checked.isDecided();
  }

  private Checked check(VersionSearch.Found found, long settled) {
    ModelSnapshot manifest = found.model().manifest();
    LedgerSearch.Answer answer = ledger == null
        ? new LedgerSearch.Answer(Optional.empty(), null, -1)
        : new LedgerSearch(ledger).ask(manifest, found.partition(), manifest.version() > settled);
    Optional<String> fault = answer.fault();
    Optional<ScoringModel> usable = Optional.empty();
    if (fault.isEmpty()) {
      try {
        usable = Optional.of(ScoringModel.of(found.model()));
      } catch (IllegalArgumentException future) {
        fault = Optional.of(future.getMessage());
      }
    }
    String text = "version " + manifest.version() + " of model " + manifest.modelId()
        + " is not used: " + fault.orElse("");
    return new Checked(found, usable, text, answer.open(), answer.before());
  }
}

package dev.sotto.client;

import dev.sotto.learner.training.ModelSnapshot;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks for the newest version that is wanted. Where it is not there, or its ledger entry is not,
 * it may be written and not known to be committed yet, though whoever asks for it has seen
 * elsewhere that it is: then {@link #isDecided} is false, and one looks again after a {@link
 * #pause}.
 */
final class VersionLook {
  /** For how long something that is missing is not reported: it may be a moment late. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration LATER = Duration.ofSeconds(1);

  private final VersionSearch search;
  private final Predicate<ModelSnapshot> wanted;
  private final TopicReader snapshots;
  private final VersionOffer offer;
  private final Map<TopicPartition, Long> ends = new HashMap<>(); // up to where was looked
  private long since = System.nanoTime();
  private boolean found;
  private boolean decided;
  private VersionOffer.Left left; // null where its entry is known to count, or not to
  private TopicReader.Written missed; // what may hold what was not found; null before that
  private long settled = -1;

  VersionLook(
      VersionSearch search,
      Predicate<ModelSnapshot> wanted,
      TopicReader snapshots,
      VersionOffer offer) {
    this.search = search;
    this.wanted = wanted;
    this.snapshots = snapshots;
    this.offer = offer;
  }

  /** Looks, and puts in place what can be used. What was read before is not read again in vain. */
  void look() {
    if (left != null) {
      if (left.open().isDecided()) {
        settled = left.version();
      } else if (!left.open().hasMoved()) {
        return;
      }
      ends.clear();
    }
    List<TopicPartition> partitions = snapshots.partitions();
    search(partitions);
    if (!found) {
      missed = missed == null ? snapshots.written(partitions) : missed;
      decided = missed.isDecided();
      if (decided) {
        search(partitions); // what has been decided since
      }
    }
  }

  /** From where it was looked before, or all where it was not, or the topic is another one. */
  private void search(List<TopicPartition> partitions) {
    Map<TopicPartition, Long> now = snapshots.ends(partitions);
    boolean goesOn = now.entrySet().stream()
        .allMatch(each -> each.getValue() >= ends.getOrDefault(each.getKey(), Long.MAX_VALUE));
    Map<TopicPartition, Long> from = goesOn ? Map.copyOf(ends) : snapshots.beginnings(partitions);
    VersionOffer.Offered offered = offer.newest(search, wanted, from, now, settled);
    ends.clear();
    ends.putAll(now);
    found = offered.found();
    if (offered.left() != null
        && (left == null || left.version() != offered.left().version())) {
      since = System.nanoTime();
    }
    left = offered.left();
    if (found) {
      decided = left == null;
    }
  }

  /** Whether there is a whole version that is wanted, usable or not. */
  boolean isFound() {
    return found;
  }

  /** Whether nothing that is written can change what was found. */
  boolean isDecided() {
    return decided;
  }

  /** Whether what is missing is to be reported. */
  boolean isTold() {
    return decided || isLate();
  }

  private boolean isLate() {
    return System.nanoTime() - since > GRACE.toNanos();
  }

  /** How long to wait before the next look. */
  Duration pause() {
    return isLate() ? LATER : SOON;
  }

  /** What there is to say of a version that was found and is not decided. */
  String fault() {
    return left.fault();
  }

  /** What is there instead, where nothing was found. */
  String met() {
    return search.met()
        + (decided ? "" : "; a transaction is open there, so it is looked for again");
  }

  /** Up to where was looked. */
  Map<TopicPartition, Long> ends() {
    return ends;
  }
}

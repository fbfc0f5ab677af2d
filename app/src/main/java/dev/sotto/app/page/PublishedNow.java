package dev.sotto.app.page;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.ModelAlias;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The newest of what an application has published.
 *
 * @param known whether all that was published before has been read
 * @param versions one of each model
 * @param aliases those that name a version
 * @param partitions of the events; 0 where that is not known yet
 * @param waiting offsets of the events that are in no version yet; empty where that is not known
 */
public record PublishedNow(
    boolean known,
    List<Version> versions,
    Map<String, ModelAlias> aliases,
    int partitions,
    OptionalLong waiting) {
  public PublishedNow {
    versions = List.copyOf(versions);
    aliases = Map.copyOf(aliases);
  }

  /**
   * A version with the loss of the newest window of private metrics.
   *
   * @param time when it was committed, in milliseconds since 1970
   * @param loss null where there are no metrics, or the noise leaves none
   * @param lossError its standard error; null as well
   */
  public record Version(LedgerEntry entry, long time, Double loss, Double lossError) {}

  /** The version that was committed last. */
  public Optional<Version> last() {
    return versions.stream().max(Comparator.comparingLong(Version::time));
  }

  /** Offsets before which everything is in a version, by partition of the events. */
  static SortedMap<Integer, Long> learned(List<Version> versions) {
    SortedMap<Integer, Long> ends = new TreeMap<>();
    versions.stream()
        .flatMap(each -> each.entry().ranges().stream())
        .forEach(each -> ends.merge(each.partition(), each.to(), Math::max));
    return ends;
  }

  /** How many offsets of the events are in versions. */
  public long learned() {
    return learned(versions).values().stream().mapToLong(Long::longValue).sum();
  }
}

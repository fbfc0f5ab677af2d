package dev.sotto.app.page;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How many events have come that no version covers yet: from the ends of the topic and the offsets
 * in the ledger, which are public both. What the learner has read beyond its ledger has no part in
 * it.
 *
 * @param events of all partitions together, as offsets count
 * @param partitions those in which most wait, the fullest first
 */
record WaitingEvents(long events, List<Partition> partitions) {
  /** As many partitions as are named. */
  static final int PARTITIONS = 50;

  /** Of one partition. */
  record Partition(int partition, long events) {}

  /**
   * Counts them; null where nothing is known, or what is known of the ends is older than what
   * versions cover.
   *
   * @param ends of each partition
   * @param covered up to where versions reach
   * @param beginnings where partitions begin that are in no version yet; others are left out
   */
  static WaitingEvents of(
      Map<Integer, Long> ends, Map<Integer, Long> covered, Map<Integer, Long> beginnings) {
    List<Partition> known = ends.entrySet().stream()
        .flatMap(each -> Stream.ofNullable(
                covered.getOrDefault(each.getKey(), beginnings.get(each.getKey())))
            .map(from -> new Partition(each.getKey(), each.getValue() - from)))
        .sorted(Comparator.comparingLong(Partition::events).reversed())
        .toList();
    if (known.isEmpty() || known.get(known.size() - 1).events() < 0) {
      return null;
    }
    return new WaitingEvents(
        known.stream().mapToLong(Partition::events).sum(),
        known.stream().limit(PARTITIONS).toList());
  }
}

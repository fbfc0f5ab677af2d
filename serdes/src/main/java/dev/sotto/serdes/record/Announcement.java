package dev.sotto.serdes.record;

/**
 * How far one event partition has come: one record of the order in layout ordered.
 *
 * @param partition the event partition
 * @param begin where learning begins in it, if no earlier announcement names it
 * @param end every committed record below this offset is announced; at or below an earlier
 *     announcement it says nothing
 */
public record Announcement(int partition, long begin, long end) {
  public Announcement {
    if (partition < 0 || begin < 0 || end < begin) {
      throw new IllegalArgumentException("an announcement needs a partition of at least 0 and"
          + " 0 <= begin <= end, but has partition " + partition + ", " + begin + ", " + end);
    }
  }
}

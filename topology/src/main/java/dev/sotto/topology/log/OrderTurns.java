package dev.sotto.topology.log;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.OrderPlace;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What is announced of the committed ends of the event partitions: turns of a fixed number of
 * offsets, in the order of the partitions' numbers, until every end is reached. So what has come up
 * to a moment has an order that follows from the ends at that moment, and not from what records
 * hold, how large they are or how fast they are read. Not safe for use by several threads.
 */
public final class OrderTurns {
  /** Offsets of one turn; the last partition that has any left takes all of them. */
  public static final long TURN = 1_000;

  private static final class Reached {
    final long begin;
    long end;
    boolean announced; // in this life

    Reached(long begin, long end) {
      this.begin = begin;
      this.end = end;
    }
  }

  private final NavigableMap<Integer, Reached> partitions = new TreeMap<>();

  /**
   * Goes on behind what has been announced.
   *
   * @param place in the order; what was announced behind it is {@link #knows added}
   */
  public OrderTurns(OrderPlace place) {
    place
        .partitions()
        .forEach(each -> partitions.put(each.partition(), new Reached(each.to(), each.to())));
  }

  /** An earlier announcement. */
  public void knows(Announcement earlier) {
    Reached reached = partitions.computeIfAbsent(
        earlier.partition(), none -> new Reached(earlier.begin(), earlier.end()));
    reached.end = Math.max(reached.end, earlier.end());
  }

  /** Whether a partition has been announced, or {@link #begin begun}. */
  public boolean knows(int partition) {
    return partitions.containsKey(partition);
  }

  /** Up to where a partition that is known has been announced. */
  public long end(int partition) {
    return partitions.get(partition).end;
  }

  /** Whether a partition ends before what has been announced of it. */
  public boolean lacks(int partition, long end) {
    return end < partitions.get(partition).end;
  }

  /** Learning of a partition that was never announced begins at an offset. */
  public void begin(int partition, long offset) {
    partitions.putIfAbsent(partition, new Reached(offset, offset));
  }

  /**
   * Announces what lies between the ends of before and those of now. A partition is named once in
   * each life though nothing may have come: nobody waits for an event behind what is known then.
   *
   * @param ends committed ends of partitions that are known
   * @param to takes the announcements, in order
   */
  public void announce(Map<Integer, Long> ends, Consumer<Announcement> to) {
    NavigableMap<Integer, Long> left = new TreeMap<>(ends);
    left.entrySet().removeIf(each -> {
      Reached reached = partitions.get(each.getKey());
      return reached.announced && each.getValue() <= reached.end;
    });
    while (!left.isEmpty()) {
      boolean alone = left.size() == 1;
      for (Iterator<Map.Entry<Integer, Long>> all = left.entrySet().iterator(); all.hasNext(); ) {
        Map.Entry<Integer, Long> each = all.next();
        Reached reached = partitions.get(each.getKey());
        long end = Math.max(reached.end, each.getValue());
        reached.end = alone ? end : Math.min(end, reached.end + TURN);
        reached.announced = true;
        to.accept(new Announcement(each.getKey(), reached.begin, reached.end));
        if (reached.end == end) {
          all.remove();
        }
      }
    }
  }

  /** Announces up to where one partition goes on before any other does. */
  public void announce(int partition, long end, Consumer<Announcement> to) {
    announce(Map.of(partition, end), to);
  }
}

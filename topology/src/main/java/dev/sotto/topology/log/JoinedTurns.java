package dev.sotto.topology.log;

import dev.sotto.serdes.record.Announcement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The order of events with labels that came later: by the times at which the events were appended,
 * in spans of a fixed length, and in each span by partition. A span is announced once every
 * partition has been read beyond it. So the order follows from the events' log, whatever the join
 * reads first, when it writes and when it is looked at. An event whose span has been announced
 * without it comes next. Not safe for use by several threads.
 */
public final class JoinedTurns {
  /** Milliseconds of one span. */
  public static final long SPAN = 50;

  /** Spans of one partition that wait for other partitions: more need not be read. */
  private static final int MOST = 10_000;

  private static final class Run {
    final long span;
    long end;

    Run(long span, long end) {
      this.span = span;
      this.end = end;
    }
  }

  private static final class Partition {
    final Deque<Run> runs = new ArrayDeque<>();
    long readBefore = Long.MIN_VALUE;
  }

  private final NavigableMap<Integer, Partition> partitions = new TreeMap<>();

  /** Takes part from now on: nothing is announced that this partition may still come before. */
  public void begin(int partition) {
    partitions.putIfAbsent(partition, new Partition());
  }

  /**
   * The next joined event of a partition.
   *
   * @param end offset behind it in the topic of joined events
   * @param time when the event was appended
   */
  public void read(int partition, long end, long time) {
    Partition of = partitions.get(partition);
    Run last = of.runs.peekLast();
    long span = Math.floorDiv(time, SPAN);
    if (last != null && span <= last.span) {
      last.end = end;
    } else {
      of.runs.add(new Run(span, end));
    }
    readBefore(partition, time);
  }

  /** Every event of a partition that was appended before a time has been {@link #read}. */
  public void readBefore(int partition, long time) {
    Partition of = partitions.get(partition);
    of.readBefore = Math.max(of.readBefore, time);
  }

  /** Whether what waits has no place before more is known of a partition. */
  public boolean isAwaited(int partition) {
    long next = nextSpan();
    return next < Long.MAX_VALUE
        && Math.floorDiv(partitions.get(partition).readBefore, SPAN) <= next;
  }

  /** The first span of which something waits; beyond all where nothing does. */
  private long nextSpan() {
    return partitions.values().stream()
        .filter(each -> !each.runs.isEmpty())
        .mapToLong(each -> each.runs.peekFirst().span)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Whether so much of a partition waits for others that no more of it need be read. */
  public boolean isFull(int partition) {
    return partitions.get(partition).runs.size() >= MOST;
  }

  /**
   * Announces what has its place by now. Every partition is named once in each life of the turns.
   *
   * @param turns what has been announced
   * @param to takes the announcements, in order
   */
  public void announce(OrderTurns turns, Consumer<Announcement> to) {
    partitions.keySet().forEach(each -> turns.announce(each, turns.end(each), to));
    long whole = partitions.values().stream()
        .mapToLong(each -> Math.floorDiv(each.readBefore, SPAN))
        .min()
        .orElse(Long.MIN_VALUE);
    for (long span = nextSpan(); span < whole; span = nextSpan()) {
      for (Map.Entry<Integer, Partition> each : partitions.entrySet()) {
        Deque<Run> runs = each.getValue().runs;
        if (!runs.isEmpty() && runs.peekFirst().span == span) {
          turns.announce(each.getKey(), runs.removeFirst().end, to);
        }
      }
    }
  }
}

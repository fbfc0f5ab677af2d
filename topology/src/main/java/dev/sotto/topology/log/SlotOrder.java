package dev.sotto.topology.log;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The slots of several event partitions as one log: announcements, in the order of their topic, put
 * pieces of the partitions one behind the other. A slot's place is the number of offsets that were
 * announced before it; transaction markers and aborted records are holes, as in any log. What is at
 * or below the end of an earlier announcement of its partition is ignored, and a gap belongs to the
 * announcement behind it, so the pieces follow from the announcements alone, whatever was announced
 * twice or not at all. Not safe for use by several threads.
 */
public final class SlotOrder implements SlotLog {
  /**
   * A piece of an event partition; an empty one says where learning begins in it.
   *
   * @param announced offset of its announcement
   * @param appended time of the announcement, which is the log time of its slots
   * @param at place of its first offset
   * @param partition of the events
   * @param from its first offset there
   */
  private record Piece(long announced, long appended, long at, int partition, long from) {}

  /** Where a slot's event lies. */
  public record Event(int partition, long offset) {}

  private final SlotLog events;
  private final List<Piece> pieces = new ArrayList<>();
  private final Map<Integer, Long> versions = new TreeMap<>(); // where the open one begins
  private Map<Integer, Long> base = new TreeMap<>(); // ends before the first piece
  private final Map<Integer, Long> ends = new TreeMap<>(); // behind the last piece
  private int first; // piece that is known still
  private long begin;
  private long end;
  private long next; // offset of the next announcement

  /**
   * An order of the slots of an event topic.
   *
   * @param events reads its partitions
   */
  public SlotOrder(SlotLog events) {
    this.events = events;
  }

  /** Goes on from a place. */
  public void start(OrderPlace place) {
    pieces.clear();
    first = 0;
    versions.clear();
    base = new TreeMap<>();
    ends.clear();
    for (OrderPlace.Reached each : place.partitions()) {
      versions.put(each.partition(), each.from());
      base.put(each.partition(), each.to());
    }
    ends.putAll(base);
    begin = place.at();
    end = place.at();
    next = place.nextAnnouncement();
  }

  /** The place behind the last slot that is announced. */
  public long end() {
    return end;
  }

  /** Offset of the next announcement. */
  public long nextAnnouncement() {
    return next;
  }

  /** Every announcement below an offset has been taken: the next one lies there or behind. */
  public void passAnnouncementsBelow(long offset) {
    next = Math.max(next, offset);
  }

  /** How many pieces end behind a place. */
  public int ahead(long place) {
    return pieces.size() - pieceAt(place);
  }

  /**
   * Takes the next announcement.
   *
   * @param announced its offset
   * @param appended its time
   */
  public void add(long announced, long appended, Announcement announcement) {
    next = announced + 1;
    int partition = announcement.partition();
    Long known = ends.get(partition);
    long from = known == null ? announcement.begin() : known;
    if (known == null || announcement.end() > from) {
      pieces.add(new Piece(announced, appended, end, partition, from));
      end += announcement.end() - from;
      ends.put(partition, announcement.end());
    }
  }

  /** A version begins at a place. */
  public void beginVersion(long place) {
    versions.clear();
    versions.putAll(at(place));
  }

  /** Where the open version lies, up to a place. */
  public List<OffsetRange> version(long to) {
    List<OffsetRange> ranges = new ArrayList<>();
    at(to).forEach((partition, offset) -> {
      long from = beginOfVersion(partition);
      if (offset > from) {
        ranges.add(new OffsetRange(partition, from, offset));
      }
    });
    return ranges;
  }

  private long beginOfVersion(int partition) {
    Long begun = versions.get(partition);
    if (begun != null) {
      return begun;
    }
    for (int i = first; i < pieces.size(); i++) {
      if (pieces.get(i).partition() == partition) {
        return pieces.get(i).from();
      }
    }
    throw new IllegalStateException("partition " + partition + " was never announced");
  }

  /** How far every partition has come at a place. */
  private Map<Integer, Long> at(long place) {
    Map<Integer, Long> reached = new TreeMap<>(base);
    int last = pieceAt(place);
    for (int i = first; i < last; i++) {
      Piece each = pieces.get(i);
      reached.put(each.partition(), each.from() + endOf(i) - each.at());
    }
    if (last < pieces.size() && pieces.get(last).at() < place) {
      Piece each = pieces.get(last);
      reached.put(each.partition(), each.from() + place - each.at());
    }
    return reached;
  }

  /** The state from which everything at a place and behind it can be found again. */
  public OrderPlace placeAt(long place, boolean inVersion) {
    Map<Integer, Long> reached = at(place);
    int piece = pieceAt(place);
    long from = piece < pieces.size() ? pieces.get(piece).announced() : next;
    List<OrderPlace.Reached> partitions = new ArrayList<>();
    reached.forEach((partition, to) -> partitions.add(new OrderPlace.Reached(
        partition, inVersion ? Math.min(to, beginOfVersion(partition)) : to, to)));
    return new OrderPlace(from, place, partitions);
  }

  /** The event at a place. */
  public Event eventAt(long place) {
    Piece piece = pieces.get(pieceAt(place));
    return new Event(piece.partition(), piece.from() + place - piece.at());
  }

  /** The place of an event; -1 where no known announcement names it. */
  public long placeOf(int partition, long offset) {
    for (int i = first; i < pieces.size(); i++) {
      Piece each = pieces.get(i);
      if (each.partition() == partition
          && offset >= each.from()
          && offset < each.from() + endOf(i) - each.at()) {
        return each.at() + offset - each.from();
      }
    }
    return -1;
  }

  /** The first offset of a partition that is announced; -1 where none of it is. */
  public long beginOf(int partition) {
    for (int i = first; i < pieces.size(); i++) {
      if (pieces.get(i).partition() == partition) {
        return pieces.get(i).from();
      }
    }
    return -1;
  }

  /** Forgets the pieces that end at a place or before it. */
  public void forgetBelow(long place) {
    while (first < pieces.size() && endOf(first) <= place) {
      Piece piece = pieces.get(first);
      base.put(piece.partition(), piece.from() + endOf(first) - piece.at());
      versions.putIfAbsent(piece.partition(), piece.from());
      begin = endOf(first);
      pieces.set(first, null);
      first++;
    }
    if (first > 1024 && first > pieces.size() / 2) {
      pieces.subList(0, first).clear();
      first = 0;
    }
  }

  private long endOf(int piece) {
    return piece + 1 < pieces.size() ? pieces.get(piece + 1).at() : end;
  }

  /** The first piece that ends behind a place. */
  private int pieceAt(long place) {
    int low = first;
    int high = pieces.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (endOf(middle) <= place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public Reading read(int partition, long from, long to) {
    if (from < begin || to > end) {
      throw new UnsafeToContinueException("slots from " + from + " to " + to
          + " of the order were asked for, but it is known from " + begin + " to " + end);
    }
    return new Slots(from, to);
  }

  /** Slots of one piece after the other. */
  private final class Slots implements Reading {
    private final long to;
    private long place; // every slot below it has been handed out
    private Piece piece; // that is read; null between two
    private long pieceEnd;
    private Reading reading;

    Slots(long from, long to) {
      this.place = from;
      this.to = to;
    }

    @Override
    public SourceRecord next() {
      while (place < to) {
        if (piece == null) {
          begin(pieceAt(place));
        }
        long shift = piece.at() - piece.from();
        SourceRecord event = reading.next();
        if (event != null) {
          place = Place.behind(event.place() + shift);
          return event.at(place - 1, piece.appended());
        }
        if (!reading.isWhole()) {
          return null;
        }
        place = pieceEnd;
        close();
      }
      return null;
    }

    private void begin(int number) {
      piece = pieces.get(number);
      pieceEnd = Math.min(to, endOf(number));
      long shift = piece.at() - piece.from();
      reading = events.read(piece.partition(), place - shift, pieceEnd - shift);
    }

    @Override
    public boolean isWhole() {
      return place >= to;
    }

    @Override
    public void close() {
      if (piece != null) {
        reading.close();
        piece = null;
      }
    }
  }

  @Override
  public void close() {
    events.close();
  }
}

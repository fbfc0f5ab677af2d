package dev.sotto.topology.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.OrderPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is announced follows from committed ends alone. */
class OrderTurnsTest {
  private static final int PARTITIONS = 3;

  private static OrderTurns fresh(long... begins) {
    OrderTurns turns = new OrderTurns(OrderPlace.beginning());
    for (int i = 0; i < begins.length; i++) {
      turns.begin(i, begins[i]);
    }
    return turns;
  }

  private static List<Announcement> announced(OrderTurns turns, Map<Integer, Long> ends) {
    List<Announcement> all = new ArrayList<>();
    turns.announce(ends, all::add);
    return all;
  }

  private static Announcement piece(int partition, long begin, long end) {
    return new Announcement(partition, begin, end);
  }

  @Test
  void takesTurnsUntilOnePartitionIsLeft() {
    OrderTurns turns = fresh(0, 500, 7);
    assertThat(announced(turns, Map.of(0, 2_500L, 1, 1_700L, 2, 5_007L)))
        .containsExactly(
            piece(0, 0, 1_000),
            piece(1, 500, 1_500),
            piece(2, 7, 1_007),
            piece(0, 0, 2_000),
            piece(1, 500, 1_700),
            piece(2, 7, 2_007),
            piece(0, 0, 2_500),
            piece(2, 7, 3_007),
            piece(2, 7, 5_007));
    assertThat(announced(turns, Map.of(0, 2_500L, 1, 1_701L, 2, 5_000L)))
        .as("nothing new is nothing said")
        .containsExactly(piece(1, 500, 1_701));
    assertThat(turns.lacks(2, 5_006)).as("the topic was made again").isTrue();
    assertThat(turns.lacks(2, 5_007)).isFalse();
  }

  /** Nobody waits for an event behind what another life was handed. */
  @Test
  void namesEveryPartitionOnceInEachLife() {
    OrderPlace place = new OrderPlace(9, 12, List.of(new OrderPlace.Reached(0, 3, 12)));
    OrderTurns turns = new OrderTurns(place);
    turns.knows(piece(0, 3, 40));
    turns.knows(piece(0, 3, 30));
    turns.knows(piece(1, 5, 5));
    turns.begin(0, 0); // the group's offset decides nothing any more
    turns.begin(2, 8);
    assertThat(turns.knows(2)).isTrue();
    assertThat(turns.knows(3)).isFalse();
    Map<Integer, Long> ends = Map.of(0, 40L, 1, 6L, 2, 8L);
    assertThat(announced(turns, ends))
        .containsExactly(piece(0, 12, 40), piece(1, 5, 6), piece(2, 8, 8));
    assertThat(announced(turns, ends)).isEmpty();
  }

  /** Another life goes on where the announcements end, wherever the one before it was stopped. */
  @Test
  void leavesEverySlotItsPlaceWhereverALifeEnds() {
    Random random = new Random(1);
    for (int run = 0; run < 50; run++) {
      List<Announcement> whole = new ArrayList<>();
      OrderTurns undisturbed = fresh(0, 3, 6);
      List<Announcement> pieces = new ArrayList<>();
      OrderTurns turns = fresh(0, 3, 6);
      long[] ends = {0, 3, 6};
      for (int tick = 0; tick < 6; tick++) {
        for (int i = 0; i < PARTITIONS; i++) {
          ends[i] += random.nextInt(3) == 0 ? random.nextInt(4_000) : random.nextInt(20);
        }
        Map<Integer, Long> now = Map.of(0, ends[0], 1, ends[1], 2, ends[2]);
        undisturbed.announce(now, whole::add);
        turns.announce(now, pieces::add);
        if (random.nextBoolean()) {
          turns = new OrderTurns(OrderPlace.beginning());
          pieces.forEach(turns::knows);
        }
      }
      assertThat(places(pieces, 7)).isEqualTo(places(whole, 7));
    }
  }

  static List<SlotOrder.Event> places(List<Announcement> announcements, int step) {
    SlotOrder order = new SlotOrder((partition, from, to) -> SlotLog.Reading.nothing());
    order.start(OrderPlace.beginning());
    for (int i = 0; i < announcements.size(); i++) {
      order.add(i, 0, announcements.get(i));
    }
    List<SlotOrder.Event> events = new ArrayList<>();
    for (long place = 0; place < order.end(); place += step) {
      events.add(order.eventAt(place));
    }
    return events;
  }
}

package dev.sotto.topology.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The order of joined events follows from when the events were appended alone. */
class JoinedTurnsTest {
  private static final int PARTITIONS = 3;

  /** An event that has been joined: where it was written, and when it came. */
  private record Joined(long offset, long time) {}

  private final List<Announcement> announced = new ArrayList<>();
  private OrderTurns turns = new OrderTurns(OrderPlace.beginning());
  private JoinedTurns merged = new JoinedTurns();

  private void begin() {
    merged = new JoinedTurns();
    for (int i = 0; i < PARTITIONS; i++) {
      turns.begin(i, 0);
      merged.begin(i);
    }
  }

  private List<Announcement> announce() {
    List<Announcement> now = new ArrayList<>();
    merged.announce(turns, now::add);
    announced.addAll(now);
    return now;
  }

  private static Announcement piece(int partition, long end) {
    return new Announcement(partition, 0, end);
  }

  @Test
  void spansFollowEachOtherOnceAllPartitionsAreBeyondThem() {
    begin();
    merged.read(0, 1, 100);
    merged.read(0, 2, 149);
    merged.read(0, 4, 150);
    merged.read(1, 1, 120);
    assertThat(announce())
        .as("named once, and nothing else: a partition may come before all of them")
        .containsExactly(piece(0, 0), piece(1, 0), piece(2, 0));
    merged.readBefore(2, 160);
    assertThat(merged.isAwaited(0)).isFalse();
    assertThat(merged.isAwaited(1)).isTrue();
    assertThat(merged.isAwaited(2)).isFalse();
    assertThat(announce()).as("more of partition 1 may belong to its span").isEmpty();
    merged.read(1, 5, 155);
    assertThat(announce()).containsExactly(piece(0, 2), piece(1, 1));
    merged.read(2, 1, 170);
    merged.read(2, 2, 1_000);
    merged.readBefore(0, 1_000);
    merged.readBefore(1, 1_000);
    assertThat(announce()).containsExactly(piece(0, 4), piece(1, 5), piece(2, 1));
    assertThat(announce()).isEmpty();
    assertThat(merged.isAwaited(2))
        .as("it has read nothing beyond its last event")
        .isTrue();
    merged.readBefore(2, 1_050);
    assertThat(merged.isAwaited(2)).isFalse();
    assertThat(merged.isAwaited(0)).as("an event of the same span may come").isTrue();
    merged.readBefore(0, Long.MAX_VALUE);
    merged.readBefore(1, Long.MAX_VALUE);
    assertThat(announce()).containsExactly(piece(2, 2));
    assertThat(merged.isAwaited(0)).as("nothing waits").isFalse();
  }

  /** A clock was behind by more than is awaited. */
  @Test
  void whatComesLateIsNext() {
    begin();
    merged.readBefore(0, 1_000);
    merged.readBefore(1, 1_000);
    merged.read(2, 1, 900);
    merged.readBefore(2, 1_000);
    announce();
    merged.read(0, 1, 400);
    assertThat(announce()).containsExactly(piece(0, 1));
  }

  /** In whichever pieces it is read, and wherever lives end and begin. */
  @Test
  void theOrderIsThatOfTheTimes() {
    Random random = Seed.random(32);
    List<List<Joined>> logs = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      List<Joined> log = new ArrayList<>();
      long offset = random.nextInt(3);
      long time = 1_000;
      for (int n = 0; n < 300; n++) {
        time += random.nextInt(40);
        log.add(new Joined(offset, time));
        offset += 1 + random.nextInt(2);
      }
      logs.add(log);
    }
    List<SlotOrder.Event> first = null;
    for (int run = 0; run < 30; run++) {
      announced.clear();
      turns = new OrderTurns(OrderPlace.beginning());
      begin();
      int[] read = new int[PARTITIONS];
      for (int left = 100_000; left > 0 && !isRead(read); left--) {
        int partition = random.nextInt(random.nextInt(3) + 1);
        List<Joined> log = logs.get(partition);
        for (int most = random.nextInt(30); most > 0 && read[partition] < log.size(); most--) {
          Joined next = log.get(read[partition]++);
          merged.read(partition, next.offset() + 1, next.time());
        }
        announce();
        if (random.nextInt(5) == 0) {
          turns = new OrderTurns(OrderPlace.beginning());
          announced.forEach(turns::knows);
          begin();
          for (int i = 0; i < PARTITIONS; i++) {
            read[i] = 0;
            while (read[i] < 300 && logs.get(i).get(read[i]).offset() < turns.end(i)) {
              read[i]++;
            }
          }
        }
      }
      for (int i = 0; i < PARTITIONS; i++) {
        merged.readBefore(i, Long.MAX_VALUE);
      }
      announce();
      List<SlotOrder.Event> order = OrderTurnsTest.places(announced, 1);
      first = first == null ? order : first;
      assertThat(order).isEqualTo(first).hasSizeGreaterThan(3 * 300);
    }
  }

  private static boolean isRead(int[] read) {
    for (int each : read) {
      if (each < 300) {
        return false;
      }
    }
    return true;
  }
}

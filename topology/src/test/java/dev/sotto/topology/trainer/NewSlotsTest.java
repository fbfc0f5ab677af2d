package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import org.junit.jupiter.api.Test;

class NewSlotsTest {
  private final NewSlots slots = new NewSlots();

  private static PartitionHead head(long lettersFrom, long handedTo, long announced) {
    return new PartitionHead(
        3,
        0,
        0,
        0,
        new byte[32],
        "topic",
        "constant",
        lettersFrom,
        handedTo,
        4,
        "events",
        announced,
        OrderPlace.beginning());
  }

  /** What was handed over first is the first new one, however late it enters the order. */
  @Test
  void beginWithTheFirstAnnouncementThatIsHandedOver() {
    slots.start(null);
    slots.handedOver(7);
    slots.handedOver(8);
    assertThat(slots.announced()).isEqualTo(7);
    assertThat(slots.place()).isEqualTo(-1);
    slots.added(6, 100); // left by an earlier life
    assertThat(slots.has(100)).isFalse();
    slots.added(7, 120);
    assertThat(slots.announced()).isEqualTo(-1);
    assertThat(slots.place()).isEqualTo(120);
    slots.added(8, 150);
    slots.handedOver(9);
    assertThat(slots.place()).isEqualTo(120);
    assertThat(slots.has(119)).isFalse();
    assertThat(slots.has(120)).isTrue();
  }

  @Test
  void beginWhereAnEarlierLifeLeftThem() {
    slots.start(head(40, 9, -1));
    slots.handedOver(9);
    assertThat(slots.place()).isEqualTo(40);
    assertThat(slots.announced()).isEqualTo(-1);
    slots.start(head(-1, 9, 5));
    slots.handedOver(9);
    assertThat(slots.announced()).isEqualTo(5);
    slots.added(5, 60);
    assertThat(slots.has(60)).isTrue();
    slots.start(head(-1, -1, -1)); // nothing was left
    slots.handedOver(9);
    assertThat(slots.announced()).isEqualTo(9);
  }
}

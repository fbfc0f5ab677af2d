package dev.sotto.topology.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.Announcement;
import org.junit.jupiter.api.Test;

class SlotOrderTest {
  private final SlotOrder order = new SlotOrder(null);

  /** An announcer that starts again may begin later, or earlier, than the last one ended. */
  @Test
  void leavesNothingOutBetweenTwoAnnouncements() {
    order.add(0, 100, new Announcement(0, 2, 5));
    order.add(1, 110, new Announcement(1, 0, 4));
    order.add(2, 120, new Announcement(0, 8, 10));
    order.add(3, 130, new Announcement(1, 1, 4));
    assertThat(order.end()).isEqualTo(3 + 4 + 5);
    assertThat(order.eventAt(0)).isEqualTo(new SlotOrder.Event(0, 2));
    assertThat(order.eventAt(6)).isEqualTo(new SlotOrder.Event(1, 3));
    for (int i = 0; i < 5; i++) {
      assertThat(order.eventAt(7 + i)).isEqualTo(new SlotOrder.Event(0, 5 + i));
    }
  }
}

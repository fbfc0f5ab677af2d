package dev.sotto.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.page.InstanceHistory.Instance;
import dev.sotto.app.page.InstanceHistory.Takeover;
import dev.sotto.topology.admin.ConsumerGroup.Member;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class InstanceHistoryTest {
  private static final String A = "app-3f2a9c1b-1111-2222-3333-444444444444";
  private static final String B = "app-9d0e77aa-1111-2222-3333-444444444444";

  private final InstanceHistory history = new InstanceHistory();

  private static Member thread(String process, int number, TopicPartition... partitions) {
    return new Member(
        process + "-StreamThread-" + number + "-consumer",
        "/10.0.0.4",
        Arrays.stream(partitions).collect(Collectors.toSet()));
  }

  private static TopicPartition events(int partition) {
    return new TopicPartition("events", partition);
  }

  @Test
  void putsTheThreadsOfAProcessTogether() {
    history.accept(
        List.of(
            thread(B, 1, events(3)),
            thread(A, 2, events(2), events(5)),
            thread(A, 1, events(0), events(1), new TopicPartition("app.order", 0)),
            new Member("mine", "host", Set.of())),
        1);
    assertThat(history.instances())
        .containsExactly(
            new Instance("3f2a9c1b", "10.0.0.4", 2, "app.order 0; events 0-2, 5"),
            new Instance("9d0e77aa", "10.0.0.4", 1, "events 3"),
            new Instance("mine", "host", 1, ""));
    assertThat(history.takeovers()).isEmpty();
  }

  @Test
  void remembersWhoTookWhatFromWhom() {
    history.accept(List.of(thread(A, 1, events(0), events(1)), thread(B, 1, events(2))), 1);
    history.accept(List.of(thread(B, 1, events(2))), 2); // the other one is gone
    assertThat(history.takeovers()).isEmpty();
    history.accept(List.of(thread(B, 1, events(0), events(1), events(2))), 3);
    assertThat(history.takeovers())
        .containsExactly(new Takeover(3, "events 0-1", "3f2a9c1b", "9d0e77aa"));
    assertThat(history.instances()).hasSize(1);
    history.accept(List.of(thread(A, 1, events(0)), thread(B, 1, events(1), events(2))), 4);
    assertThat(history.takeovers())
        .first()
        .isEqualTo(new Takeover(4, "events 0", "9d0e77aa", "3f2a9c1b"));
  }

  /** A thread of the same process, or the process after a restart, takes nothing over. */
  @Test
  void aProcessTakesNothingFromItself() {
    history.accept(List.of(thread(A, 1, events(0)), thread(A, 2, events(1))), 1);
    history.accept(List.of(), 2);
    history.accept(List.of(thread(A, 3, events(0), events(1))), 3);
    assertThat(history.takeovers()).isEmpty();
  }

  @Test
  void remembersABoundedNumber() {
    for (int i = 0; i < 100; i++) {
      history.accept(List.of(thread(i % 2 == 0 ? A : B, 1, events(0))), i);
    }
    assertThat(history.takeovers()).hasSize(InstanceHistory.TAKEOVERS);
    assertThat(history.takeovers().get(0).time()).isEqualTo(99);
  }
}

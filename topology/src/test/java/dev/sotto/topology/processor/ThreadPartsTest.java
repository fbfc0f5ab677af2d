package dev.sotto.topology.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ThreadPartsTest {
  private final ThreadParts parts = new ThreadParts();

  @Test
  void lastPartOfRoundAsksForTheCommit() {
    parts.begin(0);
    parts.begin(1);
    parts.begin(2);
    assertThat(parts.isLast(1, 1)).isFalse();
    assertThat(parts.isLast(0, 1)).isFalse();
    assertThat(parts.isLast(2, 1)).isTrue();
    assertThat(parts.isLast(2, 2)).isFalse();
  }

  @Test
  void workerBehindAsksForTheRoundThatAllHaveSent() {
    parts.begin(0);
    parts.begin(1);
    assertThat(parts.isLast(0, 1)).isFalse();
    assertThat(parts.isLast(0, 2)).isFalse();
    assertThat(parts.isLast(1, 1)).as("all have sent round 1").isTrue();
  }

  @Test
  void workersThatWentAwayAreNotWaitedFor() {
    parts.begin(0);
    parts.begin(1);
    parts.end(1);
    assertThat(parts.isLast(0, 1)).isTrue();
  }

  @Test
  void workersOfOtherThreadsAreNotWaitedFor() {
    parts.begin(0);
    CompletableFuture.runAsync(() -> parts.begin(1)).join();
    assertThat(parts.isLast(0, 1)).isTrue();
  }
}

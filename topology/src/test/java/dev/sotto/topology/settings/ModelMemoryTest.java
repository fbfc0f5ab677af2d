package dev.sotto.topology.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.topology.Trial;
import org.junit.jupiter.api.Test;

class ModelMemoryTest {
  private static final int WEIGHTS = 1 << 16;

  private static long bytes(Mechanisms mechanism) {
    return ModelMemory.bytes(
        Trial.plan(WEIGHTS, 16).toBuilder().mechanism(mechanism.make()).build());
  }

  /** Seen on the heap of a learner of 167 models: 99 bytes of doubles a weight, 25 of longs. */
  @Test
  void countsWhatTheNoiseRemembers() {
    assertThat(bytes(Mechanisms.BLT)).isBetween(120L * WEIGHTS, 125L * WEIGHTS);
    assertThat(bytes(Mechanisms.BINARY_TREE)).isBetween(64L * WEIGHTS, 65L * WEIGHTS);
  }

  @Test
  void leavesRoomForAsManyModelsAsFit() {
    long quarter = 512L << 20;

    assertThat(ModelMemory.room(quarter, bytes(Mechanisms.BLT))).isEqualTo(68);
    assertThat(ModelMemory.room(1, bytes(Mechanisms.BLT))).isEqualTo(ModelMemory.LEAST);
  }
}

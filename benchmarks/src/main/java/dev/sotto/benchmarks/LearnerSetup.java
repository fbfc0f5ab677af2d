package dev.sotto.benchmarks;

import dev.sotto.topology.settings.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * How a learner is set up.
 *
 * @param srgd Accelerated DP-SRGD, otherwise Private FTRL
 * @param partitions of the topic of events
 * @param batch slots in a round
 * @param lag of the rounds, 0 or 1
 * @param threads stream threads
 */
record LearnerSetup(Layout layout, boolean srgd, int partitions, int batch, int lag, int threads) {
  /** Slots in a round of Private FTRL. */
  static final int SMALL = 4096;

  /** Slots in a round of Accelerated DP-SRGD. */
  static final int LARGE = 65_536;

  /** Slots in the smallest rounds. */
  static final int SMALLEST = 64;

  /** Slots in a block of one pass, four queries of which are as large as {@link #SMALL} rounds. */
  static final int BLOCK = 4 * SMALL;

  /** Clipped accelerated stochastic approximation over blocks, in one pass. */
  static final LearnerSetup BLOCKS = new LearnerSetup(Layout.DIRECT, false, 1, BLOCK, 0, 1);

  static final LearnerSetup DIRECT_64 = new LearnerSetup(Layout.DIRECT, false, 1, SMALLEST, 0, 1);
  /** Private FTRL as the defaults have it where 2^16 weights ask for rounds of this size. */
  static final LearnerSetup DIRECT_256 = new LearnerSetup(Layout.DIRECT, false, 1, 256, 0, 1);

  static final LearnerSetup DIRECT = new LearnerSetup(Layout.DIRECT, false, 1, SMALL, 0, 1);
  static final LearnerSetup DIRECT_SRGD = new LearnerSetup(Layout.DIRECT, true, 1, LARGE, 0, 1);

  /** One model over all partitions, in the order of announcements. */
  static LearnerSetup ordered(int partitions, int threads) {
    return new LearnerSetup(Layout.ORDERED, false, partitions, SMALL, 0, threads);
  }

  /** The rounds layout with Accelerated DP-SRGD. */
  static LearnerSetup rounds(int partitions, int batch, int lag, int threads) {
    return new LearnerSetup(Layout.ROUNDS, true, partitions, batch, lag, threads);
  }

  /** The name in tables. */
  String name() {
    if (layout.readsEvents()) {
      return batch == BLOCK
          ? "blocks"
          : srgd ? "directSrgd" : batch == SMALL ? "direct" : "direct" + batch;
    }
    return layout.configName()
        + (partitions > 1 || layout.sumsParts() ? partitions : "")
        + (lag > 0 ? "Lag" + lag : "")
        + (threads > 1 ? "x" + threads : "");
  }

  /** All setups that are compared with the pass-through. */
  static List<LearnerSetup> all() {
    List<LearnerSetup> all =
        new ArrayList<>(List.of(DIRECT, DIRECT_64, DIRECT_256, BLOCKS, DIRECT_SRGD));
    for (int partitions : new int[] {1, 4}) {
      all.add(ordered(partitions, 1));
      all.add(ordered(partitions, 2));
    }
    for (int partitions = 1; partitions <= 4; partitions *= 2) {
      all.add(rounds(partitions, LARGE, 0, 1));
    }
    all.add(rounds(1, LARGE, 1, 1));
    all.add(rounds(4, LARGE, 0, 2));
    return List.copyOf(all);
  }

  /** The setup with one partition and the same algorithm, with which this one is compared. */
  LearnerSetup base() {
    return srgd ? DIRECT_SRGD : DIRECT;
  }
}

package dev.sotto.benchmarks;

import dev.sotto.topology.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * How a learner is set up.
 *
 * @param name in tables
 * @param srgd Accelerated DP-SRGD, otherwise Private FTRL
 * @param partitions of the topic of events
 * @param batch slots in a round
 * @param lag of the rounds, 0 or 1
 * @param threads stream threads
 */
record Setup(
    String name, Layout layout, boolean srgd, int partitions, int batch, int lag, int threads) {
  /** Slots in a round of Private FTRL. */
  static final int SMALL = 4096;

  /** Slots in a round of Accelerated DP-SRGD. */
  static final int LARGE = 65_536;

  static final Setup DIRECT = new Setup("direct", Layout.DIRECT, false, 1, SMALL, 0, 1);
  static final Setup DIRECT_SRGD = new Setup("directSrgd", Layout.DIRECT, true, 1, LARGE, 0, 1);
  private static final Setup FUNNEL = new Setup("funnel", Layout.FUNNEL, false, 1, SMALL, 0, 1);

  /** The rounds layout with Accelerated DP-SRGD, named after what is not the default. */
  static Setup rounds(int partitions, int batch, int lag, int threads) {
    String name =
        "rounds" + partitions + (lag > 0 ? "Lag" + lag : "") + (threads > 1 ? "x" + threads : "");
    return new Setup(name, Layout.ROUNDS, true, partitions, batch, lag, threads);
  }

  /** All that is measured beside the pass-through. */
  static List<Setup> all() {
    List<Setup> all = new ArrayList<>(List.of(DIRECT, DIRECT_SRGD, FUNNEL));
    for (int partitions = 1; partitions <= 4; partitions *= 2) {
      all.add(rounds(partitions, LARGE, 0, 1));
    }
    all.add(rounds(1, LARGE, 1, 1));
    all.add(rounds(4, LARGE, 0, 2));
    return List.copyOf(all);
  }

  /** Against what its figures are held besides the pass-through: one partition, the same algorithm. */
  Setup base() {
    return srgd ? DIRECT_SRGD : DIRECT;
  }
}

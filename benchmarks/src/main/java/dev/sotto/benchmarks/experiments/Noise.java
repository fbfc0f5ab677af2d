package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.release.BltSets;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;

/** The noise of the prefix sums. */
enum Noise {
  NONE("none"),
  INDEPENDENT("independent"),
  TREE("binary-tree"),
  /** The smallest tuned set whose horizon holds all rounds. */
  BLT("blt");

  final String label;

  Noise(String label) {
    this.label = label;
  }

  Mechanism mechanism(long rounds) {
    return switch (this) {
      case NONE -> Mechanisms.noneForPublicData();
      case INDEPENDENT -> Mechanisms.INDEPENDENT.make();
      case TREE -> Mechanisms.BINARY_TREE.make();
      case BLT -> Mechanisms.blt(setFor(rounds).parameters());
    };
  }

  private static BltSets setFor(long rounds) {
    if (rounds <= BltSets.HORIZON_2_6_X3.horizon()) {
      return BltSets.HORIZON_2_6_X3;
    }
    if (rounds <= BltSets.HORIZON_2_10_X4.horizon()) {
      return BltSets.HORIZON_2_10_X4;
    }
    return rounds <= BltSets.HORIZON_2_14_X5.horizon()
        ? BltSets.HORIZON_2_14_X5
        : BltSets.HORIZON_2_20_X5;
  }
}

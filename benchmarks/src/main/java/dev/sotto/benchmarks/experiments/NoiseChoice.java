package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;

/** The noise of the prefix sums. */
enum NoiseChoice {
  NONE("none"),
  INDEPENDENT("independent"),
  TREE("binary-tree"),
  /** The smallest tuned set whose horizon holds all rounds. */
  BLT("blt");

  final String label;

  NoiseChoice(String label) {
    this.label = label;
  }

  PrefixMechanism mechanism(long rounds) {
    return switch (this) {
      case NONE -> Mechanisms.noneForPublicData();
      case INDEPENDENT -> Mechanisms.INDEPENDENT.make();
      case TREE -> Mechanisms.BINARY_TREE.make();
      case BLT -> Mechanisms.blt(setFor(rounds).parameters());
    };
  }

  private static BltParameterSets setFor(long rounds) {
    if (rounds <= BltParameterSets.HORIZON_2_6_X3.horizon()) {
      return BltParameterSets.HORIZON_2_6_X3;
    }
    if (rounds <= BltParameterSets.HORIZON_2_10_X4.horizon()) {
      return BltParameterSets.HORIZON_2_10_X4;
    }
    return rounds <= BltParameterSets.HORIZON_2_14_X5.horizon()
        ? BltParameterSets.HORIZON_2_14_X5
        : BltParameterSets.HORIZON_2_20_X5;
  }
}

package dev.sotto.learner.optimizer;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.settings.Settings;

/** Reads the settings of one algorithm. */
sealed interface OptimizerReader {
  /** What they say, checked. */
  OptimizerSettings read(Settings settings, NamedObjective objective);

  /** Of an algorithm that takes the noise that somebody chose. */
  @FunctionalInterface
  non-sealed interface OfRounds extends OptimizerReader {
    @Override
    RoundSettings read(Settings settings, NamedObjective objective);
  }

  /** Of an algorithm that brings its noise. */
  @FunctionalInterface
  non-sealed interface OfBlocks extends OptimizerReader {
    @Override
    BlockSettings read(Settings settings, NamedObjective objective);
  }
}

package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Guarantee;
import java.util.Optional;

/**
 * What a closed round gives: only where it ends a version something to be published.
 *
 * @param facts of the round
 * @param version that ends with it; empty where its version goes on
 */
public record ClosedRound(Facts facts, Optional<ClosedVersion> version) {
  /**
   * What is public of a round before it begins.
   *
   * @param number from 1; with the last of a version, the version of the model
   * @param generation from 0
   * @param keyId name of the noise key that the round was begun under
   * @param last whether the budget forbids any further round
   */
  public record Facts(long number, int generation, String keyId, boolean last) {}

  public long number() {
    return facts.number();
  }

  public int generation() {
    return facts.generation();
  }

  public String keyId() {
    return facts.keyId();
  }

  public boolean last() {
    return facts.last();
  }

  private ClosedVersion ended() {
    return version.orElseThrow(() -> new IllegalStateException(
        "round " + number() + " ends no version: nothing of it is published"));
  }

  /** {@link ClosedVersion#weights()} of the version that ends with it. */
  public double[] weights() {
    return ended().weights();
  }

  /** {@link ClosedVersion#guarantee()} of the version that ends with it. */
  public Guarantee guarantee() {
    return ended().guarantee();
  }

  /** {@link ClosedVersion#metrics()} of the version that ends with it. */
  public Optional<NoisyMetrics> metrics() {
    return ended().metrics();
  }
}

package dev.sotto.learner.release;

import dev.sotto.learner.unit.Contributions;

/**
 * No noise at all, for a reference model on public data. Its sensitivity is infinite, so that every
 * guarantee computed from it is void; no configuration can name it.
 */
final class NoNoise implements Mechanism {
  @Override
  public String name() {
    return "none";
  }

  @Override
  public double sensitivity(long rounds) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivityLimit() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivity(long rounds, Contributions bound) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivityLimit(Contributions bound) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double prefixVariance(long rounds) {
    return 0;
  }

  @Override
  public double incrementVariance() {
    return 0;
  }

  @Override
  public NoiseWalk start() {
    return new NoiseWalk() {
      @Override
      void advance(long round, byte[] digest, KeyedNoise noise, long[] into) {}

      @Override
      Paged state(int pageBytes) {
        return Paged.of(new byte[0]);
      }
    };
  }

  @Override
  public NoiseWalk resume(Paged state) {
    return start();
  }
}

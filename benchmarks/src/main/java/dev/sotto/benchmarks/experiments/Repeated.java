package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;

/** The same rows several times, each as a record of its own, in another order. */
record Repeated(ExampleStream of, int times) implements ExampleStream {
  private static final long STRIDE = 7919;

  @Override
  public int count() {
    return times * of.count();
  }

  @Override
  public int dimension() {
    return of.dimension();
  }

  @Override
  public void read(int place, Example into) {
    of.read((int) (place * STRIDE % of.count()), into);
  }
}

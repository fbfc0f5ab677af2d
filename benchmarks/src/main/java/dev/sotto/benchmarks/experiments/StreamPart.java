package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;

/** Some examples in a row of a stream, as far as there are as many. */
record StreamPart(ExampleStream of, int from, int most) implements ExampleStream {
  @Override
  public int count() {
    return Math.min(most, of.count() - from);
  }

  @Override
  public int dimension() {
    return of.dimension();
  }

  @Override
  public void read(int place, Example into) {
    of.read(from + place, into);
  }

  @Override
  public int unit(int place) {
    return of.unit(from + place);
  }
}

package dev.sotto.learner.release;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.memory.SpareArrays;
import java.util.Arrays;

/**
 * The numbers of a {@link GradientSum}: sums of multiples of vectors, each product rounded to the
 * lattice. It bounds no vector: who adds one has done so, {@link ClippedSum} or {@link
 * MedianOfSums}. Not safe for use by several threads.
 */
final class LatticeSums {
  /** Of exact sums: they come back as zeros only. */
  private static final SpareArrays<double[]> SPARE = SpareArrays.ofDoubles(1);

  private final double magic;
  final double[] numbers;

  /**
   * Zeros.
   *
   * @param sums of vectors of the lattice's dimension, one after the other
   */
  LatticeSums(Lattice lattice, int sums) {
    this.magic = lattice.magic();
    this.numbers = SPARE.zeros(Math.multiplyExact(lattice.dimension(), sums));
  }

  /** Leaves its array to the next ones of this thread; no use afterwards. */
  void recycle() {
    SPARE.give(numbers);
  }

  /** Adds {@code factor} times the features of an example, from a place on. */
  void add(Example example, double factor, int from) {
    double[] values = example.values();
    int size = example.size();
    if (!example.isSparse()) {
      addDense(values, size, factor, from);
      return;
    }
    double[] into = numbers;
    double shift = magic;
    int[] indices = example.indices();
    for (int i = 0; i < size; i++) {
      into[from + indices[i]] += (factor * values[i] + shift) - shift;
    }
  }

  /** Adds {@code factor} times the first {@code size} values, from a place on. */
  void addDense(double[] values, int size, double factor, int from) {
    double[] into = numbers;
    double shift = magic;
    for (int i = 0; i < size; i++) {
      into[from + i] += (factor * values[i] + shift) - shift;
    }
  }

  /** Adds to one coordinate. */
  void addAt(int place, double value) {
    numbers[place] += (value + magic) - magic;
  }

  /** Adds other sums: whole units, below 2^53 of them. */
  void addAll(LatticeSums part) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] += part.numbers[i];
    }
  }

  void clear() {
    Arrays.fill(numbers, 0);
  }
}

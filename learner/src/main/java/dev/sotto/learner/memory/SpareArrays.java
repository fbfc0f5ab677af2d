package dev.sotto.learner.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * Large arrays of a model that has given way to others, for the next one of the same size that the
 * same thread makes: thousands of models that come and go would have them made, zeroed and
 * collected at every turn. Each kind of content has spare arrays of its own, so that what is still
 * in one never meets another kind: no exact sum, and no noise, gets where only noisy sums may be.
 *
 * <p>It keeps a few arrays a thread, all of one length. Whoever gives one must not use it again.
 */
public final class SpareArrays<A> {
  private final ThreadLocal<Deque<A>> spare = ThreadLocal.withInitial(ArrayDeque::new);
  private final int most;
  private final IntFunction<A> make;
  private final ToIntFunction<A> length;
  private final Consumer<A> clear;

  private SpareArrays(int most, IntFunction<A> make, ToIntFunction<A> length, Consumer<A> clear) {
    this.most = most;
    this.make = make;
    this.length = length;
    this.clear = clear;
  }

  /** Of doubles, at most this number in each thread. */
  public static SpareArrays<double[]> ofDoubles(int most) {
    return new SpareArrays<>(
        most, double[]::new, array -> array.length, array -> Arrays.fill(array, 0));
  }

  /** Of longs, at most this number in each thread. */
  public static SpareArrays<long[]> ofLongs(int most) {
    return new SpareArrays<>(
        most, long[]::new, array -> array.length, array -> Arrays.fill(array, 0));
  }

  /** An array of zeros. */
  public A zeros(int size) {
    A kept = kept(size);
    if (kept == null) {
      return make.apply(size);
    }
    clear.accept(kept);
    return kept;
  }

  /**
   * An array that may hold anything of the same kind: all of it must be written before it is read.
   */
  public A any(int size) {
    A kept = kept(size);
    return kept == null ? make.apply(size) : kept;
  }

  /** A copy of a part of an array. */
  public A copy(A of, int from, int to) {
    A copy = any(to - from);
    System.arraycopy(of, from, copy, 0, to - from);
    return copy;
  }

  private A kept(int size) {
    if (size == 0) {
      return null;
    }
    Deque<A> all = spare.get();
    A next = all.poll();
    if (next != null && length.applyAsInt(next) != size) {
      all.clear(); // models of another size come now
      return null;
    }
    return next;
  }

  /**
   * Takes an array that is of no use any more.
   *
   * @throws IllegalStateException where it is there already: it would be given to two
   */
  public void give(A array) {
    int size = length.applyAsInt(array);
    if (size == 0) {
      return; // those are shared
    }
    Deque<A> all = spare.get();
    for (A each : all) {
      if (each == array) {
        throw new IllegalStateException("an array of " + size + " numbers was given up twice");
      }
    }
    if (!all.isEmpty() && length.applyAsInt(all.peek()) != size) {
      all.clear();
    }
    if (all.size() < most) {
      all.push(array);
    }
  }
}

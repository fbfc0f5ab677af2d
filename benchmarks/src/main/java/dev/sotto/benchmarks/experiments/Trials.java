package dev.sotto.benchmarks.experiments;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs the cases of an experiment, on all processors; their order changes no figure. */
final class Trials {
  private static final int TOLD = 100; // runs between two lines of progress

  private final String name;
  private final boolean quick;
  private final Path data;

  /**
   * Of an experiment.
   *
   * @param quick a tenth of the work, to see that it runs: its figures answer nothing
   * @param data the folder of recorded sets; null where there is none
   */
  Trials(String name, boolean quick, Path data) {
    this.name = name;
    this.quick = quick;
    this.data = data;
  }

  /** What is measured of a case in one repetition, from 0. */
  interface Measurement<C> {
    double[] of(C each, int repetition);
  }

  /** All of it, or a little where the whole is only to be seen running. */
  <T> T choose(T all, T little) {
    return quick ? little : all;
  }

  /** The folder of recorded sets. */
  Path data() {
    if (data == null) {
      throw new IllegalStateException("the recorded data (shared/data) are not on this machine");
    }
    return data;
  }

  /** Whether there are recorded sets. */
  boolean hasData() {
    return data != null;
  }

  /** Tells how far it is. */
  void say(String format, Object... values) {
    System.err.println(name + ": " + String.format(Locale.ROOT, format, values));
  }

  /** Every case of a grid, with repetitions. */
  <C> List<Measured<C>> run(
      String what, List<C> cases, int repetitions, Measurement<C> measurement) {
    AtomicInteger done = new AtomicInteger();
    int all = cases.size() * repetitions;
    double[][] figures = IntStream.range(0, all)
        .parallel()
        .mapToObj(i -> {
          double[] found = measurement.of(cases.get(i / repetitions), i % repetitions);
          int now = done.incrementAndGet();
          if (now % TOLD == 0 || now == all) {
            say("%s: %d of %d", what, now, all);
          }
          return found;
        })
        .toArray(double[][]::new);
    List<Measured<C>> results = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      results.add(new Measured<>(
          cases.get(i), Arrays.asList(figures).subList(i * repetitions, (i + 1) * repetitions)));
    }
    return results;
  }

  /**
   * The same, one repetition after the other.
   *
   * @param made makes what one repetition is measured by; only one of them is held at a time
   */
  <C> List<Measured<C>> inTurn(
      String what, List<C> cases, int repetitions, IntFunction<Measurement<C>> made) {
    List<Measured<C>> results = new ArrayList<>();
    cases.forEach(each -> results.add(new Measured<>(each, new ArrayList<>())));
    for (int r = 0; r < repetitions; r++) {
      int repetition = r;
      Measurement<C> measurement = made.apply(r);
      List<Measured<C>> one = run(
          what + ", repetition " + (r + 1) + " of " + repetitions,
          cases,
          1,
          (each, none) -> measurement.of(each, repetition));
      for (int i = 0; i < one.size(); i++) {
        results.get(i).runs().addAll(one.get(i).runs());
      }
    }
    return results;
  }
}

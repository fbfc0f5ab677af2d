package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Some examples of a stream, in an order of their own.
 *
 * @param places in the stream
 */
record Rows(ExampleStream of, List<Integer> places) implements ExampleStream {
  /**
   * All of a stream in a drawn order, cut in two.
   *
   * @param share of the first part
   * @param seed of the order
   */
  static List<Rows> split(ExampleStream of, double share, long seed) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < of.count(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(seed));
    int cut = (int) Math.round(share * order.size());
    return List.of(
        new Rows(of, List.copyOf(order.subList(0, cut))),
        new Rows(of, List.copyOf(order.subList(cut, order.size()))));
  }

  @Override
  public int count() {
    return places.size();
  }

  @Override
  public int dimension() {
    return of.dimension();
  }

  @Override
  public void read(int place, Example into) {
    of.read(places.get(place), into);
  }

  @Override
  public int unit(int place) {
    return of.unit(places.get(place));
  }
}

package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;

/** A stream of labelled examples, held in memory; safe for use by several threads. */
interface ExampleStream {
  /** How many there are. */
  int count();

  /** The number of features of each. */
  int dimension();

  /**
   * Fills a buffer with one of them.
   *
   * @param place from 0
   */
  void read(int place, Example into);

  /** The unit of one of them; of interest only where a plan's units are keys. */
  default int unit(int place) {
    return place;
  }
}

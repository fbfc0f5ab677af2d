package dev.sotto.benchmarks;

/** One way to read a topic of examples from its first record to its last. */
interface Contender {
  /** Its name in tables. */
  String name();

  /** How many partitions the topic must have. */
  default int partitions() {
    return 1;
  }

  /**
   * Reads it once, with a group of its own.
   *
   * @param records how many there are
   */
  MeasuredRun read(BenchmarkCase what, String topic, long records, BenchmarkBroker broker)
      throws Exception;
}

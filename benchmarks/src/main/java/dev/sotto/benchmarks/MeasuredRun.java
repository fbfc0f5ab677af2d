package dev.sotto.benchmarks;

/**
 * The time of one pass over the records.
 *
 * @param records how many, at least 1
 * @param seconds of wall clock, from the first record to the last
 * @param cpuSeconds of processor time that this process used meanwhile, in all its threads
 * @param threadCpuSeconds the part of it of the one thread that polls and processes; the rest is
 *     the producer's, the collector's and the compiler's
 * @param brokerCpuSeconds of processor time that the broker used meanwhile
 */
record MeasuredRun(
    long records,
    double seconds,
    double cpuSeconds,
    double threadCpuSeconds,
    double brokerCpuSeconds) {
  double perSecond() {
    return records / seconds;
  }

  double perCpuSecond() {
    return records / cpuSeconds;
  }

  /** How many cores the one thread that polls and processes kept busy: the rest of 1 it waited. */
  double threadCores() {
    return threadCpuSeconds / seconds;
  }

  /** How many cores this process kept busy. */
  double cores() {
    return cpuSeconds / seconds;
  }

  /** How many cores the broker kept busy. */
  double brokerCores() {
    return brokerCpuSeconds / seconds;
  }
}

package dev.sotto.benchmarks;

/**
 * What it took to read so many records once.
 *
 * @param records how many, at least 1
 * @param seconds of wall clock, from the first record to the last
 * @param cpuSeconds of processor time that this process used meanwhile, in all its threads
 * @param brokerCpuSeconds of processor time that the broker used meanwhile
 */
record Run(long records, double seconds, double cpuSeconds, double brokerCpuSeconds) {
  double perSecond() {
    return records / seconds;
  }

  double perCpuSecond() {
    return records / cpuSeconds;
  }

  /** How many cores the broker kept busy. */
  double brokerCores() {
    return brokerCpuSeconds / seconds;
  }
}

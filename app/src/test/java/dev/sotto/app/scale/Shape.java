package dev.sotto.app.scale;

import java.util.Map;

/**
 * What is run on many instances: a layout, and what its output must be.
 *
 * @param name of the layout in configurations
 * @param partitions of the event topic
 * @param homes partitions of the ledger
 * @param settings of the configuration beside those of every run
 * @param reference compares what was committed with what an undisturbed learner publishes
 */
record Shape(
    String name, int partitions, int homes, Map<String, String> settings, Reference reference) {
  static final int BATCH = 200;

  /** A broker's settings under which groups of the streams protocol miss a member after 6 s. */
  static final Map<String, String> QUICK_STREAMS_GROUPS = Map.of(
      "group.streams.min.session.timeout.ms", "6000",
      "group.streams.session.timeout.ms", "6000",
      "group.streams.min.heartbeat.interval.ms", "1000",
      "group.streams.heartbeat.interval.ms", "1500");

  /** How a finished run is judged. */
  interface Reference {
    void check(Outcome outcome);
  }

  /**
   * How long writers pause between transactions, in the mean: a round that takes two hops must keep
   * up on a slow machine.
   */
  int pauseMillis() {
    return name.equals("rounds") ? 60 : 15;
  }

  /** How many instances can have a task: in layout ordered one does all. */
  int tasks() {
    return name.equals("ordered") ? homes : partitions;
  }

  /** A model in each of four partitions. */
  static Shape direct() {
    return new Shape(
        "direct", 4, 4, Map.of("model.id.source", "partition"), References::eachPartition);
  }

  /** One model over four partitions. */
  static Shape ordered() {
    return new Shape("ordered", 4, 1, Map.of(), References::ordered);
  }

  /** One model over four partitions, a slice of each in every round. */
  static Shape rounds() {
    return new Shape("rounds", 4, 1, Map.of(), References::slices);
  }
}

package dev.sotto.topology.settings;

import dev.sotto.topology.failure.NewHistory;

/** What it means that the events have other partitions than at the start. */
public final class EventPartitions {
  /** Why the smaller topic cannot be had back, before what to do instead. */
  private static final String NONE_AWAY = "Kafka takes no partition away again: ";

  private EventPartitions() {}

  /**
   * The refusal, whoever refuses: a start, a running learner, or the task of a new partition.
   *
   * @param settings of a layout that needs the same partitions all the time
   * @param now how many there are
   */
  public static String others(LearnerSettings settings, int had, int now) {
    boolean alone = settings.layout().needsOnePartition(settings);
    String meaning = settings.layout().sumsParts()
        ? "which slots make a round would change"
        : alone
            ? "one model learns from one partition in layout "
                + settings.layout().configName()
            : "models would move to other partitions and get a fresh budget there";
    return "the event topic " + settings.sourceTopic() + " had " + had
        + (had == 1 ? " partition" : " partitions") + " at the start, now it has " + now + ": "
        + meaning + ". Do not reset the application, nor alter topics of"
        + " its own. " + NONE_AWAY + NewHistory.START;
  }
}

package dev.sotto.topology.settings;

import dev.sotto.topology.failure.NewHistory;

/** What it means that the events have other partitions than at the start. */
public final class EventPartitions {
  /** Why the smaller topic cannot be had back, before what to do instead. */
  private static final String NONE_AWAY = "Kafka takes no partition away again: ";

  private EventPartitions() {}

  /**
   * The refusal.
   *
   * @param settings of a layout that needs the same partitions all the time
   * @param now how many there are
   */
  public static String others(LearnerSettings settings, int had, int now) {
    return refusal(settings, had, Integer.toString(now));
  }

  /** The refusal of the task of a partition that was not there, which knows no more than that. */
  public static String newOne(LearnerSettings settings, int had, int partition) {
    return refusal(settings, had, partition + 1 + " or more");
  }

  private static String refusal(LearnerSettings settings, int had, String now) {
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

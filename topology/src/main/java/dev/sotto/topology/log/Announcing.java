package dev.sotto.topology.log;

import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.Optional;

/**
 * Announces the committed ends of the event partitions at a fixed cadence, by {@link OrderTurns},
 * until it is closed; of events with labels that came later, how they follow each other by {@link
 * JoinedTurns}. It knows nothing of what is learned meanwhile.
 */
public interface Announcing extends AutoCloseable {
  /**
   * Where events and announcements are.
   *
   * @param group whose committed offsets say where learning begins in a partition that no
   *     announcement names
   * @param events the event topic
   * @param order the topic of the announcements
   * @param labels where a join writes the event topic: what it joins
   */
  record Topics(String group, String events, String order, Optional<LateLabels> labels) {
    /** Those of a learner. */
    public static Topics of(LearnerSettings settings, String group) {
      return new Topics(group, settings.eventTopic(), settings.trainingTopic(), settings.labels());
    }
  }

  /** Throws what has ended it, if anything has. */
  default void check() {}

  @Override
  void close();
}

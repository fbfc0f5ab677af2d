package dev.sotto.topology.start;

import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.LearnerSettings.Start;
import java.util.Map;
import java.util.Optional;

/** The beginning of a run at the published weights of another, at every start of an instance. */
public final class StartInitializer {
  private StartInitializer() {}

  /**
   * Writes down at which model the run begins, unless that has been done, and refuses where what
   * its budget rests on does not hold.
   *
   * @param clients Kafka client settings
   * @param eventTopicId id of the event topic as it is now
   * @throws UnsafeToContinueException where records that count as new ones are of another topic
   * @throws SottoException where another instance began elsewhere
   */
  public static void begin(
      Map<String, String> clients, LearnerSettings settings, String eventTopicId) {
    Optional<Start> start = settings.run().start();
    if (start.isEmpty()) {
      return;
    }
    StartingModel.Records records = start.get().model().records();
    if (records.newOnly() && !records.eventTopicId().equals(eventTopicId)) {
      throw new UnsafeToContinueException(
          "the run " + settings.app() + " began with a budget of its"
              + " own, since it learns only from records of topic id " + records.eventTopicId()
              + " that the run before it had not learned; " + settings.eventTopic() + " now has id "
              + eventTopicId + ". Restore the topic, or " + NewHistory.START);
    }
    if (records.newOnly()) {
      EarlierRuns.doubt(clients, start.get().model()).ifPresent(doubt -> {
        throw new UnsafeToContinueException("the run " + settings.app() + " began with a budget of"
            + " its own, since it learns only from records that no run before it has learned; but "
            + doubt + ". Records may be in both. Stop all of them for good, and start a new app.id"
            + " without start.from, with another run.label, and with privacy.spent.mu set to the"
            + " root of the sum of the squares of the limits that their ledgers state");
      });
    }
    if (start.get().fromTopics()) {
      new StartTopic(clients, settings.app()).write(start.get().model());
    }
  }
}

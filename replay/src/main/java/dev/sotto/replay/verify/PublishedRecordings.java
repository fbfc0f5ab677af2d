package dev.sotto.replay.verify;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.settings.Names;
import java.util.Optional;

/** What a learner has published, from recordings of its topics: no broker is needed. */
public final class PublishedRecordings implements PublishedOutputs {
  private final Recording ledger;
  private final Optional<Recording> snapshots;
  private final Optional<Recording> metrics;

  /**
   * Recordings of a learner's topics, which stay open.
   *
   * @throws RecordingException where one is of another topic
   */
  public PublishedRecordings(
      String app, Recording ledger, Optional<Recording> snapshots, Optional<Recording> metrics) {
    require("ledger", ledger, Names.ledger(app));
    snapshots.ifPresent(each -> require("snapshots", each, Names.snapshots(app)));
    metrics.ifPresent(each -> require("metrics", each, Names.metrics(app)));
    this.ledger = ledger;
    this.snapshots = snapshots;
    this.metrics = metrics;
  }

  private static void require(String what, Recording recording, String topic) {
    if (!recording.header().topic().equals(topic)) {
      throw new RecordingException("the recording given as " + what + " must be of topic " + topic
          + ", but is of topic " + recording.header().topic());
    }
  }

  @Override
  public void ledger(Visitor visitor) {
    read(ledger, visitor);
  }

  @Override
  public void snapshots(Visitor visitor) {
    snapshots.ifPresent(each -> read(each, visitor));
  }

  @Override
  public void metrics(Visitor visitor) {
    metrics.ifPresent(each -> read(each, visitor));
  }

  private static void read(Recording recording, Visitor visitor) {
    for (RecordedRange range : recording.header().ranges()) {
      try (RecordCursor cursor = recording.open(range.partition())) {
        while (cursor.next()) {
          visitor.take(range.partition(), cursor.offset(), cursor.key(), cursor.value());
        }
      }
    }
  }
}

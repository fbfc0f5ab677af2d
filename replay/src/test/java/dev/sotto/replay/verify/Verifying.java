package dev.sotto.replay.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.verify.Learned.Event;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.topology.settings.Layout;
import java.util.ArrayList;
import java.util.List;

/** One stream of four hundred offsets a partition, and its verification. */
final class Verifying {
  static final int OFFSETS = 400;
  static final Setup DIRECT = Setup.of(Layout.DIRECT);
  static final Setup ROUNDS = Setup.of(Layout.ROUNDS);

  private Verifying() {}

  static List<Event> events(int partitions) {
    return Learned.events(partitions, OFFSETS);
  }

  static InMemoryRecording whole(int partitions) {
    return Learned.recording(events(partitions), partitions, 0, OFFSETS);
  }

  static VerificationResult verify(Setup setup, Recording recording, PublishedOutputs published) {
    return new Verification(setup.settings(), recording, published).run();
  }

  /** The stream with one record less, or another one in its place; null takes it away. */
  static InMemoryRecording changed(int partitions, int at, byte[] value) {
    List<Event> events = new ArrayList<>(events(partitions));
    Event old = events.get(at);
    if (value == null) {
      events.remove(at);
    } else {
      events.set(at, new Event(old.partition(), old.offset(), old.key(), value));
    }
    return Learned.recording(events, partitions, 0, OFFSETS);
  }

  static FirstDifference onlyDifference(VerificationResult status) {
    assertThat(status.outcome()).isEqualTo(Outcome.DIFFERENT);
    return status.first().orElseThrow().difference().orElseThrow();
  }

  static long offset(int at) {
    return events(1).get(at).offset();
  }
}

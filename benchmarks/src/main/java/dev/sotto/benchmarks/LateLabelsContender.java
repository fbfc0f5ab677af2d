package dev.sotto.benchmarks;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The learner of layout direct behind a join with labels, one for each event, that lie in a second
 * topic: the same examples and rounds. The clock starts when the task that joins does, and ends at
 * the trainer's last record.
 */
final class LateLabelsContender extends LearnerContender {
  static final String NAME = "lateLabels";
  private static final int FEWER = 2; // a share of the records takes as long

  private final Duration wait;
  private final ConfigCapture logs;
  private final Set<String> filled = new HashSet<>();

  /**
   * A contender.
   *
   * @param wait how long events wait, in log time
   */
  LateLabelsContender(Map<String, String> kafka, Duration wait, ConfigCapture logs) {
    super(LearnerSetup.DIRECT, kafka, logs);
    this.wait = wait;
    this.logs = logs;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MeasuredRun read(BenchmarkCase what, String topic, long all, BenchmarkBroker broker)
      throws Exception {
    long records = all / FEWER;
    String shown = topic + "-shown";
    if (filled.add(shown)) {
      Map<String, String> stamped = Map.of("message.timestamp.type", "LogAppendTime");
      broker.create(shown, 1, stamped);
      broker.create(labels(shown), 1, stamped);
      EventFiller.writeWithLabels(what, shown, labels(shown), records, broker);
      Thread.sleep(wait.plus(LateLabels.GRACE).toMillis()); // all are over when it begins
    }
    return super.read(what, shown, records, broker);
  }

  private static String labels(String topic) {
    return topic + "-clicked";
  }

  @Override
  LearnerSettings adapted(String topic, StageTimer timer, LearnerSettings settings) {
    logs.whenJoining(timer::start);
    return settings.with(Optional.of(new LateLabels(
        topic, labels(topic), Optional.empty(), wait, LateLabels.GRACE, OptionalLong.empty())));
  }

  /** The examples hold labels already; those that come later cost what they cost. */
  @Override
  EventDecoder decoder(BenchmarkCase what) {
    return new Unwrapped(what.decoder());
  }

  private record Unwrapped(EventDecoder decoder) implements EventDecoder {
    @Override
    public int dimension() {
      return decoder.dimension();
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      LabelledEvent event = LabelledEvent.decode(value);
      return decoder.decode(key, event.features(), into);
    }
  }

  /** By which an event finds its label. */
  static byte[] id(long place) {
    return ("event-" + place).getBytes(StandardCharsets.US_ASCII);
  }
}

package dev.sotto.app.command;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The recorded order that belongs to recorded events, in layout ordered: a picocli mixin. */
final class OrderInput {
  @Option(
      names = "--order",
      paramLabel = "FILE",
      description = "In layout ordered: a recording of <app>.order from its beginning on. Unless"
          + " given, RECORDING.order, if there is such a file.")
  private Path file;

  /** Where the order of some recorded events is recorded. */
  static Path beside(Path events) {
    return events.resolveSibling(events.getFileName() + ".order");
  }

  /**
   * Opens it.
   *
   * @param events the recorded ones
   * @return null where there is none
   * @throws RecordingException where it cannot be read, or is of another topic
   */
  Recording open(Path events, LearnerSettings learner) {
    boolean ordered = learner.layout().keepsOrder();
    Path found = file == null && ordered && Files.exists(beside(events)) ? beside(events) : file;
    if (found == null) {
      return null;
    }
    Recording order =
        Recordings.open(found, RecordingOptions.defaults().with(learner.encryption()));
    String topic = order.header().topic();
    if (ordered && !topic.equals(learner.trainingTopic())) {
      order.close();
      throw new RecordingException(found + " is a recording of " + topic
          + ", but the order of this learner is " + learner.trainingTopic());
    }
    return order;
  }
}

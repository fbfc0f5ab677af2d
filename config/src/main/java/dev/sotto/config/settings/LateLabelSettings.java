package dev.sotto.config.settings;

import static dev.sotto.topology.settings.LabelKeys.BYTES;
import static dev.sotto.topology.settings.LabelKeys.ID;
import static dev.sotto.topology.settings.LabelKeys.MISSING;
import static dev.sotto.topology.settings.LabelKeys.TOPIC;
import static dev.sotto.topology.settings.LabelKeys.WAIT;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.settings.Settings;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LayoutChoice;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Builds the settings of labels that come later, and refuses what they do not go with. */
public final class LateLabelSettings {
  private LateLabelSettings() {}

  /** Them, where a topic of labels is given. */
  public static Optional<LateLabels> find(Settings settings) {
    if (!settings.isGiven(TOPIC)) {
      return Optional.empty();
    }
    String topic = settings.get(TOPIC);
    String events = settings.get(ApplicationKeys.EVENTS_TOPIC);
    if (topic.equals(events)) {
      throw settings.rejectValue(TOPIC, "be another topic than " + ApplicationKeys.EVENTS_TOPIC);
    }
    String format = settings.get(EventKeys.FORMAT);
    boolean avro = format.equals(EventKeys.AVRO);
    boolean json = format.equals(EventKeys.JSON);
    if (!json && EventKeys.registered(format).isEmpty()) {
      throw settings.reject(
          TOPIC,
          "needs " + EventKeys.FORMAT + " json, avro, protobuf or json-schema, but it is "
              + format);
    }
    if (avro && settings.get(EventKeys.AVRO_FRAMING) == AvroFraming.RAW) {
      throw settings.reject(
          TOPIC,
          "must be absent with " + EventKeys.AVRO_FRAMING
              + " raw, which knows one schema: events and labels have one each");
    }
    if (!json && settings.isGiven(ID)) {
      throw settings.reject(
          ID,
          "needs " + EventKeys.FORMAT + " json; with " + format + " the records' keys join them");
    }
    LayoutChoice layout = settings.get(ApplicationKeys.LAYOUT);
    if (layout.sumsParts()) {
      throw settings.reject(
          TOPIC, "must be absent with layout " + layout.configName() + ": take layout ordered");
    }
    if (settings.isGiven(EncryptionSettings.FILE)
        || settings.isGiven(EncryptionSettings.VARIABLE)) {
      throw settings.reject(
          TOPIC,
          "must be absent with encryption at rest: the topic of labelled events, and the ids in the"
              + " join's state, would lie in clear");
    }
    if (settings.get(MISSING) == MissingLabel.NEGATIVE && !hasNegatives(settings)) {
      throw settings.reject(
          MISSING,
          "must be empty with loss " + settings.get(ObjectiveSettings.LOSS)
              + ", which has no negatives");
    }
    return Optional.of(new LateLabels(
        events,
        topic,
        settings.find(ID),
        Duration.ofMillis(settings.get(WAIT)),
        LateLabels.GRACE,
        settings.find(BYTES).map(OptionalLong::of).orElseGet(OptionalLong::empty)));
  }

  /** Whether labels lie between 0 and 1, so that 0 is the negative one. */
  private static boolean hasNegatives(Settings settings) {
    return !ObjectiveSettings.hasClasses(settings)
        && Losses.named(settings.get(ObjectiveSettings.LOSS))
            .filter(each -> each.make().admits(0) && !each.make().admits(2))
            .isPresent();
  }
}

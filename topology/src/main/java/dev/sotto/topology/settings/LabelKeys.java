package dev.sotto.topology.settings;

import static dev.sotto.learner.settings.ConfigKey.of;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.ConfigKey.Condition;
import dev.sotto.learner.settings.Domain;
import dev.sotto.serdes.event.MissingLabel;
import java.time.Duration;
import java.util.List;

/** The settings of labels that come later (docs/late-labels.md). */
public final class LabelKeys {
  private static final long DAY = Duration.ofDays(1).toMillis();

  public static final ConfigKey<String> TOPIC = of(
          "events.labels.topic",
          ApplicationKeys.topic(249),
          "The topic of labels that come later than their events (docs/late-labels.md), with as"
              + " many partitions as `events.topic`, both with"
              + " `message.timestamp.type=LogAppendTime`. Not set: an event holds its label.")
      .optional();

  private static final Condition<String> GIVEN = new Condition<>(TOPIC, topic -> true, "given");

  public static final ConfigKey<String> ID = of(
          "events.labels.id",
          Domain.notBlank(),
          "The field, in events and labels, by which a label finds its event; only with"
              + " `events.format: json`. Not set: the records' key. Both topics must be partitioned"
              + " by it.")
      .optional()
      .onlyWith(GIVEN);

  public static final ConfigKey<Long> WAIT = of(
          "events.labels.wait.ms",
          Domain.between(1, 30 * DAY),
          "For how long an event waits for its label, by broker append times. Every event is"
              + " learned this much later.")
      .orElse(DAY)
      .onlyWith(GIVEN);

  public static final ConfigKey<MissingLabel> MISSING = of(
          "events.labels.missing",
          Domain.choice(MissingLabel.values(), MissingLabel::configName),
          "An event without a label in time leaves its slot `empty`, or is learned as a"
              + " `negative`, with label 0.")
      .orElse(MissingLabel.EMPTY)
      .onlyWith(GIVEN);

  public static final ConfigKey<Long> BYTES = of(
          "events.labels.bytes",
          Domain.atLeast(1L << 20),
          "Bytes of waiting events and labels that one instance holds on disk at most. Beyond"
              + " them it stops. Not set: as many as are free on the disk.")
      .optional()
      .onlyWith(GIVEN);

  /** All, in the order of the manual. */
  public static final List<ConfigKey<?>> ALL = List.of(TOPIC, ID, WAIT, MISSING, BYTES);

  private LabelKeys() {}
}

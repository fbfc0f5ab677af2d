package dev.sotto.topology;

import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Place;
import dev.sotto.topology.encryption.TopicCipher;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What to learn, from where, and how often to write it down.
 *
 * @param app application id, and the beginning of every topic's name
 * @param layout who cuts the rounds
 * @param eventTopic the users' topic
 * @param modelIds where a record's model comes from
 * @param plan the mechanism
 * @param key the noise key
 * @param label names the run
 * @param decoder makes one decoder of event values a task
 * @param cadence how often state and snapshots are written
 * @param encryption of stores and internal topics
 */
public record LearnerSettings(
    String app,
    Layout layout,
    String eventTopic,
    ModelIds modelIds,
    Plan plan,
    NoiseKey key,
    String label,
    Supplier<EventDecoder> decoder,
    Cadence cadence,
    Encryption encryption) {
  public LearnerSettings {
    Objects.requireNonNull(layout, "layout");
    Objects.requireNonNull(modelIds, "modelIds");
    Objects.requireNonNull(encryption, "encryption");
    if (layout != Layout.DIRECT && modelIds.source() != ModelIds.Source.CONSTANT) {
      throw new IllegalArgumentException("layout " + layout.configName()
          + " learns one model: the model id must be constant, but comes from "
          + modelIds.source().configName());
    }
    if (layout == Layout.ROUNDS && plan.account().admission().isPresent()) {
      throw new IllegalArgumentException(
          "layout rounds sums slices apart, without histories of units: participation must be once,"
              + " but was " + plan.participation().describe());
    }
  }

  /** Settings without encryption. */
  public LearnerSettings(
      String app,
      Layout layout,
      String eventTopic,
      ModelIds modelIds,
      Plan plan,
      NoiseKey key,
      String label,
      Supplier<EventDecoder> decoder,
      Cadence cadence) {
    this(app, layout, eventTopic, modelIds, plan, key, label, decoder, cadence, Encryption.none());
  }

  /** The same with another encryption. */
  public LearnerSettings with(Encryption other) {
    return new LearnerSettings(
        app, layout, eventTopic, modelIds, plan, key, label, decoder, cadence, other);
  }

  /** The same under another noise key, which gives another run. */
  public LearnerSettings with(NoiseKey other) {
    return new LearnerSettings(
        app, layout, eventTopic, modelIds, plan, other, label, decoder, cadence, encryption);
  }

  /** The same, written as often as another cadence says. */
  public LearnerSettings with(Cadence other) {
    return new LearnerSettings(
        app, layout, eventTopic, modelIds, plan, key, label, decoder, other, encryption);
  }

  /** The same with other decoders, which must decode every event as these do. */
  public LearnerSettings with(Supplier<EventDecoder> other) {
    return new LearnerSettings(
        app, layout, eventTopic, modelIds, plan, key, label, other, cadence, encryption);
  }

  /**
   * How often things are written; none of it changes the model.
   *
   * @param checkpointSlots a checkpoint after so many slots without a saved position
   * @param checkpointInterval and after so much time
   * @param stateEvery rounds between two writes of large state
   * @param releaseEvery rounds between two published snapshots
   */
  public record Cadence(
      long checkpointSlots, Duration checkpointInterval, long stateEvery, long releaseEvery) {
    /** Every round, and a checkpoint every 200,000 slots or minute. */
    public static Cadence everyRound() {
      return new Cadence(200_000, Duration.ofSeconds(60), 1, 1);
    }
  }

  /** Whether records are admitted by their unit's history. */
  boolean keepsHistories() {
    return plan.account().admission().isPresent();
  }

  /** The topic that the trainer reads. */
  public String trainingTopic() {
    return switch (layout) {
      case DIRECT -> eventTopic;
      case FUNNEL -> Names.sequence(app);
      case ROUNDS -> Names.sums(app);
    };
  }

  /** Of the points on the control topic; parts on the topic of sums are encrypted anyway. */
  TopicCipher controlCipher() {
    return encryption.topic(Place.topic(Names.control(app), 0));
  }

  /** Of the values in the funnel's sequence. */
  public TopicCipher sequenceCipher() {
    return encryption.topic(Place.topic(Names.sequence(app), 0));
  }
}

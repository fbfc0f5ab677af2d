package dev.sotto.app.scoring;

import dev.sotto.client.ScoringModel;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/** Events, predictions, and events that cannot be scored. No state. */
final class ScoreTopology {
  static final String TO_PREDICTIONS = "to-predictions";
  static final String TO_DEAD_LETTERS = "to-dead-letters";
  private static final String EVENTS = "events";
  private static final String SCORE = "score";

  private ScoreTopology() {}

  static Topology build(ScoreSettings settings, Supplier<ScoringModel> current) {
    ScoreSettings.Topics topics = settings.topics();
    boolean aside = topics.deadLetters().isPresent();
    Topology topology = new Topology()
        .addSource(
            settings.streams().fromLatest() ? AutoOffsetReset.latest() : AutoOffsetReset.earliest(),
            EVENTS,
            new PredictionTimes(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer(),
            topics.from())
        .addProcessor(SCORE, () -> new ScoreProcessor(current, settings.schemas(), aside), EVENTS)
        .addSink(
            TO_PREDICTIONS,
            topics.to(),
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            SCORE);
    topics
        .deadLetters()
        .ifPresent(topic -> topology.addSink(
            TO_DEAD_LETTERS, topic, new ByteArraySerializer(), new ByteArraySerializer(), SCORE));
    return topology;
  }
}

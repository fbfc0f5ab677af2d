package dev.sotto.testkit;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.range.UnboundedNumbers;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;

/**
 * Runs a configuration over events in a unit test: the learner's own processors, in memory, without
 * a broker, in milliseconds.
 *
 * <pre>{@code
 * LearnerTestKit.of(Path.of("sotto.yaml"))
 *     .with("batch.size", 4)
 *     .learn(TestInput.of("{\"x\": 0.3, \"y\": 1}").repeated(8))
 *     .assertRounds(2)
 *     .assertNoDeadLetters()
 *     .assertEpsilonAtMost(2);
 * }</pre>
 *
 * <p><b>For tests only.</b> Unless another is given, all noise follows from a key that everybody
 * knows, so whoever sees a result can take it off: what the kit learns from real events is as
 * sensitive as they are, golden files included.
 *
 * <p>Neither brokers, key files nor variables of the environment that the configuration names need
 * be there. Immutable.
 */
public final class LearnerTestKit {
  /** The noise key of tests, in hexadecimal digits: public, and refused in every configuration. */
  public static final String TEST_KEY = SeededNoiseKey.OF_TESTS;

  private final ConfigSource source;
  private final NoiseKey key;
  private final long seed;

  private LearnerTestKit(ConfigSource source, NoiseKey key, long seed) {
    this.source = source;
    this.key = key;
    this.seed = seed;
  }

  /**
   * A configuration file; paths in it are relative to the folder in which tests run.
   *
   * @throws dev.sotto.config.ConfigException where it cannot be read
   */
  public static LearnerTestKit of(Path yaml) {
    return of(ConfigSource.of(yaml));
  }

  /** A configuration as text. */
  public static LearnerTestKit ofText(String yaml) {
    return of(ConfigSource.of("the test's configuration", yaml));
  }

  private static LearnerTestKit of(ConfigSource source) {
    return new LearnerTestKit(source.withEmbedded(true), NoiseKey.ofHex(TEST_KEY), 0);
  }

  /**
   * The same with another value of a setting, or one more; {@code --set} of the command line. Lists
   * have commas.
   */
  public LearnerTestKit with(String setting, Object value) {
    List<String> flags = new ArrayList<>(source.flags());
    flags.add(setting + "=" + value);
    return new LearnerTestKit(source.withFlags(flags), key, seed);
  }

  /** The same under another noise key: that of a live run gives its very snapshots. */
  public LearnerTestKit withNoiseKey(NoiseKey other) {
    return new LearnerTestKit(source, other, seed);
  }

  /** The same under another order of the partitions, which matters in layout ordered alone. */
  public LearnerTestKit withSeed(long other) {
    return new LearnerTestKit(source, key, other);
  }

  /**
   * The configuration with all that was changed.
   *
   * @throws dev.sotto.config.ConfigException with all its faults
   */
  public SottoConfig config() {
    return SottoConfig.load(source.withNoiseKey(key));
  }

  /** What the configuration says of mechanism and cost. */
  public Plan plan() {
    return config().learner().plan();
  }

  long seed() {
    return seed;
  }

  /** Learns from literal values in partition 0. */
  public LearningResult learn(String... values) {
    return learn(TestInput.of(values));
  }

  /** Learns from events, undisturbed, to their end. */
  public LearningResult learn(TestInput events) {
    SottoConfig config = config();
    CollectedOutputs collected = new CollectedOutputs();
    ProgressiveScores progressive = new ProgressiveScores();
    try (Recording recording = events.open(config.learner().eventTopic())) {
      new Replay(config.learner(), recording).seed(seed).scored(progressive).run(collected);
    }
    return new LearningResult(this, config, events, collected, progressive.point());
  }

  /** Where labels come later: events and labels, to be written down in the order of their times. */
  public EventsAndLabels eventsAndLabels() {
    return new EventsAndLabels(this);
  }

  /**
   * Runs the learner inside a Kafka Streams application of one's own, as {@link
   * dev.sotto.topology.runtime.LearnerService#start(Topology)} does, through TopologyTestDriver.
   * Fails unless every byte that it publishes is that of {@link #learn(TestInput)} from what the
   * own processors wrote to the event topic. Not for layout rounds.
   *
   * <pre>{@code
   * kit.learnEmbedded(MyApp.topology(), driver -> driver
   *     .createInputTopic("orders", new StringSerializer(), new StringSerializer())
   *     .pipeInput("order 1"));
   * }</pre>
   *
   * @param own with sources, sinks and stores of its own; gets the learner's too
   * @param feed pipes what the own sources read, and may look at what the own sinks wrote
   * @return what was learned
   */
  public LearningResult learnEmbedded(Topology own, Consumer<TopologyTestDriver> feed) {
    TopologyDriverRun.Embedded run = TopologyDriverRun.embedded(config(), own, feed);
    LearningResult learned = learn(run.written());
    learned.requireSame(run.published(), "the learner inside the own topology");
    return learned;
  }

  /**
   * The same events under schedules of crashes, aborts and rebalances, which must all publish the
   * same: {@code kit.faultSchedules(events).seeds(0, 20).assertSameOutput()}.
   */
  public FaultSchedules faultSchedules(TestInput events) {
    LearnerSettings learner = config().learner();
    return FaultSchedules.of(learner, events.open(learner.eventTopic()));
  }

  /** What becomes of an event, before anything is learned. */
  public DecodedEvent decode(String value) {
    return decode(TestEvent.of(value));
  }

  /** What becomes of an event, before anything is learned. */
  public DecodedEvent decode(TestEvent event) {
    LearnerSettings learner = config().learner();
    return decode(learner.decoder().get(), learner.plan(), event);
  }

  static DecodedEvent decode(EventDecoder decoder, Plan plan, TestEvent event) {
    Slot slot = new Slot(plan.inputs());
    decoder.decode(event.key(), event.value(decoder), slot);
    ModelLearner.admit(slot, plan.objective());
    return DecodedEvent.of(decoder, slot, event);
  }

  /**
   * Fails where the decoder remembers: each event must become the same whatever came before it. A
   * guarantee rests on that ({@link dev.sotto.serdes.event.EventDecoderProvider}), and no learner
   * can find it out.
   */
  public LearnerTestKit assertStateless(TestInput events) {
    LearnerSettings learner = config().learner();
    List<TestEvent> all = events.list(learner.eventTopic());
    EventDecoder forwards = learner.decoder().get();
    EventDecoder backwards = learner.decoder().get();
    String[] seen = new String[all.size()];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = decode(forwards, learner.plan(), all.get(i)).toString();
    }
    for (int i = seen.length - 1; i >= 0; i--) {
      String other = decode(backwards, learner.plan(), all.get(i)).toString();
      if (!other.equals(seen[i])) {
        throw AssertionFailures.of(
            "event " + i + " of " + seen.length
                + " must become the same whatever came before it, but with all others before it,"
                + " and with all others after it, it became two things; a decoder must not"
                + " remember",
            seen[i],
            other);
      }
    }
    return this;
  }

  /**
   * What a version predicts of an event: a probability (of several classes that of the likeliest),
   * or a value in the label's unit.
   *
   * @throws org.opentest4j.AssertionFailedError where the event cannot be used
   */
  double predict(ModelVersion version, TestEvent event) {
    LearnerSettings learner = config().learner();
    Slot slot = new Slot(learner.plan().inputs());
    EventDecoder decoder = learner.decoder().get();
    decoder.decode(event.key(), event.value(decoder), slot);
    DecodedEvent.of(decoder, slot, event).assertUsed();
    Optional<FeatureMapText> map = Optional.of(version.manifest().features())
        .filter(text -> text.startsWith(FeatureMapText.VERSION_LINE))
        .map(FeatureMapText::parse);
    UnboundedNumbers numbers = learner.plan().ranges().numbers();
    if (!numbers.isEmpty()) {
      numbers.withoutLabel().complete(slot.example(), map.orElseThrow().measured());
    }
    Objective.Pass pass = learner.plan().objective().pass();
    pass.forward(slot.example(), version.weights().clone());
    double predicted = pass.predicted();
    return map.flatMap(FeatureMapText::labelScale)
        .map(scale -> scale.value(predicted))
        .orElse(predicted);
  }
}

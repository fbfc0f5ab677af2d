package dev.sotto.testkit;

import dev.sotto.app.config.ConfigSource;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.app.config.ThrowawayKey;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.replay.Progressive;
import dev.sotto.replay.Replay;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.LearnerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a configuration over events in a unit test: the learner's own processors, in memory, without a broker, in
 * milliseconds.
 *
 * <pre>{@code
 * Kit.of(Path.of("sotto.yaml"))
 *     .with("batch.size", 4)
 *     .learn(Events.of("{\"x\": 0.3, \"y\": 1}").times(8))
 *     .assertRounds(2)
 *     .assertNoDeadLetters()
 *     .assertEpsilonAtMost(2);
 * }</pre>
 *
 * <p><b>For tests only.</b> Unless another is given, all noise follows from a key that everybody knows, so whoever sees
 * a result can take it off: what the kit learns from real events is as sensitive as they are, golden files included.
 *
 * <p>Neither brokers, key files nor variables of the environment that the configuration names need be there. Immutable.
 */
public final class Kit {
  /** The noise key of tests, in hexadecimal digits: public, and refused in every configuration. */
  public static final String TEST_KEY = ThrowawayKey.OF_TESTS;

  private final ConfigSource source;
  private final NoiseKey key;
  private final long seed;

  private Kit(ConfigSource source, NoiseKey key, long seed) {
    this.source = source;
    this.key = key;
    this.seed = seed;
  }

  /**
   * A configuration file; paths in it are relative to the folder in which tests run.
   *
   * @throws dev.sotto.app.config.ConfigFailure where it cannot be read
   */
  public static Kit of(Path yaml) {
    return of(ConfigSource.of(yaml));
  }

  /** A configuration as text. */
  public static Kit ofText(String yaml) {
    return of(ConfigSource.of("the test's configuration", yaml));
  }

  private static Kit of(ConfigSource source) {
    return new Kit(source.withEmbedded(true), NoiseKey.ofHex(TEST_KEY), 0);
  }

  /** The same with another value of a setting, or one more; {@code --set} of the command line. Lists have commas. */
  public Kit with(String setting, Object value) {
    List<String> flags = new ArrayList<>(source.flags());
    flags.add(setting + "=" + value);
    return new Kit(source.withFlags(flags), key, seed);
  }

  /** The same under another noise key: that of a live run gives its very snapshots. */
  public Kit withNoiseKey(NoiseKey other) {
    return new Kit(source, other, seed);
  }

  /** The same under another order of the partitions, which matters in layout funnel alone. */
  public Kit withSeed(long other) {
    return new Kit(source, key, other);
  }

  /**
   * The configuration with all that was changed.
   *
   * @throws dev.sotto.app.config.ConfigFailure with all its faults
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
  public Learned learn(String... values) {
    return learn(Events.of(values));
  }

  /** Learns from events, undisturbed, to their end. */
  public Learned learn(Events events) {
    SottoConfig config = config();
    Collected collected = new Collected();
    Progressive progressive = new Progressive();
    try (Recording recording = events.open(config.learner().eventTopic())) {
      new Replay(config.learner(), recording).seed(seed).scored(progressive).run(collected);
    }
    return new Learned(this, config, events, collected, progressive.point());
  }

  /**
   * Learns from events of one partition through Kafka Streams' own TopologyTestDriver, which commits after every record,
   * and fails unless every byte of ledger, snapshots, metrics and dead letters is that of {@link #learn(Events)}. In
   * layout funnel but for the offsets of its sequence, between which the marks of transactions lie. Not for layout
   * rounds, whose workers wait for each other. That driver knows no crash and no second partition: {@link #schedules} do.
   *
   * @return what was learned
   */
  public Learned learnAsKafkaStreams(Events events) {
    Learned learned = learn(events);
    learned.requireSame(StreamsRun.of(config(), events), "TopologyTestDriver");
    return learned;
  }

  /**
   * The same events under schedules of crashes, aborts and rebalances, which must all publish the same: {@code
   * kit.schedules(events).seeds(0, 20).assertSameOutput()}.
   */
  public Schedules schedules(Events events) {
    LearnerSettings learner = config().learner();
    return Schedules.of(learner, events.open(learner.eventTopic()));
  }

  /** What becomes of an event, before anything is learned. */
  public Decoded decode(String value) {
    return decode(Event.of(value));
  }

  /** What becomes of an event, before anything is learned. */
  public Decoded decode(Event event) {
    LearnerSettings learner = config().learner();
    return decode(learner.decoder().get(), learner.plan(), event);
  }

  static Decoded decode(EventDecoder decoder, Plan plan, Event event) {
    Slot slot = new Slot(plan.inputs());
    decoder.decode(event.key(), event.value(), slot);
    ModelLearner.admit(slot, plan.objective());
    return Decoded.of(decoder, slot, event);
  }

  /**
   * Fails where the decoder remembers: each event must become the same whatever came before it. A guarantee rests on
   * that ({@link dev.sotto.serdes.event.EventDecoderProvider}), and no learner can find it out.
   */
  public Kit assertRemembersNothing(Events events) {
    LearnerSettings learner = config().learner();
    List<Event> all = events.list(learner.eventTopic());
    EventDecoder forwards = learner.decoder().get();
    EventDecoder backwards = learner.decoder().get();
    String[] seen = new String[all.size()];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = decode(forwards, learner.plan(), all.get(i)).toString();
    }
    for (int i = seen.length - 1; i >= 0; i--) {
      String other = decode(backwards, learner.plan(), all.get(i)).toString();
      if (!other.equals(seen[i])) {
        throw Failures.of(
            "event " + i + " of " + seen.length
                + " must become the same whatever came before it, but with all others before it, and with all others"
                + " behind it, it became two things; a decoder must not remember",
            seen[i],
            other);
      }
    }
    return this;
  }

  /**
   * What weights predict of an event: a probability (of several classes that of the likeliest), or a value in the
   * label's unit.
   *
   * @throws org.opentest4j.AssertionFailedError where the event cannot be used
   */
  double predict(double[] weights, Event event) {
    LearnerSettings learner = config().learner();
    Slot slot = new Slot(learner.plan().inputs());
    EventDecoder decoder = learner.decoder().get();
    decoder.decode(event.key(), event.value(), slot);
    Decoded.of(decoder, slot, event).assertUsed();
    Objective.Pass pass = learner.plan().objective().pass();
    pass.forward(slot.example(), Arrays.copyOf(weights, weights.length));
    return pass.predicted();
  }
}

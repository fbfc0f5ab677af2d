package dev.sotto.testkit;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.replay.Progressive;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.topology.Layout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a learner has published of some events, and assertions about it that fail as JUnit's do. */
public final class Learned {
  private final Kit kit;
  private final SottoConfig config;
  private final Events events;
  private final Collected published;
  private final Progressive.Point exact;

  Learned(
      Kit kit, SottoConfig config, Events events, Collected published, Progressive.Point exact) {
    this.kit = kit;
    this.config = config;
    this.events = events;
    this.published = published;
    this.exact = exact;
  }

  Kit kit() {
    return kit;
  }

  SottoConfig config() {
    return config;
  }

  Events events() {
    return events;
  }

  /** Compares with another run of the same events. */
  void requireSame(Collected other, String run) {
    if (config.learner().layout() == Layout.FUNNEL) {
      published.withoutOffsets().requireSame(other.withoutOffsets(), run);
    } else {
      published.bytes.requireSame(other.bytes, run);
    }
  }

  /** Every entry of the ledger, in the order of the rounds of each model. */
  public List<LedgerEntry> ledger() {
    return List.copyOf(published.ledger);
  }

  /** The ids of all models that closed a round, in alphabetical order. */
  public List<String> models() {
    return List.copyOf(published.ledger.stream()
        .map(LedgerEntry::modelId)
        .collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Every version that was published, in the order of the rounds of each model. */
  public List<Version> versions() {
    return List.copyOf(published.versions);
  }

  /** The newest version of the only model. */
  public Version newest() {
    Failures.unless(
        models().size() == 1, "newest() needs one model, but learned were: %s", models());
    return newest(models().get(0));
  }

  /** The newest version of a model. */
  public Version newest(String model) {
    return published.versions.stream()
        .filter(each -> each.model().equals(model))
        .reduce((first, second) -> second)
        .orElseThrow(() ->
            Failures.of("no version of model " + model + " was published; there is " + models()));
  }

  /** The events that filled their slots with nothing, by partition and offset. */
  public List<DeadLetter> deadLetters() {
    return published.letters();
  }

  /** The private metrics, if they have a share of the budget. */
  public List<ModelMetrics> metrics() {
    return List.copyOf(published.metrics);
  }

  /** How many rounds closed, of all models together. */
  public long rounds() {
    return published.ledger.size();
  }

  /** The largest epsilon that any model has cost; 0 before the first round. */
  public double epsilon() {
    return published.ledger.stream()
        .mapToDouble(each -> each.guarantee().epsilon())
        .max()
        .orElse(0);
  }

  /**
   * The mean loss of events, each scored by the newest version before it was learned from; NaN where there were none.
   * Exact, and not private.
   */
  public double loss() {
    return exact.loss();
  }

  /** The share of right decisions, likewise; NaN where labels are no classes. */
  public double accuracy() {
    return exact.accuracy();
  }

  /**
   * What the newest version predicts of an event: a probability, or a value in the label's unit. The event needs all that
   * the decoder does, a label too.
   */
  public double predict(String value) {
    return kit.predict(newest().weights(), Event.of(value));
  }

  /** SHA-256 over every byte of ledger, snapshots, metrics and dead letters. */
  public String digest() {
    return published.bytes.digest();
  }

  /** Fails unless so many rounds closed, of all models together. */
  public Learned assertRounds(long expected) {
    if (rounds() != expected) {
      throw Failures.of(
          "rounds closed must be " + expected + ", but were " + rounds() + " of models " + models()
              + ": a round takes " + config.learner().plan().batch() + " slots, and there were "
              + events.summary(config.learner().eventTopic()).count() + " events",
          expected,
          rounds());
    }
    return this;
  }

  /** Fails if any event was set aside. */
  public Learned assertNoDeadLetters() {
    return assertDeadLetters(0);
  }

  /** Fails unless so many events were set aside. */
  public Learned assertDeadLetters(long expected) {
    long actual = deadLetters().size();
    if (actual != expected) {
      throw Failures.of(
          "events set aside must be " + expected + ", but were " + actual + story(),
          expected,
          actual);
    }
    return this;
  }

  /** Fails unless so many events were set aside for a reason; others do not matter. */
  public Learned assertDeadLetters(Verdict reason, long expected) {
    long actual = deadLetters().stream().filter(each -> each.reason() == reason).count();
    if (actual != expected) {
      throw Failures.of(
          "events set aside as " + reason + " must be " + expected + ", but were " + actual
              + story(),
          expected,
          actual);
    }
    return this;
  }

  /** Counts, and the first of each reason; its content only if it stands in the test. */
  private String story() {
    Map<Verdict, DeadLetter> first = new TreeMap<>();
    Map<Verdict, Integer> counts = new TreeMap<>();
    for (DeadLetter each : deadLetters()) {
      first.putIfAbsent(each.reason(), each);
      counts.merge(each.reason(), 1, Integer::sum);
    }
    StringBuilder text = new StringBuilder();
    first.forEach((reason, letter) -> {
      text.append("\n  ")
          .append(counts.get(reason))
          .append(" x ")
          .append(reason)
          .append(": ");
      text.append(reason.sentence()).append("; the first at partition ");
      text.append(letter.partition()).append(" offset ").append(letter.offset());
      if (events.areLiteral()) {
        text.append(": ").append(letter.event());
        kit.decode(letter.event())
            .failure()
            .ifPresent(thrown -> text.append(" (").append(thrown).append(')'));
      }
    });
    return text.toString();
  }

  /** Fails where any model has cost more. */
  public Learned assertEpsilonAtMost(double most) {
    Failures.unless(epsilon() <= most, "epsilon must be at most %s, but is %s", most, epsilon());
    return this;
  }

  /** Fails unless every weight of the only model's newest version lies so near to what is expected. */
  public Learned assertWeights(double within, double... expected) {
    double[] actual = newest().weights();
    Failures.unless(
        actual.length == expected.length,
        "there must be %s weights, but there are %s",
        expected.length,
        actual.length);
    for (int i = 0; i < expected.length; i++) {
      if (!(Math.abs(actual[i] - expected[i]) <= within)) {
        throw Failures.of(
            "weight " + i + " must be " + expected[i] + " within " + within + ", but is "
                + actual[i],
            Arrays.toString(expected),
            Arrays.toString(actual));
      }
    }
    return this;
  }

  /** Fails where the progressive loss is larger; without events it is. */
  public Learned assertLossAtMost(double most) {
    Failures.unless(loss() <= most, "loss must be at most %s, but is %s", most, loss());
    return this;
  }

  /** Fails where the progressive accuracy is less; where labels are no classes it is. */
  public Learned assertAccuracyAtLeast(double least) {
    Failures.unless(
        accuracy() >= least, "accuracy must be at least %s, but is %s", least, accuracy());
    return this;
  }
}

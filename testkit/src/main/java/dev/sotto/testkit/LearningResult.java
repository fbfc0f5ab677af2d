package dev.sotto.testkit;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a learner has published of some events, and assertions about it that fail as JUnit's do. */
public final class LearningResult {
  private final LearnerTestKit kit;
  private final SottoConfig config;
  private final TestInput events;
  private final CollectedOutputs published;
  private final ProgressiveScores.Point exact;

  LearningResult(
      LearnerTestKit kit,
      SottoConfig config,
      TestInput events,
      CollectedOutputs published,
      ProgressiveScores.Point exact) {
    this.kit = kit;
    this.config = config;
    this.events = events;
    this.published = published;
    this.exact = exact;
  }

  LearnerTestKit kit() {
    return kit;
  }

  SottoConfig config() {
    return config;
  }

  TestInput events() {
    return events;
  }

  /** Compares with another run of the same events. */
  void requireSame(CollectedOutputs other, String run) {
    published.bytes.requireSame(other.bytes, run);
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
  public List<ModelVersion> versions() {
    return List.copyOf(published.versions);
  }

  /** The newest version of the only model. */
  public ModelVersion newestVersion() {
    AssertionFailures.unless(
        models().size() == 1, "newestVersion() needs one model, but learned were: %s", models());
    return newestVersion(models().get(0));
  }

  /** The newest version of a model. */
  public ModelVersion newestVersion(String model) {
    return published.versions.stream()
        .filter(each -> each.model().equals(model))
        .reduce((first, second) -> second)
        .orElseThrow(() -> AssertionFailures.of(
            "no version of model " + model + " was published; there is " + models()
                + ". A version takes " + VersionKeys.SLOTS + " slots, "
                + config.learner().plan().learning().versions().slots()));
  }

  /** The events that filled their slots with nothing, by partition and offset. */
  public List<DeadLetterEvent> deadLetters() {
    return published.letters();
  }

  /** The private metrics, if they have a share of the budget. */
  public List<ModelMetrics> metrics() {
    return List.copyOf(published.metrics);
  }

  /** How many rounds the published versions cover, of all models together. */
  public long rounds() {
    return published.ledger.stream()
        .mapToLong(each -> each.round() - each.firstRound() + 1)
        .sum();
  }

  /** The largest epsilon that any model has cost; 0 before the first round. */
  public double epsilon() {
    return published.ledger.stream()
        .mapToDouble(each -> each.guarantee().epsilon())
        .max()
        .orElse(0);
  }

  /**
   * The mean loss of events, each scored by the newest version before it was learned from; NaN
   * where there were none. Exact, and not private.
   */
  public double loss() {
    return exact.loss();
  }

  /** The share of right decisions, likewise; NaN where labels are no classes. */
  public double accuracy() {
    return exact.accuracy();
  }

  /**
   * What the newest version predicts of an event: a probability, or a value in the label's unit.
   * The event needs all that the decoder does, a label too.
   */
  public double predict(String value) {
    return kit.predict(newestVersion(), TestEvent.of(value));
  }

  /** SHA-256 over every byte of ledger, snapshots, metrics and dead letters. */
  public String digest() {
    return published.bytes.digest();
  }

  /** Fails unless the published versions cover this number of rounds, of all models together. */
  public LearningResult assertRounds(long expected) {
    if (rounds() != expected) {
      Plan plan = config.learner().plan();
      throw AssertionFailures.of(
          "rounds published must be " + expected + ", but were " + rounds() + " of models "
              + models() + ": a round takes " + plan.batch() + " slots, a version "
              + plan.learning().versions().rounds(plan.batch()) + " rounds, and there were "
              + events.summary(config.learner().eventTopic()).count() + " events",
          expected,
          rounds());
    }
    return this;
  }

  /** Fails if there is any dead letter. */
  public LearningResult assertNoDeadLetters() {
    return assertDeadLetters(0);
  }

  /** Fails unless there is this number of dead letters. */
  public LearningResult assertDeadLetters(long expected) {
    long actual = deadLetters().size();
    if (actual != expected) {
      throw AssertionFailures.of(
          "dead letters must be " + expected + ", but were " + actual + summary(),
          expected,
          actual);
    }
    return this;
  }

  /** Fails unless there is this number of dead letters with a reason; others do not matter. */
  public LearningResult assertDeadLetters(RecordStatus reason, long expected) {
    long actual = deadLetters().stream().filter(each -> each.reason() == reason).count();
    if (actual != expected) {
      throw AssertionFailures.of(
          "dead letters of reason " + reason + " must be " + expected + ", but were " + actual
              + summary(),
          expected,
          actual);
    }
    return this;
  }

  /** Counts, and the first of each reason; its content only if it stands in the test. */
  private String summary() {
    Map<RecordStatus, DeadLetterEvent> first = new TreeMap<>();
    Map<RecordStatus, Integer> counts = new TreeMap<>();
    for (DeadLetterEvent each : deadLetters()) {
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
  public LearningResult assertEpsilonAtMost(double most) {
    AssertionFailures.unless(
        epsilon() <= most, "epsilon must be at most %s, but is %s", most, epsilon());
    return this;
  }

  /**
   * Fails unless every weight of the only model's newest version lies within a distance of what is
   * expected.
   */
  public LearningResult assertWeights(double within, double... expected) {
    double[] actual = newestVersion().weights();
    AssertionFailures.unless(
        actual.length == expected.length,
        "there must be %s weights, but there are %s",
        expected.length,
        actual.length);
    for (int i = 0; i < expected.length; i++) {
      if (!(Math.abs(actual[i] - expected[i]) <= within)) {
        throw AssertionFailures.of(
            "weight " + i + " must be " + expected[i] + " within " + within + ", but is "
                + actual[i],
            Arrays.toString(expected),
            Arrays.toString(actual));
      }
    }
    return this;
  }

  /** Fails where the progressive loss is larger; without events it is. */
  public LearningResult assertLossAtMost(double most) {
    AssertionFailures.unless(loss() <= most, "loss must be at most %s, but is %s", most, loss());
    return this;
  }

  /** Fails where the progressive accuracy is less; where labels are no classes it is. */
  public LearningResult assertAccuracyAtLeast(double least) {
    AssertionFailures.unless(
        accuracy() >= least, "accuracy must be at least %s, but is %s", least, accuracy());
    return this;
  }
}

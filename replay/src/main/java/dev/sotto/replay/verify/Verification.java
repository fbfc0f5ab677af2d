package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.NoiseKeyHistory;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Replays a recording and compares the output, byte for byte, with what was published: ledger
 * entries, the snapshots and private metrics that are still there. The recording is of the event
 * topic; of layout {@code ordered} a recording of {@code <app>.order} belongs to it, which is part
 * of the model.
 *
 * <p>Where something differs, what was replayed has not been published: inside the trust boundary.
 */
public final class Verification {
  /** What a manifest states of the configuration and no ledger entry does. */
  private static final Set<String> SETTINGS = Set.of("loss", "dimension", "features");

  private final LearnerSettings settings;
  private final Recording recording;
  private final PublishedOutputs published;
  private Recording order;
  private LongConsumer progress = events -> {};

  /**
   * A verification of what was published by a learner of these settings; nothing is closed by it.
   */
  public Verification(LearnerSettings settings, Recording recording, PublishedOutputs published) {
    this.settings = settings;
    this.recording = recording;
    this.published = published;
  }

  /**
   * Follows an order that was recorded, in layout ordered.
   *
   * @param recorded null where there is none
   */
  public Verification order(Recording recorded) {
    order = recorded;
    return this;
  }

  /** Reports the number of replayed events from time to time. */
  public Verification progress(LongConsumer newProgress) {
    progress = newProgress;
    return this;
  }

  /**
   * Runs it.
   *
   * @throws RecordingException where the recording is of the wrong topic, or cannot be read
   * @throws dev.sotto.topology.failure.SottoException where what was published does not hold by
   *     itself (UNVERIFIED), or recording and configuration do not fit each other
   */
  public VerificationResult run() {
    requireTheOrder();
    long began = System.nanoTime();
    PublishedLedger ledger = PublishedLedger.read(published);
    PublishedVersions versions = PublishedVersions.read(published, ledger);
    PublishedMetrics metrics = settings.plan().metrics() == null
        ? PublishedMetrics.none()
        : PublishedMetrics.read(published, ledger);
    Map<Integer, Long> starts = RecordingCoverage.starts(settings.layout(), ledger);
    RecordingCoverage coverage = new RecordingCoverage(recording.header());
    Optional<String> lacking = coverage.lacksBeginning(starts);
    if (lacking.isPresent()) {
      return new VerificationResult(
          Outcome.UNVERIFIABLE, lacking.get(), List.of(), 0, since(began));
    }
    OutputComparison comparison = new OutputComparison(ledger, versions, metrics);
    Replay replay = new Replay(settings, new TrimmedRecording(recording, starts))
        .keys(history(ledger))
        .progress(progress);
    if (order != null) {
      replay.order(order);
    }
    Replay.Result result = replay.run(comparison);
    Map<String, ComparedVersion> compared = compareVersions(comparison, versions);
    List<ModelOutcome> models = new ArrayList<>();
    List<String> unpublished = comparison.byModel().keySet().stream()
        .filter(each -> ledger.rounds(each) == 0)
        .toList();
    comparison
        .byModel()
        .forEach((modelId, model) ->
            models.add(outcome(modelId, model, ledger, versions, compared, coverage, unpublished)));
    return new VerificationResult(outcome(models), "", models, result.events(), since(began));
  }

  /**
   * Of published rounds the keys that they were published under, as far as the configuration holds
   * them.
   */
  private NoiseKeyHistory history(PublishedLedger ledger) {
    Map<String, NavigableMap<Long, String>> keys = new HashMap<>();
    return new NoiseKeyHistory() {
      @Override
      public String keyOf(String modelId, long round) {
        if (round > ledger.rounds(modelId)) {
          return null;
        }
        String key =
            keys.computeIfAbsent(modelId, ledger::keys).floorEntry(round).getValue();
        return settings.key().holds(key) ? key : null;
      }

      @Override
      public long rounds(String modelId) {
        return ledger.rounds(modelId);
      }
    };
  }

  private static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private void requireTheOrder() {
    if (settings.layout().keepsOrder() && order == null) {
      String topic = Names.order(settings.app());
      throw new RecordingException(
          "in layout " + settings.layout().configName() + " the order of " + topic
              + " is part of the model: verify with a recording of it too (./sotto record -c makes"
              + " both)");
    }
  }

  private static Outcome outcome(List<ModelOutcome> models) {
    if (models.stream().anyMatch(each -> each.difference().isPresent())) {
      return Outcome.DIFFERENT;
    }
    return models.stream().anyMatch(each -> !each.uncovered().isEmpty())
        ? Outcome.SHORTER
        : Outcome.EQUAL;
  }

  private ModelOutcome outcome(
      String modelId,
      OutputComparison.ModelComparison model,
      PublishedLedger ledger,
      PublishedVersions versions,
      Map<String, ComparedVersion> compared,
      RecordingCoverage coverage,
      List<String> unpublished) {
    Optional<FirstDifference> difference = Optional.ofNullable(model.first)
        .map(first -> new FirstDifference(
            first.round(),
            first.what(),
            shown(first, compared.get(modelId)),
            Optional.ofNullable(compared.get(modelId)).map(ComparedVersion::weights)));
    String uncovered = "";
    if (difference.isEmpty() && model.equal < ledger.rounds(modelId)) {
      LedgerEntry next =
          ledger.paying(modelId, model.equal + 1).map(Codecs.LEDGER::decode).orElseThrow();
      uncovered = coverage.endsBefore(next).orElse("");
      if (uncovered.isEmpty()) {
        List<FieldDifference> fields = model.last == null && !unpublished.isEmpty()
            ? List.of(new FieldDifference("modelId", modelId, String.join(", ", unpublished)))
            : tooFew(next);
        difference =
            Optional.of(new FirstDifference(next.round(), "ledger", fields, Optional.empty()));
      }
    }
    return new ModelOutcome(
        modelId,
        new ModelOutcome.Rounds(ledger.rounds(modelId), model.equal, model.beyond),
        new ModelOutcome.Versions(versions.upTo(modelId, model.equal), model.equalVersions),
        model.equalMetrics,
        difference,
        uncovered);
  }

  /** All offsets of a round were recorded, but records are missing: it does not become full. */
  private static List<FieldDifference> tooFew(LedgerEntry entry) {
    return List.of(
        new FieldDifference("round", Long.toString(entry.round()), ""),
        new FieldDifference("ranges", entry.ranges().toString(), ""));
  }

  /**
   * Fields that follow from the entries before are of interest where nothing else differs. The
   * manifest says what the fingerprint of an entry only hints at, such as a line of the features.
   */
  private static List<FieldDifference> shown(
      OutputComparison.First first, ComparedVersion compared) {
    if (first.what().equals("snapshot") && compared != null) {
      return compared.manifest();
    }
    if (first.published().isEmpty() || !first.what().equals("ledger")) {
      return first.fields();
    }
    List<FieldDifference> own =
        new ArrayList<>(LedgerFields.ownDifferences(first.published().get(), first.replayed()));
    if (compared != null && own.stream().anyMatch(each -> each.name().equals("fingerprint"))) {
      compared.manifest().stream()
          .filter(each -> SETTINGS.contains(each.name()))
          .forEach(own::add);
    }
    return own.isEmpty() ? first.fields() : own;
  }

  /** A published version and the replayed one, side by side. */
  private record ComparedVersion(WeightsDifference weights, List<FieldDifference> manifest) {}

  private static Map<String, ComparedVersion> compareVersions(
      OutputComparison comparison, PublishedVersions versions) {
    Map<String, Long> wanted = new HashMap<>();
    comparison.byModel().forEach((modelId, model) -> {
      if (model.version != null) {
        wanted.put(modelId, model.version.manifest().version());
      }
    });
    Map<String, ComparedVersion> compared = new HashMap<>();
    versions.load(wanted, model -> {
      String modelId = model.manifest().modelId();
      VersionBytes.Version replayed = comparison.byModel().get(modelId).version;
      compared.put(
          modelId,
          new ComparedVersion(
              WeightsDifference.of(model.manifest().version(), model.weights(), replayed.weights()),
              OutputFields.differences(model.manifest(), replayed.manifest())));
    });
    return compared;
  }
}

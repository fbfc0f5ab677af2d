package dev.sotto.replay.verify;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.KeyHistory;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.replay.verify.Verdict.Outcome;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Names;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Replays a recording and compares what comes out, byte for byte, with what was published: ledger entries, the snapshots
 * and private metrics that are still there. Of layouts {@code direct} and {@code rounds} the recording is of the event
 * topic, of {@code funnel} of {@code <app>.sequence}, whose order is part of the model.
 *
 * <p>Where something differs, what was replayed has not been published: inside the trust boundary.
 */
public final class Verification {
  private final LearnerSettings settings;
  private final Recording recording;
  private final Published published;
  private String topicId = "";
  private LongConsumer progress = events -> {};

  /** A verification of what was published by a learner of these settings; nothing is closed by it. */
  public Verification(LearnerSettings settings, Recording recording, Published published) {
    this.settings = settings;
    this.recording = recording;
    this.published = published;
  }

  /** Tells which id the recorded topic has on its cluster now; it is named where nothing else explains a difference. */
  public Verification topicId(String id) {
    topicId = id;
    return this;
  }

  /** Told now and then how many events have been replayed. */
  public Verification progress(LongConsumer newProgress) {
    progress = newProgress;
    return this;
  }

  /**
   * Runs it.
   *
   * @throws RecordingFault where the recording is of the wrong topic, or cannot be read
   * @throws dev.sotto.topology.StartFailure where what was published does not hold by itself (UNVERIFIED), or recording and
   *     configuration do not fit each other
   */
  public Verdict run() {
    requireTheRightTopic();
    long began = System.nanoTime();
    PublishedLedger ledger = PublishedLedger.read(published);
    PublishedVersions versions = PublishedVersions.read(published, ledger);
    PublishedMetrics metrics = settings.plan().metrics() == null
        ? PublishedMetrics.none()
        : PublishedMetrics.read(published, ledger);
    Map<Integer, Long> starts = Reach.starts(settings.layout(), ledger);
    Reach reach = new Reach(recording.header());
    Optional<String> lacking = reach.lacksBeginning(starts);
    if (lacking.isPresent()) {
      return new Verdict(Outcome.UNVERIFIABLE, lacking.get(), List.of(), 0, since(began));
    }
    Comparison comparison = new Comparison(ledger, versions, metrics);
    Replay.Result result = new Replay(settings, new RecordedFrom(recording, starts))
        .keys(history(ledger))
        .progress(progress)
        .run(comparison);
    Causes causes = new Causes(
        settings,
        ledger,
        versions,
        recording.header(),
        new Causes.Place(published.clusterId(), topicId));
    Map<String, Weighed> weighed = weigh(comparison, versions);
    List<ModelVerdict> models = new ArrayList<>();
    List<String> foreign = comparison.tracks().keySet().stream()
        .filter(each -> ledger.rounds(each) == 0)
        .toList();
    comparison
        .tracks()
        .forEach((modelId, track) ->
            models.add(verdict(modelId, track, ledger, versions, weighed, reach, causes, foreign)));
    return new Verdict(outcome(models), "", models, result.events(), since(began));
  }

  /** Of published rounds the keys that they were published under, as far as the configuration holds them. */
  private KeyHistory history(PublishedLedger ledger) {
    Map<String, NavigableMap<Long, String>> keys = new HashMap<>();
    return (modelId, round) -> {
      if (round > ledger.rounds(modelId)) {
        return null;
      }
      String key = keys.computeIfAbsent(modelId, ledger::keys).floorEntry(round).getValue();
      return settings.key().holds(key) ? key : null;
    };
  }

  private static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private void requireTheRightTopic() {
    String topic = recording.header().topic();
    String sequence = Names.sequence(settings.app());
    boolean funnel = settings.layout() == Layout.FUNNEL;
    if (funnel && !topic.equals(sequence)) {
      throw new RecordingFault("the recording is of topic " + topic
          + ", but in layout funnel the order of " + sequence
          + " is part of the model: verify with a recording of that topic (./sotto record --topic "
          + sequence + ")");
    }
    if (!funnel && topic.equals(sequence)) {
      throw new RecordingFault("the recording is of " + topic
          + ", the order of a funnel, but layout "
          + settings.layout().configName() + " learns from the event topic " + settings.eventTopic()
          + " itself: correct layout, or verify with a recording of that topic");
    }
  }

  private static Outcome outcome(List<ModelVerdict> models) {
    if (models.stream().anyMatch(each -> each.difference().isPresent())) {
      return Outcome.DIFFERENT;
    }
    return models.stream().anyMatch(each -> !each.uncovered().isEmpty())
        ? Outcome.SHORTER
        : Outcome.EQUAL;
  }

  private ModelVerdict verdict(
      String modelId,
      Comparison.Track track,
      PublishedLedger ledger,
      PublishedVersions versions,
      Map<String, Weighed> weighed,
      Reach reach,
      Causes causes,
      List<String> foreign) {
    Optional<Difference> difference = Optional.ofNullable(track.first)
        .map(first -> new Difference(
            first.round(),
            first.what(),
            shown(first, weighed.get(modelId)),
            Optional.ofNullable(weighed.get(modelId)).map(Weighed::weights),
            causes.of(modelId, first)));
    String uncovered = "";
    if (difference.isEmpty() && track.equal < ledger.rounds(modelId)) {
      LedgerEntry next = ledger.entry(modelId, track.equal + 1).orElseThrow();
      uncovered = reach.endsBefore(next).orElse("");
      if (uncovered.isEmpty()) {
        Cause cause = track.last == null && !foreign.isEmpty()
            ? Causes.otherModels(modelId, foreign)
            : Causes.tooFew(next);
        difference = Optional.of(
            new Difference(next.round(), "ledger", List.of(), Optional.empty(), List.of(cause)));
      }
    }
    return new ModelVerdict(
        modelId,
        ledger.rounds(modelId),
        track.equal,
        track.beyond,
        versions.upTo(modelId, track.equal),
        track.equalVersions,
        track.equalMetrics,
        difference,
        uncovered);
  }

  /** Fields that follow from the entries before are of interest where nothing else differs. */
  private static List<FieldDifference> shown(Comparison.First first, Weighed weighed) {
    if (first.what().equals("snapshot") && weighed != null) {
      return weighed.manifest();
    }
    if (first.published().isEmpty() || !first.what().equals("ledger")) {
      return first.fields();
    }
    List<FieldDifference> own = LedgerFields.differences(
        first.published().get(),
        first.replayed(),
        EnumSet.complementOf(EnumSet.of(LedgerFields.Kind.CHAIN)));
    return own.isEmpty() ? first.fields() : own;
  }

  /** A published version and the replayed one, side by side. */
  private record Weighed(WeightsDifference weights, List<FieldDifference> manifest) {}

  private static Map<String, Weighed> weigh(Comparison comparison, PublishedVersions versions) {
    Map<String, Long> wanted = new HashMap<>();
    comparison.tracks().forEach((modelId, track) -> {
      if (track.version != null) {
        wanted.put(modelId, track.version.manifest().version());
      }
    });
    Map<String, Weighed> weighed = new HashMap<>();
    versions.load(wanted, model -> {
      String modelId = model.manifest().modelId();
      VersionBytes.Version replayed = comparison.tracks().get(modelId).version;
      weighed.put(
          modelId,
          new Weighed(
              WeightsDifference.of(model.manifest().version(), model.weights(), replayed.weights()),
              ManifestFields.differences(model.manifest(), replayed.manifest())));
    });
    return weighed;
  }
}

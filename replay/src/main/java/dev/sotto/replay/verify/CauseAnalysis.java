package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.verify.LedgerFields.Kind;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Derives why a replay differs from what differs. */
final class CauseAnalysis {
  private final LearnerSettings settings;
  private final PublishedLedger ledger;
  private final PublishedVersions versions;
  private final RecordingHeader recording;
  private final Place place;

  /**
   * Where things were recorded and published; empty texts where that is not known.
   *
   * @param clusterId of what was published
   * @param topicId that the recorded topic has on its cluster now
   */
  record Place(String clusterId, String topicId) {}

  CauseAnalysis(
      LearnerSettings settings,
      PublishedLedger ledger,
      PublishedVersions versions,
      RecordingHeader recording,
      Place place) {
    this.settings = settings;
    this.ledger = ledger;
    this.versions = versions;
    this.recording = recording;
    this.place = place;
  }

  /** Why a model differs, the most likely first; never empty. */
  List<DifferenceCause> of(String modelId, OutputComparison.First first) {
    List<DifferenceCause> causes = new ArrayList<>();
    if (!first.what().equals("ledger")) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.UNKNOWN,
          "the ledger entry of the round is equal, its " + first.what()
              + " are not: what was published was changed, or the program that published it"
              + " differs from this one"));
    } else if (first.published().isEmpty()) {
      notPublished(causes, modelId);
    } else {
      compare(causes, modelId, first.published().get(), first.replayed(), first.fields());
    }
    return causes;
  }

  private void notPublished(List<DifferenceCause> causes, String modelId) {
    String known = String.join(", ", ledger.models());
    if (ledger.rounds(modelId) == 0) {
      causes.add(new DifferenceCause(
          DifferenceCause.Kind.RUN,
          "another model id: the ledger has no model of this one",
          List.of(new FieldDifference("modelId", known, modelId))));
    } else {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          "the replay closes rounds where the ledger has those of other models"));
    }
    otherSource(causes);
  }

  /**
   * Why no round of a published model was replayed, but rounds of models that were not published.
   */
  static DifferenceCause otherModels(String modelId, List<String> others) {
    return DifferenceCause.of(
        DifferenceCause.Kind.RUN,
        "another model id: no round of this model came out, but rounds of others",
        new FieldDifference("modelId", modelId, String.join(", ", others)));
  }

  /** Why a round did not become full, although all of its offsets were recorded. */
  static DifferenceCause tooFew(LedgerEntry entry) {
    return DifferenceCause.of(
        DifferenceCause.Kind.INPUT,
        "the recording reaches over all offsets of the round (" + text(entry.ranges())
            + "), but holds too few records to fill it: some are missing");
  }

  private void compare(
      List<DifferenceCause> causes,
      String modelId,
      LedgerEntry published,
      LedgerEntry replayed,
      List<FieldDifference> fields) {
    if (published.semantics() != replayed.semantics()) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.VERSION,
          "published by another version of the arithmetic and the noise: verify with the version of"
              + " Sotto that published it; the recording fits both",
          new FieldDifference(
              "semantics",
              Integer.toString(published.semantics()),
              Integer.toString(Releaser.SEMANTICS))));
    } else if (fields.size() == 1 && fields.get(0).name().equals("bytes")) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.VERSION,
          "the entries hold the same values in another form: they were written by another"
              + " version of the program"));
      return;
    }
    key(causes, modelId, published, replayed);
    boolean configured = !Arrays.equals(published.fingerprint(), replayed.fingerprint());
    if (configured) {
      configuration(causes, modelId, published, replayed);
    }
    boolean explained = !causes.isEmpty();
    if (!explained && !Arrays.equals(published.runId(), replayed.runId())) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.RUN,
          "another app.id or run.label: key, model and configuration are equal, but not what the id"
              + " of the run follows from (the ledger states neither of the two)",
          new FieldDifference("app.id", "", settings.app()),
          new FieldDifference("run.label", "", settings.label()),
          new FieldDifference(
              "runId", LedgerFields.hex(published.runId()), LedgerFields.hex(replayed.runId()))));
      explained = true;
    }
    input(causes, published, replayed, explained);
    if (causes.isEmpty()) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.UNKNOWN,
          "key, configuration, version, label and input agree as far as the ledger states them"));
    }
  }

  private void key(
      List<DifferenceCause> causes, String modelId, LedgerEntry published, LedgerEntry replayed) {
    if (published.keyId().equals(replayed.keyId())) {
      return;
    }
    SortedMap<Long, String> keys = ledger.keys(modelId);
    String text = keys.size() > 1
        ? "the key was rotated in the run, and the configuration does not hold all of its keys:"
            + " list the earlier ones"
            + " under noise.key.previous.files"
        : "another noise key";
    causes.add(DifferenceCause.of(
        DifferenceCause.Kind.KEY,
        text + (keys.size() > 1 ? " (keys by their first round: " + keys + ")" : ""),
        new FieldDifference("keyId", published.keyId(), replayed.keyId())));
  }

  private void configuration(
      List<DifferenceCause> causes, String modelId, LedgerEntry published, LedgerEntry replayed) {
    List<FieldDifference> values = new ArrayList<>(
        LedgerFields.differences(published, replayed, EnumSet.of(Kind.CONFIGURATION)));
    Optional<ModelSnapshot> manifest = versions.manifest(modelId);
    manifest.ifPresent(
        each -> values.addAll(OutputFields.differences(each, settings.planOf(modelId))));
    String unseen = manifest.isPresent()
        ? ""
        : "; features and loss could not be compared, since no snapshot is there";
    String text = values.isEmpty()
        ? "another configuration, in a setting that neither ledger nor manifest states: the"
            + " optimizer's steps, rounds.lag,"
            + " the weights at the start, or the settings of metrics" + unseen
        : "another configuration" + unseen;
    values.add(new FieldDifference(
        "fingerprint",
        LedgerFields.hex(published.fingerprint()),
        LedgerFields.hex(replayed.fingerprint())));
    causes.add(new DifferenceCause(DifferenceCause.Kind.CONFIGURATION, text, values));
  }

  private void input(
      List<DifferenceCause> causes,
      LedgerEntry published,
      LedgerEntry replayed,
      boolean explained) {
    if (published.origin() != replayed.origin()) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          published.origin() < replayed.origin()
              ? "records are missing at the beginning: the first that was learned from is not in"
                  + " the recording"
              : "the recording has records before the first that was learned from",
          new FieldDifference(
              "origin", Long.toString(published.origin()), Long.toString(replayed.origin()))));
      otherSource(causes);
    } else if (!published.ranges().equals(replayed.ranges())
        && published.slots() == replayed.slots()) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          (reach(replayed) > reach(published)
              ? "records are missing from the recording: the round needs later ones to be full"
              : "the recording has records that were not there: the round is full earlier"),
          new FieldDifference(
              "ranges", published.ranges().toString(), replayed.ranges().toString())));
      otherSource(causes);
    } else if (!explained
        && !Arrays.equals(published.snapshotDigest(), replayed.snapshotDigest())) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          "key, configuration, version, label and offsets agree, and all rounds before this one"
              + " are equal: so the records"
              + " at " + text(published.ranges())
              + " are not those that were learned from; at least one was changed,"
              + " or is of another topic"));
      otherSource(causes);
    }
  }

  private static long reach(LedgerEntry entry) {
    return entry.ranges().stream().mapToLong(OffsetRange::to).sum();
  }

  /** Offsets as text. */
  static String text(List<OffsetRange> ranges) {
    List<String> all = new ArrayList<>();
    ranges.forEach(each -> all.add(
        "partition " + each.partition() + ", offsets " + each.from() + " to " + (each.to() - 1)));
    return String.join("; ", all);
  }

  /** Whether the recording is of another topic, or of another cluster. */
  private void otherSource(List<DifferenceCause> causes) {
    String expected = settings.trainingTopic();
    if (settings.layout() == Layout.ROUNDS) {
      expected = settings.eventTopic();
    }
    if (recording.format().equals("avro") && !recording.topic().equals(expected)) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          "the recording is of another topic than the one that the configuration names",
          new FieldDifference("topic", expected, recording.topic())));
    }
    if (differ(place.topicId(), recording.topicId())) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          "the recording is of a topic with another id than the topic of this name has now: it"
              + " was made again, or is of"
              + " another cluster",
          new FieldDifference("topicId", place.topicId(), recording.topicId())));
    }
    if (differ(place.clusterId(), recording.clusterId())) {
      causes.add(DifferenceCause.of(
          DifferenceCause.Kind.INPUT,
          "the recording is of another cluster than what was published",
          new FieldDifference("clusterId", place.clusterId(), recording.clusterId())));
    }
  }

  private static boolean differ(String one, String other) {
    return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
  }
}

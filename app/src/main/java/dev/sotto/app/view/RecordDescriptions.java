package dev.sotto.app.view;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.util.Optional;

/** Published records and recordings, fact by fact, as every command gives them to programs. */
public final class RecordDescriptions {
  private RecordDescriptions() {}

  /** An entry of the ledger. */
  public static Section entry(LedgerEntry entry) {
    return Section.untitled()
        .fact("model", entry.modelId())
        .fact("run", entry.runId())
        .fact("generation", entry.generation())
        .fact("round", entry.round())
        .fact("sequence", entry.sequence())
        .fact("algorithm", entry.algorithm())
        .fact("clip", entry.clip())
        .fact("sensitivity", entry.sensitivity())
        .fact("sigma", entry.sigma())
        .fact("sigmaIsOf", "the sum of a round")
        .fact("matrixSensitivity", entry.matrixSensitivity())
        .object("guarantee", guarantee(entry.guarantee()))
        .object("terms", terms(entry.terms()))
        .fact("budgetEpsilon", entry.budgetEpsilon())
        .fact("epsilonLeft", entry.epsilonLeft())
        .fact("final", entry.last())
        .fact("slots", entry.slots())
        .fact("ranges", entry.ranges())
        .fact("snapshotDigest", entry.snapshotDigest())
        .fact("fingerprint", entry.fingerprint())
        .fact("key", entry.keyId())
        .fact("semantics", entry.semantics())
        .fact("previousHash", entry.previousHash());
  }

  /** The settings behind the figures of an entry. */
  public static Section terms(LedgerEntry.Terms terms) {
    return Section.untitled()
        .fact("accountant", terms.accountant())
        .fact("spentMu", terms.spentMu())
        .fact("participation", terms.participation())
        .fact("generations", terms.generations())
        .fact("mechanismParameters", terms.mechanismParameters())
        .fact("metricsRatio", terms.metricsRatio())
        .fact("metricsExact", Double.isInfinite(terms.metricsRatio()))
        .fact("batch", terms.batch())
        .fact("earlierMu", terms.earlierMu())
        .fact("candidates", terms.candidates())
        .fact("rangeWindow", terms.rangeWindow());
  }

  private static Section guarantee(Guarantee guarantee) {
    return Section.untitled()
        .fact("unit", guarantee.unit().configName())
        .fact("adjacency", guarantee.adjacency().configName())
        .fact("mechanism", guarantee.mechanism())
        .fact("mu", guarantee.mu())
        .fact("epsilon", guarantee.epsilon())
        .fact("delta", guarantee.delta())
        .fact("muLimit", guarantee.muLimit())
        .fact("epsilonLimit", guarantee.epsilonLimit());
  }

  /** The manifest of a version. */
  public static Section manifest(ModelSnapshot manifest) {
    Section section = Section.untitled()
        .fact("model", manifest.modelId())
        .fact("run", manifest.runId())
        .fact("generation", manifest.generation())
        .fact("version", manifest.version())
        .fact("final", manifest.last())
        .fact("digest", manifest.digest())
        .fact("algorithm", manifest.algorithm())
        .fact("loss", manifest.loss())
        .fact("features", manifest.features())
        .fact("dimension", manifest.dimension());
    Optional<Objective> known = Objectives.named(manifest.loss());
    known.ifPresent(each -> section.fact("rows", each.rows()).fact("tail", each.tail()));
    return section
        .object("guarantee", guarantee(manifest.guarantee()))
        .fact("ranges", manifest.ranges())
        .fact("ledgerHash", manifest.ledgerHash())
        .fact("fingerprint", manifest.fingerprint());
  }

  /** A version with its weights. */
  public static Section model(PublishedModel model) {
    return manifest(model.manifest()).fact("weights", model.weights());
  }

  /** A window of private metrics. */
  public static Section metrics(ModelMetrics metrics) {
    NoisyMetrics noisy = metrics.noisy();
    return Section.untitled()
        .fact("model", metrics.modelId())
        .fact("run", metrics.runId())
        .fact("firstRound", noisy.firstRound())
        .fact("lastRound", noisy.lastRound())
        .fact("slots", noisy.slots())
        .fact("exact", noisy.noiseStd() == 0)
        .fact("noiseStd", noisy.noiseStd())
        .fact("count", noisy.count())
        .fact("countError", noisy.countError())
        .fact("meanLoss", noisy.meanLoss())
        .fact("meanLossError", noisy.meanLossError())
        .fact("accuracy", noisy.accuracy())
        .fact("accuracyError", noisy.accuracyError())
        .fact("reliability", ReliabilityBin.of(noisy))
        .fact("lossBound", noisy.lossBound())
        .fact("sums", noisy.sums())
        .fact("fingerprint", metrics.fingerprint());
  }

  /** Whether the loss has risen. */
  public static Section drift(Drift drift) {
    Section section = Section.untitled().fact("alarm", drift.isAlarm());
    if (drift.isAlarm()) {
      section.fact("sinceRound", drift.since().getAsLong());
    }
    return section
        .fact("round", drift.round())
        .fact("rise", drift.rise())
        .fact("threshold", drift.threshold());
  }

  /** The header of a recording. */
  static Section header(RecordingHeader header) {
    return Section.untitled()
        .fact("format", header.format())
        .fact("clusterId", header.clusterId())
        .fact("topic", header.topic())
        .fact("topicId", header.topicId())
        .fact("schema", header.schema())
        .fact("digest", header.digest())
        .items("ranges", header.ranges().stream().map(RecordDescriptions::range).toList());
  }

  private static Section range(RecordedRange range) {
    return Section.untitled()
        .fact("partition", range.partition())
        .fact("from", range.from())
        .fact("to", range.to() < 0 ? null : range.to())
        .fact("records", range.records() < 0 ? null : range.records());
  }

  /** What came of recording into a file. */
  static Section recorded(RecordResult result) {
    return Section.untitled()
        .fact("records", result.records())
        .fact("written", result.written())
        .fact("resumed", result.resumed())
        .fact("bytes", result.bytes())
        .append(header(result.header()))
        .fact("warnings", result.warnings());
  }
}

package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes ledger entries and snapshots: nothing in them depends on who runs the trainer, or when.
 */
final class VersionPublisher {
  /** Weights in one record: 512 KiB. */
  static final int CHUNK_WEIGHTS = 65_536;

  private final TrainerSettings settings;
  private final TrainerOutput output;
  private final Map<Plan, Facts> facts = new IdentityHashMap<>();

  /** What is the same in all versions under a plan. */
  private record Facts(
      Plan plan, byte[] fingerprint, PrivacyAccountant account, LedgerEntry.Terms terms) {
    static Facts of(Plan plan) {
      return new Facts(plan, plan.fingerprint(), plan.account(), plan.terms());
    }
  }

  VersionPublisher(TrainerSettings settings, TrainerOutput output) {
    this.settings = settings;
    this.output = output;
  }

  private Facts facts(CachedModel model) {
    return facts.computeIfAbsent(settings.planOf(model.modelId), Facts::of);
  }

  LedgerEntry entry(
      CachedModel model,
      ClosedRound round,
      List<OffsetRange> ranges,
      long origin,
      long sequence,
      byte[] previousHash) {
    Facts facts = facts(model);
    Plan plan = facts.plan();
    double left = plan.budget().epsilon() - round.guarantee().epsilon();
    return new LedgerEntry(
        sequence,
        previousHash,
        model.modelId,
        model.learner.runId(),
        round.generation(),
        round.version().orElseThrow().firstRound(),
        round.number(),
        plan.algorithm(),
        plan.clip(),
        plan.sensitivity(),
        plan.sigma(),
        facts.account().matrixSensitivity(round.number()),
        round.guarantee(),
        plan.budget().epsilon(),
        left > 0 ? Math.nextDown(left) : 0,
        round.last(),
        Math.multiplyExact(round.number(), plan.batch()),
        origin,
        ranges,
        ModelSnapshot.digest(round.weights(), round.guarantee()),
        facts.fingerprint(),
        round.keyId(),
        Releaser.SEMANTICS,
        facts.terms());
  }

  /** Derives a published entry again; refuses where the bytes differ. */
  LedgerEntry requireSame(
      byte[] published,
      CachedModel model,
      ClosedRound round,
      List<OffsetRange> ranges,
      long origin) {
    LedgerEntry before = Codecs.LEDGER.decode(published);
    LedgerEntry again =
        entry(model, round, ranges, origin, before.sequence(), before.previousHash());
    if (Arrays.equals(Codecs.LEDGER.encode(again), Codecs.LEDGER.encode(before))) {
      return again;
    }
    // What was derived now has not been published: it stays out of the message.
    boolean elsewhere = !before.ranges().equals(again.ranges());
    String what = elsewhere
        ? "its slots were " + before.ranges() + ", now they are " + again.ranges()
        : !Arrays.equals(before.snapshotDigest(), again.snapshotDigest())
            ? "other weights came out than those with digest "
                + LedgerChain.hex(before.snapshotDigest())
            : "its figures differ from those of ledger entry " + before.sequence();
    throw new UnsafeToContinueException("version " + round.number() + " of model " + model.modelId
        + " cannot be derived again as it was published: " + what
        + ". The records it was made from have changed"
        + (elsewhere ? ", or the layout was another (" + StateChecks.LAYOUTS + ")" : "")
        + "; learning on would release them a second time. Put them"
        + (elsewhere ? ", or the layout," : "") + " back, or " + NewHistory.START);
  }

  /** The feature map; of numbers without bounds also what was measured of them. */
  private static String features(Plan plan, ClosedRound round) {
    return plan.ranges()
        .measuring()
        .map(window -> FeatureMapText.measured(
            plan.features(), window, plan.batch(), round.version().orElseThrow().ranges()))
        .orElse(plan.features());
  }

  /** The metrics of a window of rounds. */
  void publish(CachedModel model, NoisyMetrics metrics) {
    ModelMetrics record = new ModelMetrics(
        model.modelId, model.learner.runId(), metrics, facts(model).fingerprint());
    output.metrics(model.modelId, Codecs.METRICS.encode(record));
  }

  /** Weights in chunks, then the manifest. */
  void publish(CachedModel model, ClosedRound round, LedgerEntry entry, byte[] ledgerHash) {
    Facts facts = facts(model);
    Plan plan = facts.plan();
    double[] weights = round.weights();
    int chunks = (weights.length + CHUNK_WEIGHTS - 1) / CHUNK_WEIGHTS;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int from = chunk * CHUNK_WEIGHTS;
      int to = Math.min(weights.length, from + CHUNK_WEIGHTS);
      byte[] packed =
          PackedDoubles.pack(chunks == 1 ? weights : Arrays.copyOfRange(weights, from, to));
      output.snapshot(
          model.modelId,
          model.modelId + "/" + chunk,
          Codecs.CHUNK.encode(new WeightsChunk(model.modelId, round.number(), chunk, packed)));
    }
    ModelSnapshot manifest = new ModelSnapshot(
        model.modelId,
        entry.runId(),
        entry.generation(),
        round.number(),
        weights.length,
        chunks,
        entry.snapshotDigest(),
        features(plan, round),
        plan.lossName(),
        plan.algorithm(),
        round.last(),
        round.guarantee(),
        facts.fingerprint(),
        entry.ranges(),
        ledgerHash);
    output.snapshot(model.modelId, model.modelId + "/manifest", Codecs.SNAPSHOT.encode(manifest));
  }
}

package dev.sotto.topology.core;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.round.Account;
import dev.sotto.learner.round.ModelSnapshot;
import dev.sotto.learner.round.NoisyMetrics;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.record.PackedDoubles;
import dev.sotto.serdes.record.WeightsChunk;
import java.util.Arrays;
import java.util.List;

/** Writes ledger entries and snapshots: nothing in them depends on who runs the trainer, or when. */
final class Publisher {
  /** Weights in one record: 512 KiB. */
  static final int CHUNK_WEIGHTS = 65_536;

  private final Plan plan;
  private final Outbox outbox;
  private final byte[] fingerprint;
  private final Account account;
  private final LedgerEntry.Terms terms;

  Publisher(TrainerSettings settings, Outbox outbox) {
    this.plan = settings.plan();
    this.outbox = outbox;
    this.fingerprint = plan.fingerprint();
    this.account = plan.account();
    this.terms = plan.terms();
  }

  LedgerEntry entry(
      ModelTrack track,
      Round round,
      List<OffsetRange> ranges,
      long origin,
      long sequence,
      byte[] previousHash) {
    double left = plan.budget().epsilon() - round.guarantee().epsilon();
    return new LedgerEntry(
        sequence,
        previousHash,
        track.modelId,
        track.learner.runId(),
        round.generation(),
        round.number(),
        plan.algorithm(),
        plan.clip(),
        plan.sensitivity(),
        plan.sigma(),
        account.matrixSensitivity(round.number()),
        round.guarantee(),
        plan.budget().epsilon(),
        left > 0 ? Math.nextDown(left) : 0,
        round.last(),
        Math.multiplyExact(round.number(), plan.batch()),
        origin,
        ranges,
        ModelSnapshot.digest(round.weights(), round.guarantee()),
        fingerprint,
        round.keyId(),
        Releaser.SEMANTICS,
        terms);
  }

  /** Derives a published entry again; refuses where the bytes differ. */
  LedgerEntry requireSame(
      byte[] published, ModelTrack track, Round round, List<OffsetRange> ranges, long origin) {
    LedgerEntry before = Codecs.LEDGER.decode(published);
    LedgerEntry again =
        entry(track, round, ranges, origin, before.sequence(), before.previousHash());
    if (Arrays.equals(Codecs.LEDGER.encode(again), published)) {
      return again;
    }
    // What was derived now has not been published: it stays out of the message.
    String what = !before.ranges().equals(again.ranges())
        ? "its slots were " + before.ranges() + ", now they are " + again.ranges()
        : !Arrays.equals(before.snapshotDigest(), again.snapshotDigest())
            ? "other weights came out than those with digest " + Chain.hex(before.snapshotDigest())
            : "its figures differ from those of ledger entry " + before.sequence();
    throw new Refusal("round " + round.number() + " of model " + track.modelId
        + " cannot be derived again as it was published: " + what
        + ". The records behind it have changed; learning on would release them a second time");
  }

  /** The metrics of a window of rounds. */
  void publish(ModelTrack track, NoisyMetrics metrics) {
    ModelMetrics record =
        new ModelMetrics(track.modelId, track.learner.runId(), metrics, fingerprint);
    outbox.metrics(track.modelId, Codecs.METRICS.encode(record));
  }

  /** Weights in chunks, then the manifest. */
  void publish(ModelTrack track, Round round, LedgerEntry entry, byte[] ledgerHash) {
    double[] weights = round.weights();
    int chunks = (weights.length + CHUNK_WEIGHTS - 1) / CHUNK_WEIGHTS;
    for (int chunk = 0; chunk < chunks; chunk++) {
      int from = chunk * CHUNK_WEIGHTS;
      int to = Math.min(weights.length, from + CHUNK_WEIGHTS);
      byte[] packed =
          PackedDoubles.pack(chunks == 1 ? weights : Arrays.copyOfRange(weights, from, to));
      outbox.snapshot(
          track.modelId,
          track.modelId + "/" + chunk,
          Codecs.CHUNK.encode(new WeightsChunk(track.modelId, round.number(), chunk, packed)));
    }
    ModelSnapshot manifest = new ModelSnapshot(
        track.modelId,
        entry.runId(),
        entry.generation(),
        round.number(),
        weights.length,
        chunks,
        entry.snapshotDigest(),
        plan.features(),
        plan.lossName(),
        plan.algorithm(),
        round.last(),
        round.guarantee(),
        fingerprint,
        entry.ranges(),
        ledgerHash);
    outbox.snapshot(track.modelId, track.modelId + "/manifest", Codecs.SNAPSHOT.encode(manifest));
  }
}

package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.AccountingMethod;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.training.ModelSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A published model from which another run begins, with what it has cost.
 *
 * @param source where it comes from, for messages: the snapshots topic and the version
 * @param manifest of the version
 * @param weights of the version
 * @param entry the version's in the ledger
 * @param newest the newest of its run in the ledger: versions behind the chosen one were published,
 *     too
 * @param records what the old run has learned from
 */
public record StartingModel(
    String source,
    ModelSnapshot manifest,
    double[] weights,
    LedgerEntry entry,
    LedgerEntry newest,
    Records records) {
  /**
   * What the old run has learned from.
   *
   * @param newOnly whether the run that begins learns only from records that it has not learned
   * @param eventTopicId id of the event topic; empty where it is not known
   * @param learned one range a partition; empty where it is not known
   */
  public record Records(boolean newOnly, String eventTopicId, List<OffsetRange> learned) {
    public Records {
      learned = List.copyOf(learned);
      if (newOnly && eventTopicId.isEmpty()) {
        throw new IllegalArgumentException("new records are those of a known topic, but none is");
      }
    }
  }

  public StartingModel {
    if (weights.length != manifest.dimension()
        || !Arrays.equals(ModelSnapshot.digest(weights, manifest.guarantee()), manifest.digest())) {
      throw new IllegalArgumentException(
          "the weights of " + source + " are not those of its digest");
    }
    boolean silent = entry.snapshotDigest().length == 0; // entries of version 1 did not say
    if (!(silent || Arrays.equals(entry.snapshotDigest(), manifest.digest()))
        || !entry.modelId().equals(manifest.modelId())
        || !Arrays.equals(entry.runId(), manifest.runId())
        || entry.round() != manifest.version()) {
      throw new IllegalArgumentException(
          "the ledger entry of " + source + " is not about that version");
    }
    if (!newest.modelId().equals(entry.modelId())
        || !Arrays.equals(newest.runId(), entry.runId())
        || newest.round() < entry.round()) {
      throw new IllegalArgumentException(
          "the newest ledger entry of " + source + " is of another run, or older");
    }
  }

  /** The same, of which the run that begins learns these records. */
  public StartingModel with(Records other) {
    return new StartingModel(source, manifest, weights, entry, newest, other);
  }

  /** The version from which the run begins. */
  public long version() {
    return manifest.version();
  }

  /**
   * The mu with which the new run's ledger begins: what the old run has spent, or, where it may go
   * on, all that it ever may. Of records that it has not learned, what its own ledger began with.
   * It is that of the same units, or of parts of them.
   *
   * @param adjacency of the new run
   * @return empty where the old run's cost has no limit
   */
  public Optional<Double> carriedMu(Adjacency adjacency) {
    var before = newest.guarantee();
    double mu;
    if (records.newOnly()) {
      mu = newest.terms().spentMu();
    } else if (newest.last()) {
      mu = before.mu();
    } else {
      mu = Math.min(before.muLimit(), budgetMu());
    }
    if (before.adjacency() == Adjacency.ZERO_OUT && adjacency == Adjacency.REPLACE_ONE) {
      mu *= 2; // another content is none, and then another
    }
    return mu < Double.POSITIVE_INFINITY ? Optional.of(mu) : Optional.empty();
  }

  /** What the old run's budget allows at most, from above; infinite where it is no bound of a mu. */
  private double budgetMu() {
    boolean gaussian =
        newest.terms().accountant().equals(AccountingMethod.GAUSSIAN_DP.configName());
    return gaussian && newest.budgetEpsilon() < Double.POSITIVE_INFINITY
        ? GaussianDp.mu(newest.budgetEpsilon(), newest.guarantee().delta()) * (1 + 1e-12)
        : Double.POSITIVE_INFINITY;
  }
}

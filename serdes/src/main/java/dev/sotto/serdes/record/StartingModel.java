package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.AccountingMethod;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.feature.FeatureMapText;
import java.util.Arrays;
import java.util.List;

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
   * @param entries how many entries its ledger had, those of all models
   */
  public record Records(
      boolean newOnly, String eventTopicId, List<OffsetRange> learned, long entries) {
    public Records {
      learned = List.copyOf(learned);
      if (newOnly && eventTopicId.isEmpty()) {
        throw new IllegalArgumentException("new records are those of a known topic, but none is");
      }
    }
  }

  public StartingModel {
    if (!source.contains(".snapshots@")) {
      throw new IllegalArgumentException("a source names a topic and a version, but was " + source);
    }
    if (weights.length != manifest.dimension()
        || !Arrays.equals(ModelSnapshot.digest(weights, manifest.guarantee()), manifest.digest())) {
      throw new IllegalArgumentException(
          "the weights of " + source + " are not those of its digest");
    }
    if (!Arrays.equals(entry.snapshotDigest(), manifest.digest())
        || !entry.modelId().equals(manifest.modelId())
        || !Arrays.equals(entry.runId(), manifest.runId())
        || entry.round() != manifest.version()) {
      throw new IllegalArgumentException(
          "the ledger entry of " + source + " is not about that version");
    }
    LedgerEntry.Terms terms = entry.terms();
    if (!FeatureMapText.isMeasuredIn(terms.rangeWindow(), terms.batch(), manifest.features())) {
      throw new IllegalArgumentException("the ranges of " + source
          + " were measured in another window than its ledger entry pays for");
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

  /** The id of the application that published it. */
  public String app() {
    return source.substring(0, source.lastIndexOf(".snapshots@"));
  }

  /**
   * The mu with which the new run's ledger begins. Of records that the old run has not learned,
   * what its own ledger began with. Otherwise what the old run has spent, or, where it may go on,
   * all that it ever may, together with what the runs before it have spent on records of their own.
   *
   * @param adjacency of the new run
   * @param once whether each record is a unit of its own in the new run
   * @return infinite where the cost has no limit
   */
  public double carriedMu(Adjacency adjacency, boolean once) {
    return records.newOnly()
        ? factor(adjacency, once) * newest.terms().spentMu()
        : allMu(adjacency, once);
  }

  /**
   * What the old run, and those before it, have spent on records that the new run does not learn: 0
   * where it may learn them, since then it begins with that.
   *
   * @param adjacency of the new run
   * @param once whether each record is a unit of its own in the new run
   * @return infinite where that has no limit
   */
  public double earlierMu(Adjacency adjacency, boolean once) {
    return records.newOnly() ? allMu(adjacency, once) : 0;
  }

  private double allMu(Adjacency adjacency, boolean once) {
    if (costsBesideMu()) {
      return Double.POSITIVE_INFINITY;
    }
    double own = newest.last()
        ? newest.guarantee().mu()
        : Math.min(newest.guarantee().muLimit(), budgetMu());
    double before = newest.terms().earlierMu();
    double all = before == 0 ? own : Math.nextUp(StrictMath.hypot(own, before));
    return factor(adjacency, once) * all;
  }

  /**
   * From zero-out to replace-one, another content is none, and then another. And where units had
   * ids and now are single records, a record that becomes none lets another one of its unit in.
   */
  private int factor(Adjacency adjacency, boolean once) {
    boolean zeroOut = newest.guarantee().adjacency() == Adjacency.ZERO_OUT;
    boolean hadIds = !newest.terms().participation().equals("once");
    return zeroOut && (adjacency == Adjacency.REPLACE_ONE || hadIds && once) ? 2 : 1;
  }

  /**
   * Whether delta paid for failures of the old run's mechanism: no mu says what that cost, so its
   * records cannot be learned again.
   */
  public boolean costsBesideMu() {
    return newest
        .terms()
        .accountant()
        .equals(AccountingMethod.APPROXIMATE_GAUSSIAN_DP.configName());
  }

  /**
   * What the old run's budget allows at most, from above; infinite where it is no bound of a mu.
   */
  private double budgetMu() {
    boolean gaussian =
        newest.terms().accountant().equals(AccountingMethod.GAUSSIAN_DP.configName());
    return gaussian && newest.budgetEpsilon() < Double.POSITIVE_INFINITY
        ? GaussianDp.mu(newest.budgetEpsilon(), newest.guarantee().delta()) * (1 + 1e-12)
        : Double.POSITIVE_INFINITY;
  }
}

package dev.sotto.topology.trainer;

import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.rounds.PartialSums;
import dev.sotto.topology.rounds.RoundsSettings;
import java.util.Set;

/** Learns one model from the partial sums of workers, and opens the next rounds for them. */
public final class RoundCoordinator extends PartitionTrainer {
  private final String modelId;
  private final PartialSums sums;

  /**
   * A cold coordinator: nothing is read or written before the first record.
   *
   * @param rounds how the model's rounds are shared out, and where the next ones are opened
   */
  public RoundCoordinator(
      TrainerSettings settings,
      RoundsSettings rounds,
      Stores stores,
      Logs logs,
      TrainerOutput output) {
    super(settings, stores, logs, output);
    this.modelId = rounds.modelId();
    this.sums = new PartialSums(settings.plan(), rounds);
  }

  /**
   * Where a sum lies depends on how often a worker's transaction was aborted, which the ledger must
   * not show.
   */
  @Override
  long originOf(long firstPlace) {
    return 0;
  }

  @Override
  long learn(SourceRecord sum, boolean live) {
    CachedModel model = model();
    if (sum.place() >= model.savedPosition) {
      learn(model, sum);
    }
    return Place.behind(sum.place());
  }

  private void learn(CachedModel model, SourceRecord sum) {
    long place = sum.place();
    models.markUnsaved(model);
    sums.take(place, sum.value(), model.learner.answered());
    while (sums.fills(model.learner)) {
      long to = sums.close(model.learner.answered() + 1, Place.behind(place));
      requireOpened(model);
      if (model.learner.isLastQuery()) {
        close(model, sums::ranges, to);
      } else {
        model.learner.answerQuery();
        models.save(model, to); // its parts do not stay in their topic for long
      }
      openNext(model);
      progress.saveAt(to);
    }
  }

  /** Where the state does not tell: every round that was paid for opened another. */
  private void requireOpened(CachedModel model) {
    if (model.openedRound == 0) {
      long paid = Math.max(model.headRound, model.paidRound);
      model.openedRound =
          paid * settings.plan().queriesPerRound() + 1 + settings.plan().lag();
      model.openedKeyId = model.learner.keyId();
    }
  }

  /**
   * Opens the round that may be summed now that one more is closed, unless an earlier life has done
   * so.
   */
  private void openNext(CachedModel model) {
    int lag = settings.plan().lag();
    long next = model.learner.answered() + 1 + lag;
    if (next <= model.openedRound) {
      return;
    }
    String keyId = model.learner.keyIdOf(next, model.openedKeyId);
    if (sums.open(model.learner, next, keyId)) {
      model.openedRound = next;
      model.openedKeyId = keyId;
      models.saveHead(model);
    }
  }

  private CachedModel model() {
    return models.of(modelId, source.position());
  }

  /** The round (of blocks: the query) that sums are gathered for; 0 before the first record. */
  public long round() {
    return isWarm() ? model().learner.answered() + 1 : 0;
  }

  /** The source partitions whose sum of that round has not come; none where the budget is spent. */
  public Set<Integer> missing() {
    return !isWarm() || model().learner.isExhausted() ? Set.of() : sums.missing(round());
  }

  /** Sums of open rounds are few, and read again: only the head is written. */
  @Override
  public void checkpoint() {
    if (isWarm()) {
      progress.save();
    }
  }

  @Override
  void savePiece() {
    progress.save();
  }
}

package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.Place;
import java.util.List;

/**
 * What a full round leads to. Where it ends a version: ledger, snapshot, state, in this order; all
 * of one transaction. Within a version nothing is written.
 */
final class RoundCloser {

  private final TrainerSettings settings;
  private final TrainerOutput output;
  private final LedgerChain chain;
  private final VersionPublisher publisher;
  private final ModelCache cache;
  private long sequence;
  private byte[] hash = Sha256.none();

  RoundCloser(TrainerSettings settings, TrainerOutput output, LedgerChain chain, ModelCache cache) {
    this.settings = settings;
    this.output = output;
    this.chain = chain;
    this.publisher = new VersionPublisher(settings, output);
    this.cache = cache;
  }

  /** Goes on behind the last entry that the stored state has paid for. */
  void resume(long lastSequence, byte[] lastHash) {
    sequence = lastSequence;
    hash = lastHash;
  }

  /** Sequence of the last ledger entry that this state has paid for. */
  long sequence() {
    return sequence;
  }

  /** Hash of that entry. */
  byte[] hash() {
    return hash;
  }

  /**
   * Closes the round of a model.
   *
   * @param ranges where the slots of some rounds lie
   * @param to every slot of the model below this place is in a closed round
   * @return whether it ended a version, new or one that was published before
   */
  boolean close(CachedModel model, VersionRanges ranges, long origin, long to) {
    ClosedRound round = model.learner.close();
    settings.run().observer().closed(model.modelId, model.learner::weights);
    if (round.number() == settings.planOf(model.modelId).ranges().rounds()) {
      settings.run().observer().measured(model.modelId, model.learner.ranges());
    }
    if (round.version().isEmpty()) {
      return false;
    }
    long first = round.version().get().firstRound();
    endVersion(model, round, ranges.of(first, round.number()), origin);
    model.versionPlace = Place.NONE;
    if (round.number() > model.headRound) {
      model.headRound = round.number();
      cache.saveHead(model);
    }
    if (round.number() - model.savedRound >= settings.stateEvery() || round.last()) {
      cache.save(model, to);
    }
    if (!chain.isAhead(model.modelId)) {
      output.versionClosed(model.modelId, first, round.number());
    }
    return true;
  }

  /**
   * Publishes a version, or derives again one that was published. Outputs, stores and the offset of
   * the input are of one transaction, so a rebalance between this call and its commit leaves one of
   * these:
   *
   * <ul>
   *   <li>The task is revoked: Streams commits first, and whoever has it next finds the version and
   *   the state behind it.
   *   <li>The task is lost, or the transaction aborted: nothing of the version is there. It is
   *   derived once more from the state before it, with the same bits.
   *   <li>The version is committed, but the state is older, since it is written once in several
   *   rounds or was lost: the entry is among those that {@link LedgerChain} holds. What is derived
   *   now must have its very bytes, or learning stops; nothing is published a second time.
   * </ul>
   */
  private void endVersion(
      CachedModel model, ClosedRound round, List<OffsetRange> ranges, long origin) {
    requireNew(ranges);
    byte[] published = chain.toDeriveAgain(model.modelId, round.number());
    if (published != null) {
      LedgerEntry entry = publisher.requireSame(published, model, round, ranges, origin);
      sequence = Math.max(sequence, entry.sequence());
      hash = sequence == entry.sequence() ? Sha256.sha256(published) : hash;
      model.ledgerSequence = entry.sequence();
    } else {
      LedgerEntry entry =
          publisher.entry(model, round, ranges, origin, chain.sequence() + 1, chain.hash());
      chain.requireNothingLeft(model.modelId, round.number(), model.headRound);
      byte[] bytes = chain.append(entry);
      output.ledger(model.modelId, bytes);
      publisher.publish(model, round, entry, chain.hash());
      round.metrics().ifPresent(metrics -> publisher.publish(model, metrics));
      sequence = chain.sequence();
      hash = chain.hash();
      model.ledgerSequence = sequence;
    }
  }

  /**
   * Nothing leaves that was learned from what the run before this one has paid for. The group's
   * offsets, which a start checks, say where a first life begins, and nothing of where this one
   * did.
   */
  private void requireNew(List<OffsetRange> ranges) {
    for (OffsetRange before : settings.run().learnedBefore()) {
      for (OffsetRange now : ranges) {
        if (now.partition() == before.partition() && now.from() < before.to()) {
          throw new UnsafeToContinueException("the run " + settings.app()
              + " began with a budget of its own, since it learns only from records that the run"
              + " before it had not learned: in partition " + before.partition() + " from offset "
              + before.to() + " on. But it has begun at " + now.from()
              + ": it was started without start.from before. Nothing of it is published. Take"
              + " another app.id, with start.from from the beginning");
        }
      }
    }
  }
}

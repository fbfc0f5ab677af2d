package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.topology.log.Place;
import java.util.List;

/**
 * What a full round leads to. Where it ends a version: ledger, snapshot, state, in this order; all
 * of one transaction. Within a version nothing is written.
 */
final class RoundCloser {
  private final TrainerSettings settings;
  private final TrainerOutput outbox;
  private final LedgerChain chain;
  private final VersionPublisher publisher;
  private final ModelCache tracks;
  private long sequence;
  private byte[] hash = Sha256.none();

  RoundCloser(
      TrainerSettings settings, TrainerOutput outbox, LedgerChain chain, ModelCache tracks) {
    this.settings = settings;
    this.outbox = outbox;
    this.chain = chain;
    this.publisher = new VersionPublisher(settings, outbox);
    this.tracks = tracks;
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
  boolean close(CachedModel track, VersionRanges ranges, long origin, long to) {
    ClosedRound round = track.learner.close();
    settings.run().observer().closed(track.modelId, track.learner::weights);
    if (round.version().isEmpty()) {
      return false;
    }
    long first = round.version().get().firstRound();
    endVersion(track, round, ranges.of(first, round.number()), origin);
    track.versionPlace = Place.NONE;
    if (round.number() > track.headRound) {
      track.headRound = round.number();
      tracks.saveHead(track);
    }
    if (round.number() - track.savedRound >= settings.stateEvery() || round.last()) {
      tracks.save(track, to);
    }
    if (!chain.isAhead(track.modelId)) {
      outbox.versionClosed(track.modelId, first, round.number());
    }
    return true;
  }

  /**
   * Publishes a version, or derives again one that was published. Outputs, stores and the offset of the
   * input are of one transaction, so a rebalance between this call and its commit leaves one of these:
   *
   * <ul>
   *   <li>The task is revoked: Streams commits first, and whoever has it next finds the version and the
   *       state behind it.
   *   <li>The task is lost, or the transaction aborted: nothing of the version is there. It is derived
   *       once more from the state before it, with the same bits.
   *   <li>The version is committed, but the state is older, since it is written once in several rounds
   *       or was lost: the entry is among those that {@link LedgerChain} holds. What is derived now must
   *       have its very bytes, or learning stops; nothing is published a second time.
   * </ul>
   */
  private void endVersion(
      CachedModel track, ClosedRound round, List<OffsetRange> ranges, long origin) {
    byte[] published = chain.published(track.modelId, round.number());
    if (published != null) {
      LedgerEntry entry = publisher.requireSame(published, track, round, ranges, origin);
      sequence = Math.max(sequence, entry.sequence());
      hash = sequence == entry.sequence() ? Sha256.sha256(published) : hash;
      track.ledgerSequence = entry.sequence();
    } else {
      LedgerEntry entry =
          publisher.entry(track, round, ranges, origin, chain.sequence() + 1, chain.hash());
      chain.requireNothingLeft(track.modelId, round.number(), track.headRound);
      byte[] bytes = chain.append(entry);
      outbox.ledger(track.modelId, bytes);
      publisher.publish(track, round, entry, chain.hash());
      round.metrics().ifPresent(metrics -> publisher.publish(track, metrics));
      sequence = chain.sequence();
      hash = chain.hash();
      track.ledgerSequence = sequence;
    }
  }
}

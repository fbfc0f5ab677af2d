package dev.sotto.topology.core;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.round.Round;
import java.util.List;

/** What a full round leads to: ledger, snapshot, state, in this order; all of one transaction. */
final class Closing {
  private final TrainerSettings settings;
  private final Outbox outbox;
  private final Chain chain;
  private final Publisher publisher;
  private final Tracks tracks;
  private long sequence;
  private byte[] hash = Hashes.none();

  Closing(TrainerSettings settings, Outbox outbox, Chain chain, Tracks tracks) {
    this.settings = settings;
    this.outbox = outbox;
    this.chain = chain;
    this.publisher = new Publisher(settings, outbox);
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
   * @param to every slot of the model below this offset is in a closed round
   * @return whether the round is new; false where one that was published before has been derived again
   */
  boolean close(ModelTrack track, List<OffsetRange> ranges, long origin, long to) {
    Round round = track.learner.close();
    byte[] published = chain.published(track.modelId, round.number());
    if (published != null) {
      LedgerEntry entry = publisher.requireSame(published, track, round, ranges, origin);
      sequence = Math.max(sequence, entry.sequence());
      hash = sequence == entry.sequence() ? Hashes.sha256(published) : hash;
      track.ledgerSequence = entry.sequence();
    } else {
      LedgerEntry entry =
          publisher.entry(track, round, ranges, origin, chain.sequence() + 1, chain.hash());
      chain.requireNothingLeft(track.modelId, round.number(), track.headRound);
      byte[] bytes = chain.append(entry);
      outbox.ledger(track.modelId, bytes);
      if (round.number() % settings.releaseEvery() == 0 || round.last()) {
        publisher.publish(track, round, entry, chain.hash());
      }
      round.metrics().ifPresent(metrics -> publisher.publish(track, metrics));
      sequence = chain.sequence();
      hash = chain.hash();
      track.ledgerSequence = sequence;
    }
    if (round.number() > track.headRound) {
      track.headRound = round.number();
      tracks.saveHead(track);
    }
    if (round.number() % settings.stateEvery() == 0 || round.last()) {
      tracks.save(track, to);
    }
    if (!chain.isAhead(track.modelId)) {
      outbox.roundClosed(track.modelId, round.number());
    }
    return published == null;
  }
}

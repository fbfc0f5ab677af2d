package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.release.Releaser;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SameRun;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.util.Arrays;

/**
 * Whether what is stored belongs to these settings and to this ledger; where it does not, learning
 * stops.
 */
final class StateChecks {
  /** What else may have been learned in. */
  static final String LAYOUTS = "direct or rounds";

  private static final String ORDERED =
      "the stored state was learned in layout ordered, where slots"
          + " have other places than in the layout in force now: set layout: ordered, or "
          + NewHistory.START;

  private final TrainerSettings settings;

  StateChecks(TrainerSettings settings) {
    this.settings = settings;
  }

  void settings(PartitionHead head) {
    boolean ordered = settings.source().isOrder();
    if (ordered != (head.order() != null)) {
      throw new UnsafeToContinueException(ordered ? notOrdered(head) : ORDERED);
    }
    if (ordered && !head.eventTopicId().equals(settings.source().eventTopicId())) {
      throw otherTopic("event topic", head.eventTopicId(), settings.source().eventTopicId());
    }
    if (!head.topicId().equals(settings.topicId())) {
      throw ordered
          ? otherTopic("order's topic", head.topicId(), settings.topicId())
          : new UnsafeToContinueException("the stored state belongs to topic id " + head.topicId()
              + ", the source topic now has id "
              + settings.topicId() + ". Either the topic was deleted and made again, and its"
              + " records are others: restore it. Or the layout was another, " + LAYOUTS
              + ": put it back. Where neither can be done, " + NewHistory.START);
    }
    if (!head.routing().equals(settings.routing())) {
      throw new UnsafeToContinueException("models were told apart by " + head.routing()
          + ", now by "
          + settings.routing() + "; records that one model has learned would teach another. Put"
          + " model.id.source and its name back. If partitions were added, Kafka takes none away"
          + " again: then " + NewHistory.START);
    }
    if (head.semantics() != Releaser.SEMANTICS) {
      throw new UnsafeToContinueException(NewHistory.otherSemantics("the state", head.semantics()));
    }
  }

  /** A head without an order, where there must be one. */
  private String notOrdered(PartitionHead head) {
    String begin = "the stored state was learned in ";
    String rule = ", where slots have other places than in layout ordered, which is in force now: ";
    return head.topicId().equals(settings.source().eventTopicId())
        ? begin + "layout direct" + rule + "set layout: direct, or " + NewHistory.START
        : begin + "another layout, " + LAYOUTS + ", over topic id " + head.topicId() + rule
            + "put it back, or " + NewHistory.START;
  }

  private static UnsafeToContinueException otherTopic(String which, String then, String now) {
    return new UnsafeToContinueException(
        "the " + which + " was deleted and made again: the state belongs to topic id " + then
            + ", the topic now has id " + now
            + ": it was deleted and made again, and its records are others. Restore the topic, or "
            + NewHistory.START);
  }

  void ledger(PartitionHead head, LedgerEntry last, byte[] lastHash) {
    long published = last == null ? 0 : last.sequence();
    if (published < head.ledgerSequence()) {
      throw new UnsafeToContinueException(
          "the state is ahead of the ledger: it has paid for entry " + head.ledgerSequence()
              + ", the ledger (partition " + settings.partition() + ") ends at " + published
              + "; the ledger was truncated or made again. Restore it: without it no guarantee"
              + " can be stated");
    }
    if (published == head.ledgerSequence() && !Arrays.equals(lastHash, head.ledgerHash())) {
      throw new UnsafeToContinueException("the ledger's last entry (sequence " + published
          + ") is not the one that this state wrote; "
          + "another application writes to the same ledger topic. Stop it, or give this one"
          + " its own topics");
    }
  }

  /**
   * Before anything of the model's state is read: another configuration may not even have its
   * shape.
   */
  void sameRun(String modelId, ModelHead head) {
    new SameRun(
            settings.key(),
            settings.runName(),
            modelId,
            settings.planOf(modelId).fingerprint())
        .require(new SameRun.Begun(head.keyId(), head.runId(), head.fingerprint()));
  }
}

package dev.sotto.topology.core;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.release.Releaser;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.PartitionHead;
import java.util.Arrays;

/** Whether what is stored belongs to these settings and to this ledger; where it does not, learning stops. */
final class StateChecks {
  private final TrainerSettings settings;

  StateChecks(TrainerSettings settings) {
    this.settings = settings;
  }

  void settings(PartitionHead head) {
    if (!head.topicId().equals(settings.topicId())) {
      throw new Refusal(
          "the source topic was deleted and made again: the state belongs to topic id "
              + head.topicId()
              + ", the topic now has id " + settings.topicId()
              + "; its records are others. Choose a new app.id, or restore the topic");
    }
    if (!head.routing().equals(settings.routing())) {
      throw new Refusal("models were told apart by " + head.routing() + ", now by "
          + settings.routing() + "; records that one model has learned would teach another. Put"
          + " model.id.source, its name and the number of partitions back, or start a new app.id whose"
          + " budget accounts for what was spent");
    }
    if (head.semantics() != Releaser.SEMANTICS) {
      throw new Refusal("the state was written by semantics version " + head.semantics()
          + ", this program has " + Releaser.SEMANTICS + "; run the version that wrote it");
    }
  }

  void ledger(PartitionHead head, LedgerEntry last, byte[] lastHash) {
    long published = last == null ? 0 : last.sequence();
    if (published < head.ledgerSequence()) {
      throw new Refusal(
          "the state is ahead of the ledger: it has paid for entry " + head.ledgerSequence()
              + ", the ledger (partition " + settings.partition() + ") ends at " + published
              + "; the ledger was truncated or made again. Restore it: without it no guarantee can be stated");
    }
    if (published == head.ledgerSequence() && !Arrays.equals(lastHash, head.ledgerHash())) {
      throw new Refusal(
          "the ledger's last entry (sequence " + published
              + ") is not the one that this state wrote; "
              + "another application writes to the same ledger topic. Stop it, or give this one its own topics");
    }
  }

  /** Before anything of the model's state is read: another configuration may not even have its shape. */
  void sameRun(String modelId, ModelHead head) {
    byte[] fingerprint = settings.plan().fingerprint();
    NoiseKey key = settings.key();
    if (!key.holds(head.keyId())) {
      throw new Refusal("model " + modelId + " was begun under noise key " + head.keyId()
          + ", now it is " + key.id()
          + ", and that one is not among the earlier ones. Put it back, or, to rotate"
          + " the key, list it under noise.key.previous.files");
    }
    byte[] runId = key.ofId(head.keyId()).runId(modelId, fingerprint, settings.label());
    if (Arrays.equals(head.runId(), runId)) {
      return;
    }
    String what = !Arrays.equals(head.fingerprint(), fingerprint)
        ? "configuration " + Chain.hex(head.fingerprint()) + ", now it is " + Chain.hex(fingerprint)
        : "another run.label";
    throw new Refusal(
        "model " + modelId + " was learned under " + what + "; going on would break its guarantee. "
            + "Put the old setting back, or start a new model id whose budget accounts for what was spent");
  }
}

package dev.sotto.topology.trainer;

import dev.sotto.learner.training.ModelLearner;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.store.UnitTable;

/** One model of a partition as the trainer keeps it between records. */
final class CachedModel {
  final String modelId;
  final ModelLearner learner;

  /** Null where every record is a unit of its own. */
  final UnitTable histories;

  /** Name of the noise key under which the run began. */
  final String originKeyId;

  /** Slots below this place are in the stored state. */
  long savedPosition;

  /** Slots of the open block that this state keeps out. */
  int savedRefusals;

  /** Slots below this place have been taken; it goes back where a block is read again. */
  long position;

  /** Rounds in the stored state of the learner. */
  long savedRound;

  /** The query of a block that is open in that state. */
  long savedQuery;

  /** Sequence of the model's last ledger entry, 0 before the first. */
  long ledgerSequence;

  /** The newest version that the stored state has paid for. */
  long headRound;

  /** The newest version of those that were to be derived again as the model was loaded; else 0. */
  long paidRound;

  /** The newest round that was opened for workers; 0 where there are none. */
  long openedRound;

  /** Name of the noise key of that round. */
  String openedKeyId = "";

  /** Place of the open version's first slot; {@link Place#NONE} where none is open. */
  long versionPlace = Place.NONE;

  /** Place of the open round's first slot, or none. */
  long firstPlace = Place.NONE;

  /**
   * Place of the first slot of the open query, or none; that of the round where it is one query.
   */
  long queryPlace = Place.NONE;

  /** Slots consumed after the budget was spent. */
  long skipped;

  /** Whether the store has the model's head. */
  boolean stored;

  /** Whether the heap holds slots that the store does not. */
  boolean unsaved;

  CachedModel(String modelId, ModelLearner learner, UnitTable histories, String originKeyId) {
    this.modelId = modelId;
    this.learner = learner;
    this.histories = histories;
    this.originKeyId = originKeyId;
    this.savedRound = learner.round();
    this.savedQuery = learner.openQuery();
    this.savedRefusals = learner.refusals();
  }
}

package dev.sotto.topology.trainer;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.release.UnreadableStateException;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelState;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OpenRound;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.store.HistoryCache;
import dev.sotto.topology.store.LearnerStore;
import dev.sotto.topology.store.StateTable;
import dev.sotto.topology.store.StoredLearnerState;
import dev.sotto.topology.store.UnitTable;
import java.nio.ByteBuffer;

/** Brings the models of one partition from the stores, each under the keys of its ledger. */
final class ModelLoader {
  private final TrainerSettings settings;
  private final LearnerStore store;
  private final LedgerChain chain;
  private final StateChecks checks;
  private final StateTable heads;
  private final StateTable units;
  private final HistoryCache histories = new HistoryCache();
  private final boolean keepsHistories;

  ModelLoader(
      TrainerSettings settings,
      LearnerStore store,
      LedgerChain chain,
      StateChecks checks,
      StateTable heads,
      StateTable units) {
    this.settings = settings;
    this.store = store;
    this.chain = chain;
    this.checks = checks;
    this.heads = heads;
    this.units = units;
    this.keepsHistories = settings.plan().account().admission().isPresent();
  }

  /** Leaves the room of histories to other tasks. */
  void close() {
    histories.close();
  }

  /** Where an open round stands in the log; it is sealed with these bytes. */
  static byte[] place(long position, long firstPlace, long skipped) {
    return ByteBuffer.allocate(24)
        .putLong(position)
        .putLong(firstPlace)
        .putLong(skipped)
        .array();
  }

  /**
   * A round that was published under some key is derived again under that one; any other begins
   * under the present one.
   */
  private ModelKeys keys(String modelId, String origin) {
    NoiseKey key = settings.key();
    requireKey(modelId, origin);
    return new ModelKeys(key, origin, round -> {
      String keyId = chain.keyOf(modelId, round);
      if (keyId == null) {
        return key.id();
      }
      requireKey(modelId, keyId);
      return keyId;
    });
  }

  private String firstKeyId() {
    return settings.originKeyId() == null ? settings.key().id() : settings.originKeyId();
  }

  private void requireKey(String modelId, String keyId) {
    if (!settings.key().holds(keyId)) {
      throw new UnsafeToContinueException("the ledger knows model " + modelId + " under noise key "
          + keyId + ", which is not given: " + NewHistory.OLD_KEY);
    }
  }

  /** The model of an id, as the stores have it; one that they do not know has not begun. */
  CachedModel load(String modelId) {
    ModelHead head = store.modelHead(modelId);
    if (head != null) {
      checks.sameRun(modelId, head);
    }
    UnitTable table = table(modelId);
    StoredLearnerState state = store.learner(modelId);
    expectWhatIsMissing(head, state);
    CachedModel model = model(modelId, head, state, table);
    if (state != null) {
      takeOver(model, state);
    }
    if (head != null) {
      takeOver(model, head);
    }
    model.paidRound = chain.newest(modelId);
    chain.requireSameRun(modelId, model.learner.runId());
    OpenRound open = store.open(modelId);
    if (open != null
        && open.round() == model.learner.round()
        && open.position() >= model.savedPosition) {
      takeOver(model, open);
    }
    model.position = model.savedPosition;
    return model;
  }

  /** The histories of its units; null where none are kept. */
  private UnitTable table(String modelId) {
    if (!keepsHistories) {
      return null;
    }
    UnitTable table = new UnitTable(units, heads, modelId, histories);
    table.requireMark();
    return table;
  }

  /** Versions that were paid for behind the stored state are derived again. */
  private void expectWhatIsMissing(ModelHead head, StoredLearnerState state) {
    long round = state == null ? 0 : state.model().release().round();
    if (head != null && head.round() > round) {
      chain.expect(
          state == null ? 1 : state.ledgerSequence() + 1, state == null ? Sha256.none() : null);
    }
  }

  /** With its learner at the stored state, or at the start, under the keys of its ledger. */
  private CachedModel model(
      String modelId, ModelHead head, StoredLearnerState state, UnitTable table) {
    String origin = head == null ? chain.keyOf(modelId, 1) : head.keyId();
    ModelKeys keys = keys(modelId, origin == null ? firstKeyId() : origin);
    Plan plan = settings.planOf(modelId);
    ModelLearner learner = state == null
        ? ModelLearner.start(plan, keys, modelId, settings.runName(), table)
        : resume(plan, keys, modelId, state.model(), table);
    return new CachedModel(modelId, learner, table, keys.originId());
  }

  private void takeOver(CachedModel model, StoredLearnerState state) {
    model.ledgerSequence = state.ledgerSequence();
    model.savedPosition = state.position();
    model.versionPlace = state.versionPlace();
    if (settings.planOf(model.modelId).learnsFromBlocks()) {
      model.firstPlace = state.versionPlace(); // a version is a block
    }
  }

  private static void takeOver(CachedModel model, ModelHead head) {
    model.stored = true;
    model.headRound = head.round();
    model.openedRound = head.openedRound();
    model.openedKeyId = head.openedKeyId();
  }

  /** The open round goes on where its last checkpoint left it. */
  private void takeOver(CachedModel model, OpenRound open) {
    if (open.sealed().length > 0) {
      resumeOpen(model.modelId, model.learner, open);
    }
    long place = open.firstPlace();
    model.savedPosition = open.position();
    model.queryPlace = place;
    model.firstPlace = Place.isNone(model.firstPlace) ? place : model.firstPlace;
    model.versionPlace = Place.isNone(model.versionPlace) ? place : model.versionPlace;
    model.skipped = open.skipped();
    model.learner.resumeAt(open.since(), open.time());
  }

  private ModelLearner resume(
      Plan plan, ModelKeys keys, String modelId, ModelState state, UnitTable table) {
    try {
      return ModelLearner.resume(plan, keys, modelId, settings.runName(), state, table);
    } catch (UnreadableStateException damaged) {
      throw new TransientException(
          FailureKind.FAULTS,
          "the state of model " + modelId + ": " + damaged.getMessage()
              + ". If this stays, remove the state folder, so that it is restored again",
          damaged);
    }
  }

  private void resumeOpen(String modelId, ModelLearner learner, OpenRound open) {
    try {
      learner.resumeOpen(
          open.sealed(),
          place(open.position(), open.firstPlace(), open.skipped()),
          store.openPages(modelId));
    } catch (IllegalStateException disagreement) {
      throw new TransientException(FailureKind.FAULTS, disagreement.getMessage(), disagreement);
    }
  }
}

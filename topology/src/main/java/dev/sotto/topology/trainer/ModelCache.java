package dev.sotto.topology.trainer;

import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OpenRound;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.settings.ModelMemory;
import dev.sotto.topology.store.HeapShare;
import dev.sotto.topology.store.LearnerStore;
import dev.sotto.topology.store.OpenRoundPages;
import dev.sotto.topology.store.StateTable;
import dev.sotto.topology.store.StoredLearnerState;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The models of one partition: those on the heap, and how they come from the stores and go back.
 */
final class ModelCache {
  /** The heap for models, which all trainers of a process divide. */
  private static final HeapShare MODELS = new HeapShare();

  private final TrainerSettings settings;
  private final LearnerStore store;
  private final LedgerChain chain;
  private final ModelLoader loader;
  private final long modelBytes;
  /** Those asked for most recently come last. */
  private final Map<String, CachedModel> models = new LinkedHashMap<>(16, 0.75f, true);

  private final Set<String> retired = new HashSet<>();

  private CachedModel last;
  private int unsaved;
  private long unstored; // models on the heap of which the store knows nothing

  ModelCache(
      TrainerSettings settings,
      LearnerStore store,
      LedgerChain chain,
      StateChecks checks,
      StateTable heads,
      StateTable units) {
    this.settings = settings;
    this.store = store;
    this.chain = chain;
    this.loader = new ModelLoader(settings, store, chain, checks, heads, units);
    this.modelBytes = ModelMemory.bytes(settings.run());
    MODELS.join(this);
  }

  /**
   * The model of an id, or null where it would be one more than there may be: those seen first in
   * the log are learned, whatever was read again in between.
   *
   * @param position every slot below it has been absorbed
   */
  CachedModel ofAtMost(long limit, String modelId, long position) {
    if (last != null && last.modelId.equals(modelId)) {
      return last;
    }
    CachedModel model = models.get(modelId);
    if (model == null) {
      if (limit < Long.MAX_VALUE
          && store.modelHead(modelId) == null
          && store.models() + unstored >= limit) {
        return null;
      }
      makeRoom(position);
      model = loader.load(modelId);
      unstored += model.stored ? 0 : 1;
      models.put(modelId, model);
    }
    last = model;
    return model;
  }

  /**
   * The model of an id.
   *
   * @param position every slot below it has been absorbed
   */
  CachedModel of(String modelId, long position) {
    return ofAtMost(Long.MAX_VALUE, modelId, position);
  }

  /**
   * Whether a model is learned no more. One that is to be retired is as soon as all that was ever
   * published of it has been derived again; its state is removed.
   *
   * @param listed whether it is to be
   * @param position every slot below it has been absorbed
   */
  boolean isRetired(String modelId, boolean listed, long position) {
    if (!listed && (last != null && last.modelId.equals(modelId) || models.containsKey(modelId))) {
      return false;
    }
    if (!retired.contains(modelId)) {
      if (!store.isRetired(modelId)) {
        if (!listed || isBehind(modelId, position)) {
          return false;
        }
        retire(modelId);
      }
      retired.add(modelId);
    }
    return true;
  }

  private boolean isBehind(String modelId, long position) {
    if (chain.isAhead(modelId) || !chain.isBehind(modelId, 0)) {
      return chain.isAhead(modelId);
    }
    boolean known = models.containsKey(modelId) || store.modelHead(modelId) != null;
    return !known || chain.isBehind(modelId, of(modelId, position).learner.round());
  }

  private void retire(String modelId) {
    CachedModel model = models.remove(modelId);
    if (model != null) {
      markSaved(model);
      unstored -= model.stored ? 0 : 1;
      last = last == model ? null : last;
    }
    store.retire(modelId);
  }

  private long most() {
    return ModelMemory.room(MODELS.of(settings.modelBytes()), modelBytes);
  }

  /** Gives up the models that were not asked for longest, one for each that comes. */
  private void makeRoom(long position) {
    for (long most = most(); models.size() >= most; ) {
      CachedModel oldest = models.values().iterator().next();
      checkpoint(oldest, position);
      models.remove(oldest.modelId);
      store.forget(oldest.modelId);
      last = last == oldest ? null : last;
      oldest.learner.recycle(); // what is stored of it was copied
    }
  }

  /**
   * The place of the first slot of any open round on the heap.
   *
   * @param none where there is none
   */
  long firstPlace(long none) {
    long first = none;
    for (CachedModel model : models.values()) {
      first = Place.isNone(model.firstPlace) ? first : Math.min(first, model.firstPlace);
    }
    return first;
  }

  /** Whether no model is on the heap. */
  boolean isEmpty() {
    return models.isEmpty();
  }

  /** Whether a version of any model on the heap is open. */
  boolean anyInVersion() {
    return models.values().stream().anyMatch(each -> !Place.isNone(each.versionPlace));
  }

  /** Slots in the open round of a model on the heap, -1 of any other. */
  long openSlots(String modelId) {
    CachedModel model = models.get(modelId);
    return model == null ? -1 : model.learner.openSlots();
  }

  /** Leaves the room to other tasks; what was not saved is given up. */
  void close() {
    MODELS.leave(this);
    loader.close();
  }

  boolean allSaved() {
    return unsaved == 0;
  }

  void markUnsaved(CachedModel model) {
    if (!model.unsaved) {
      model.unsaved = true;
      unsaved++;
    }
  }

  private void markSaved(CachedModel model) {
    if (model.unsaved) {
      model.unsaved = false;
      unsaved--;
    }
  }

  /** Writes a model whose open round, or open query, is empty. */
  void save(CachedModel model, long at) {
    saveState(model, at);
    saveHistories(model, at);
    markSaved(model);
  }

  /** Writes the model's place in its ledger. */
  void saveHead(CachedModel model) {
    if (!model.stored) {
      store.countModel();
      model.stored = true;
      unstored--;
    }
    store.put(
        model.modelId,
        new ModelHead(
            model.learner.runId(),
            settings.planOf(model.modelId).fingerprint(),
            model.originKeyId,
            model.headRound,
            model.openedRound,
            model.openedKeyId));
  }

  /** Writes every model that the heap knows better than the store. */
  void checkpoint(long position) {
    for (CachedModel model : models.values()) {
      checkpoint(model, position);
    }
  }

  private void checkpoint(CachedModel model, long position) {
    if (!model.unsaved) {
      return;
    }
    long at = Math.max(position, model.position);
    boolean empty = model.learner.openSlots() == 0;
    long from = empty ? Place.NONE : model.queryPlace;
    if (model.savedRound != model.learner.round()
        || model.savedQuery != model.learner.openQuery()
        || model.savedRefusals != model.learner.refusals()) {
      saveState(model, empty ? at : from);
    }
    byte[] place = ModelLoader.place(at, from, model.skipped);
    OpenRoundPages pages = store.openPages(model.modelId);
    byte[] sealed = empty ? new byte[0] : model.learner.sealOpen(place, pages, store.pageBytes());
    store.put(
        model.modelId,
        new OpenRound(
            model.savedRound,
            at,
            from,
            model.skipped,
            model.learner.version().since(),
            model.learner.version().time(),
            sealed,
            pages.stored()));
    if (model.headRound == 0) {
      // which key and settings the run began under, before its first round closes
      saveHead(model);
    }
    saveHistories(model, at);
    model.savedPosition = at;
    markSaved(model);
  }

  private void saveState(CachedModel model, long at) {
    boolean sameQuery =
        model.savedRound == model.learner.round() && model.savedQuery == model.learner.openQuery();
    if (!sameQuery) {
      store.dropOpen(model.modelId); // else its pages still are those of the open query
    }
    store.put(
        model.modelId,
        new StoredLearnerState(
            at,
            model.ledgerSequence,
            model.learner.isInVersion() ? model.versionPlace : Place.NONE,
            model.learner.checkpoint(store.pageBytes(), redraw(), store.hasNoise(model.modelId))));
    model.savedRound = model.learner.round();
    model.savedQuery = model.learner.openQuery();
    model.savedRefusals = model.learner.refusals();
    model.savedPosition = at;
  }

  /**
   * Models that come and go are read again soon: drawing their noise must take less than writing
   * it. Others are read after a crash alone.
   */
  private int redraw() {
    return models.size() < most() ? Integer.MAX_VALUE : ModelMemory.REDRAWN_ROUNDS;
  }

  private static void saveHistories(CachedModel model, long at) {
    if (model.histories != null) {
      model.histories.save(at);
    }
  }
}

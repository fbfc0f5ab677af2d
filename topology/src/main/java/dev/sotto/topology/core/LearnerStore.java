package dev.sotto.topology.core;

import dev.sotto.learner.release.Paged;
import dev.sotto.learner.release.ReleaseState;
import dev.sotto.learner.round.ModelState;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OpenRound;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.serdes.record.StateIndex;
import dev.sotto.serdes.record.StoredArray;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stored records of one trainer, by name. Arrays are cut into pages, of which only changed ones are written; what
 * belongs together is said by a record in the other table, so that pages of another commit are noticed.
 */
final class LearnerStore {
  private static final String HEAD = "partition";
  private static final String PREFIX = "prefix";
  private static final String WALK = "walk";
  private static final String WINDOW = "window";
  private static final String ITERATES = "iterates";

  private final StateTable heads;
  private final StateTable arrays;
  private final Pages pages;
  private final int pageBytes;
  private final Map<String, StateIndex> indexes = new HashMap<>(); // of the models on the heap
  private final Map<String, OpenPages> open = new HashMap<>();

  LearnerStore(StateTable heads, StateTable arrays) {
    this.heads = heads;
    this.arrays = arrays;
    this.pages = new Pages(arrays);
    this.pageBytes = arrays.pageBytes();
  }

  /** About the size of a page. */
  int pageBytes() {
    return pageBytes;
  }

  PartitionHead partitionHead() {
    byte[] bytes = heads.get(HEAD);
    return bytes == null ? null : Codecs.PARTITION_HEAD.decode(bytes);
  }

  void put(PartitionHead head) {
    heads.put(HEAD, Codecs.PARTITION_HEAD.encode(head));
  }

  ModelHead modelHead(String modelId) {
    byte[] bytes = heads.get(StoredModels.PREFIX + modelId);
    return bytes == null ? null : Codecs.MODEL_HEAD.decode(bytes);
  }

  void put(String modelId, ModelHead head) {
    heads.put(StoredModels.PREFIX + modelId, Codecs.MODEL_HEAD.encode(head));
  }

  /** The state of a model, or null; its pages are fetched when they are asked for. */
  LearnerState learner(String modelId) {
    requirePages(modelId);
    byte[] bytes = heads.get("state/" + modelId);
    if (bytes == null) {
      if (arrays.get(Pages.key(PREFIX, 0, modelId)) != null) {
        throw Pages.disagreement("the state of model " + modelId);
      }
      return null;
    }
    StateIndex index = Codecs.STATE_INDEX.decode(bytes);
    indexes.put(modelId, index);
    ReleaseState release = new ReleaseState(
        index.round(),
        index.before(),
        index.generation(),
        index.digest(),
        array(modelId, index, PREFIX),
        array(modelId, index, WALK),
        array(modelId, index, WINDOW));
    double[] iterates = PagedDoubles.read(array(modelId, index, ITERATES));
    return new LearnerState(
        index.position(), index.ledgerSequence(), new ModelState(release, iterates));
  }

  private Paged array(String modelId, StateIndex index, String name) {
    return index
        .array(name)
        .map(stored -> pages.read(modelId, stored))
        .orElseGet(() -> Paged.of(new byte[0]));
  }

  private void requirePages(String modelId) {
    if (heads.get("hash/state/" + modelId) != null || heads.get("hash/open/" + modelId) != null) {
      throw new Refusal("the state of model " + modelId
          + " was stored whole, by an earlier version of this program, not in pages; run the version that wrote it,"
          + " or start a new app.id whose budget accounts for what was spent");
    }
  }

  /** Writes what of a state is not stored already. */
  void put(String modelId, LearnerState state) {
    ReleaseState release = state.model().release();
    StateIndex before = indexes.get(modelId);
    List<StoredArray> stored = new ArrayList<>();
    write(modelId, PREFIX, release.prefix(), before, stored);
    write(modelId, WALK, release.walk(), before, stored);
    write(modelId, WINDOW, release.window(), before, stored);
    write(modelId, ITERATES, PagedDoubles.of(state.model().iterates(), pageBytes), before, stored);
    StateIndex index = new StateIndex(
        state.position(),
        state.ledgerSequence(),
        release.round(),
        release.before(),
        release.generation(),
        release.digest(),
        stored);
    heads.put("state/" + modelId, Codecs.STATE_INDEX.encode(index));
    indexes.put(modelId, index);
  }

  private void write(
      String modelId, String name, Paged array, StateIndex before, List<StoredArray> stored) {
    StoredArray old = before == null ? null : before.array(name).orElse(null);
    StoredArray now = pages.write(modelId, name, array, old);
    if (now.pages() > 0) {
      stored.add(now);
    }
  }

  /** The open round of a model at its last checkpoint, or null. */
  OpenRound open(String modelId) {
    byte[] bytes = heads.get("open/" + modelId);
    // Pages alone do not tell that the record is missing.
    byte[] mark = arrays.get("open-mark/" + modelId);
    if (!Arrays.equals(mark, bytes == null ? null : Hashes.sha256(bytes))) {
      throw Pages.disagreement("the open round of model " + modelId);
    }
    OpenRound round = bytes == null ? null : Codecs.OPEN_ROUND.decode(bytes);
    if (round != null) {
      open.put(modelId, new OpenPages(arrays, modelId, round.pages()));
    }
    return round;
  }

  /** The pages of a model's open round. */
  OpenPages openPages(String modelId) {
    return open.computeIfAbsent(modelId, id -> new OpenPages(arrays, id, new byte[0]));
  }

  void put(String modelId, OpenRound round) {
    byte[] bytes = Codecs.OPEN_ROUND.encode(round);
    heads.put("open/" + modelId, bytes);
    arrays.put("open-mark/" + modelId, Hashes.sha256(bytes));
    openPages(modelId);
  }

  /** Removes the checkpoint of an open round that has closed. */
  void dropOpen(String modelId) {
    OpenPages stored = open.remove(modelId);
    if (stored != null) {
      stored.deleteAll();
      heads.delete("open/" + modelId);
      arrays.delete("open-mark/" + modelId);
    }
  }

  /** Forgets what it knows of the models; all of it is stored. */
  void forget() {
    indexes.clear();
    open.clear();
  }
}

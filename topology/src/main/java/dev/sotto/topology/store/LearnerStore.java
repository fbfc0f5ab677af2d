package dev.sotto.topology.store;

import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.release.ReleaserState;
import dev.sotto.learner.training.ModelState;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OpenRound;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.serdes.record.StateIndex;
import dev.sotto.serdes.record.StoredArray;
import dev.sotto.topology.store.StoredPages.Mark;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The stored records of one trainer, by name. Arrays are cut into pages, of which only changed ones
 * are written; what belongs together is said by a record in the other table, so that pages of
 * another commit are noticed.
 */
public final class LearnerStore {
  private static final String HEAD = "partition";
  private static final String MODELS = "models";
  private static final String RETIRED = "retired/";
  private static final String PREFIX = "prefix";
  private static final String NOISE = "noise";
  private static final String REDRAWN = "redrawn";
  private static final String WINDOW = "window";
  private static final String ITERATES = "iterates";
  private static final String REFUSED = "refused";
  private static final String RANGES = "ranges";

  private final StateTable heads;
  private final StateTable arrays;
  private final StoredPages pages;
  private final int pageBytes;
  private final Map<String, StateIndex> indexes = new HashMap<>(); // of the models on the heap
  private final Map<String, OpenRoundPages> open = new HashMap<>();

  public LearnerStore(StateTable heads, StateTable arrays) {
    this.heads = heads;
    this.arrays = arrays;
    this.pages = new StoredPages(arrays);
    this.pageBytes = arrays.pageBytes();
  }

  /** About the size of a page. */
  public int pageBytes() {
    return pageBytes;
  }

  public PartitionHead partitionHead() {
    return StoredRecords.decode(Codecs.PARTITION_HEAD, heads.get(HEAD));
  }

  public void put(PartitionHead head) {
    heads.put(HEAD, Codecs.PARTITION_HEAD.encode(head));
  }

  public ModelHead modelHead(String modelId) {
    return StoredRecords.decode(Codecs.MODEL_HEAD, heads.get(StoredModels.PREFIX + modelId));
  }

  public void put(String modelId, ModelHead head) {
    heads.put(StoredModels.PREFIX + modelId, Codecs.MODEL_HEAD.encode(head));
  }

  /** How many models have a head. */
  public long models() {
    byte[] bytes = heads.get(MODELS);
    return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
  }

  /** Counts one more model that has a head. */
  public void countModel() {
    countModels(1);
  }

  private void countModels(int more) {
    heads.put(MODELS, ByteBuffer.allocate(Long.BYTES).putLong(models() + more).array());
  }

  /** Whether a model was learned once, and its state removed. */
  public boolean isRetired(String modelId) {
    return heads.get(RETIRED + modelId) != null;
  }

  /** Removes the state of a model for good; of one that has a head, that it was there stays. */
  public void retire(String modelId) {
    byte[] state = heads.get("state/" + modelId);
    if (state != null) {
      for (StoredArray array : StoredRecords.decode(Codecs.STATE_INDEX, state).arrays()) {
        Mark mark = mark(array.name());
        pages.write(modelId, array.name(), PagedBytes.of(new byte[0]), array, mark);
      }
      heads.delete("state/" + modelId);
    }
    open(modelId);
    dropOpen(modelId);
    byte[] head = heads.get(StoredModels.PREFIX + modelId);
    if (head != null) {
      heads.put(RETIRED + modelId, head);
      heads.delete(StoredModels.PREFIX + modelId);
      countModels(-1);
    }
    forget(modelId);
  }

  /** The state of a model, or null; its pages are fetched when they are asked for. */
  public StoredLearnerState learner(String modelId) {
    byte[] bytes = heads.get("state/" + modelId);
    if (bytes == null) {
      if (arrays.get(StoredPages.key(PREFIX, 0, modelId)) != null) {
        throw StoredPages.disagreement("the state of model " + modelId);
      }
      return null;
    }
    StateIndex index = StoredRecords.decode(Codecs.STATE_INDEX, bytes);
    indexes.put(modelId, index);
    ReleaserState release = new ReleaserState(
        index.round(),
        index.before(),
        index.generation(),
        index.digest(),
        array(modelId, index, PREFIX),
        array(modelId, index, NOISE),
        array(modelId, index, REDRAWN),
        array(modelId, index, WINDOW));
    double[] iterates = PagedDoubles.read(array(modelId, index, ITERATES), index.compact());
    return new StoredLearnerState(
        index.position(),
        index.ledgerSequence(),
        index.versionPlace(),
        new ModelState(
            release,
            iterates,
            index.version(),
            array(modelId, index, REFUSED).join(),
            array(modelId, index, RANGES).join()));
  }

  private PagedBytes array(String modelId, StateIndex index, String name) {
    return index
        .array(name)
        .map(stored -> pages.read(modelId, stored, mark(name)))
        .orElseGet(() -> PagedBytes.of(new byte[0]));
  }

  /**
   * Pages of noise are encrypted in themselves: hashing them too would take as long again. What is
   * small, and no noisy numbers that nobody could choose, is hashed.
   */
  private static Mark mark(String name) {
    if (name.equals(NOISE)) {
      return Mark.TAG;
    }
    boolean small = name.equals(REDRAWN) || name.equals(REFUSED) || name.equals(RANGES);
    return small ? Mark.SHA_256 : Mark.CHECKSUM;
  }

  /** Whether a mechanism's state of a model on the heap is stored. */
  public boolean hasNoise(String modelId) {
    StateIndex index = indexes.get(modelId);
    return index != null && index.array(NOISE).isPresent();
  }

  /** Writes what of a state is not stored already. */
  public void put(String modelId, StoredLearnerState state) {
    ReleaserState release = state.model().release();
    StateIndex before = indexes.get(modelId);
    List<StoredArray> stored = new ArrayList<>();
    write(modelId, PREFIX, release.prefix(), before, stored);
    if (release.noise() == null) {
      stored.add(before.array(NOISE).orElseThrow());
    } else {
      write(modelId, NOISE, release.noise(), before, stored);
    }
    write(modelId, REDRAWN, release.redrawn(), before, stored);
    write(modelId, WINDOW, release.window(), before, stored);
    PagedDoubles iterates = PagedDoubles.of(state.model().iterates(), pageBytes);
    write(modelId, ITERATES, iterates, before, stored);
    write(modelId, REFUSED, PagedBytes.of(state.model().refused()), before, stored);
    write(modelId, RANGES, PagedBytes.of(state.model().ranges()), before, stored);
    StateIndex index = new StateIndex(
        state.position(),
        state.ledgerSequence(),
        release.round(),
        release.before(),
        release.generation(),
        release.digest(),
        state.model().version(),
        state.versionPlace(),
        iterates.compact(),
        stored);
    heads.put("state/" + modelId, Codecs.STATE_INDEX.encode(index));
    indexes.put(modelId, index);
  }

  private void write(
      String modelId, String name, PagedBytes array, StateIndex before, List<StoredArray> stored) {
    StoredArray old = before == null ? null : before.array(name).orElse(null);
    StoredArray now = pages.write(modelId, name, array, old, mark(name));
    if (now.pages() > 0) {
      stored.add(now);
    }
  }

  /** The open round of a model at its last checkpoint, or null. */
  public OpenRound open(String modelId) {
    byte[] bytes = heads.get("open/" + modelId);
    // Pages alone do not tell that the record is missing.
    byte[] mark = arrays.get("open-mark/" + modelId);
    if (!Arrays.equals(mark, bytes == null ? null : Sha256.sha256(bytes))) {
      throw StoredPages.disagreement("the open round of model " + modelId);
    }
    OpenRound round = StoredRecords.decode(Codecs.OPEN_ROUND, bytes);
    if (round != null) {
      open.put(modelId, new OpenRoundPages(arrays, modelId, round.pages()));
    }
    return round;
  }

  /** The pages of a model's open round. */
  public OpenRoundPages openPages(String modelId) {
    return open.computeIfAbsent(modelId, id -> new OpenRoundPages(arrays, id, new byte[0]));
  }

  public void put(String modelId, OpenRound round) {
    byte[] bytes = Codecs.OPEN_ROUND.encode(round);
    heads.put("open/" + modelId, bytes);
    arrays.put("open-mark/" + modelId, Sha256.sha256(bytes));
    openPages(modelId);
  }

  /** Removes the checkpoint of an open round that has closed. */
  public void dropOpen(String modelId) {
    OpenRoundPages stored = open.remove(modelId);
    if (stored != null) {
      stored.deleteAll();
      heads.delete("open/" + modelId);
      arrays.delete("open-mark/" + modelId);
    }
  }

  /** Forgets what it knows of a model; all of it is stored. */
  public void forget(String modelId) {
    indexes.remove(modelId);
    open.remove(modelId);
  }
}

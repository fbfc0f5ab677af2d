package dev.sotto.topology.store;

import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.participation.UnitHistories;
import dev.sotto.topology.failure.TransientException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * One model's histories of units: what has been decided since the model was last saved lies on the
 * heap, so that the store always holds the histories of the very position up to which the model is
 * saved. Each save leaves a mark in two stores, since they are restored from two logs.
 */
public final class UnitTable implements UnitHistories {
  private static final Base64.Encoder NAMES = Base64.getUrlEncoder().withoutPadding();

  /** Of a model, whose histories have been saved: before its id in both stores. */
  public static final String MARK = "mark/";

  private static final int TOGETHER = 4096; // histories in one write of the database

  private final StateTable units;
  private final StateTable heads;
  private final String mark;
  private final HistoryCache cache;
  private final HistoryTable fresh = HistoryTable.ordered();

  @SuppressWarnings("unused") // written so that what was looked at is used
  private long touched;

  /**
   * The histories of one model.
   *
   * @param cache of the histories in the store, for all models
   */
  public UnitTable(StateTable units, StateTable heads, String modelId, HistoryCache cache) {
    this.units = units;
    this.heads = heads;
    this.cache = cache;
    this.mark = MARK + modelId;
  }

  /** Refuses histories of another commit than the rest of the state. */
  public void requireMark() {
    if (!Arrays.equals(heads.get(mark), units.get(mark))) {
      throw new TransientException("the state stores do not agree on the histories of units ("
          + mark
          + "): one of them was restored to an earlier commit. If this stays, remove the state"
          + " folder, so that"
          + " all are restored again");
    }
  }

  @Override
  public byte[] get(byte[] name) {
    touched = fresh.touch(name) ^ cache.touch(name); // at once, not one after the other
    byte[] history = fresh.get(name);
    if (history != null) {
      return history;
    }
    byte[] known = cache.get(name);
    if (known != null) {
      return known;
    }
    byte[] stored = units.get(NAMES.encodeToString(name));
    if (stored != null) {
      cache.put(name, stored);
    }
    return stored;
  }

  @Override
  public void put(byte[] name, byte[] history) {
    fresh.put(name, history);
  }

  /** Writes what has been decided, as the model is saved up to a position. */
  public void save(long position) {
    if (fresh.size() == 0) {
      return;
    }
    List<StateTable.Entry> together = new ArrayList<>(Math.min(TOGETHER, fresh.size()));
    fresh.forEach((name, history) -> {
      cache.put(name, history);
      together.add(new StateTable.Entry(NAMES.encodeToString(name), history));
      if (together.size() == TOGETHER) {
        units.putAll(together);
        together.clear();
      }
    });
    units.putAll(together);
    byte[] before = heads.get(mark);
    byte[] next = Sha256.sha256(ByteBuffer.allocate(32 + 16)
        .put(before == null ? Sha256.none() : before)
        .putLong(position)
        .putLong(fresh.size())
        .array());
    units.put(mark, next);
    heads.put(mark, next);
    fresh.clear();
  }
}

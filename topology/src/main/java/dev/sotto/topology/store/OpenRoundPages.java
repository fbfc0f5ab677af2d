package dev.sotto.topology.store;

import dev.sotto.learner.release.PageTable;
import java.util.BitSet;

/**
 * The pages of one model's open round; it knows which are stored, so that they can be removed
 * unread.
 */
public final class OpenRoundPages implements PageTable {
  static final String NAME = "open";

  private final StateTable table;
  private final String modelId;
  private final BitSet stored;

  OpenRoundPages(StateTable table, String modelId, byte[] stored) {
    this.table = table;
    this.modelId = modelId;
    this.stored = BitSet.valueOf(stored);
  }

  @Override
  public byte[] get(int page) {
    return table.get(StoredPages.key(NAME, page, modelId));
  }

  @Override
  public void put(int page, byte[] closed) {
    table.put(StoredPages.key(NAME, page, modelId), closed);
    stored.set(page);
  }

  @Override
  public void delete(int page) {
    table.delete(StoredPages.key(NAME, page, modelId));
    stored.clear(page);
  }

  void deleteAll() {
    stored.stream().forEach(page -> table.delete(StoredPages.key(NAME, page, modelId)));
    stored.clear();
  }

  /** Which pages are stored: bit i mod 8 of byte i div 8. */
  public byte[] stored() {
    return stored.toByteArray();
  }
}

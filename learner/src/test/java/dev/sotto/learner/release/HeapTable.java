package dev.sotto.learner.release;

import java.util.HashMap;
import java.util.Map;

/** Encrypted pages on the heap, and how often they were written. */
public final class HeapTable implements PageTable {
  public final Map<Integer, byte[]> pages = new HashMap<>();
  public int puts;
  public int deletes;

  @Override
  public byte[] get(int page) {
    return pages.get(page);
  }

  @Override
  public void put(int page, byte[] closed) {
    puts++;
    pages.put(page, closed);
  }

  @Override
  public void delete(int page) {
    deletes++;
    pages.remove(page);
  }
}

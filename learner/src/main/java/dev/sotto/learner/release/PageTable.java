package dev.sotto.learner.release;

/** Where the encrypted pages of one open round are kept, by their numbers from 0. */
public interface PageTable {
  /** The page of a number, or null. */
  byte[] get(int page);

  /** Sets the page of a number. */
  void put(int page, byte[] closed);

  /** Removes the page of a number. */
  void delete(int page);
}

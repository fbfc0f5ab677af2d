package dev.sotto.topology.core;

/** The committed records of the source, to be read again after a restart. */
public interface SlotLog {
  /**
   * Hands every committed record with {@code from <= offset < to} to a visitor, in order, until it has enough.
   *
   * @return whether all of them were handed on
   * @throws Refusal where the log no longer reaches back to {@code from}
   */
  boolean read(int partition, long from, long to, Visitor visitor);

  /** Takes one record. */
  @FunctionalInterface
  interface Visitor {
    /**
     * One record.
     *
     * @param key may be null
     * @param value may be null
     * @param modelHeader value of the header that names the model; null where there is none
     * @return whether to go on
     */
    boolean accept(long offset, byte[] key, byte[] value, byte[] modelHeader);
  }
}

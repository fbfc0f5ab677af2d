package dev.sotto.topology.log;

import dev.sotto.topology.failure.UnsafeToContinueException;
import java.util.Iterator;
import java.util.function.Supplier;

/**
 * The committed records of a topic, to be read again after a restart or for another pass over a
 * block. In layout ordered every event is read here the first time too.
 */
public interface SlotLog extends AutoCloseable {
  /**
   * Begins to read the committed records with {@code from <= offset < to} of a partition, in order.
   * A reading that was begun before is over.
   *
   * @throws UnsafeToContinueException here or as it is read, where the log no longer reaches back
   *     to {@code from}
   */
  Reading read(int partition, long from, long to);

  /** Ends it; one that keeps nothing open need not be closed. */
  @Override
  default void close() {}

  /** Records that are read one after the other. */
  interface Reading extends AutoCloseable {
    /** The next record; null behind the last, or where there is none for now. */
    SourceRecord next();

    /** Whether all records have been read; to be asked once there was no next one. */
    boolean isWhole();

    /** Ends it before its end. */
    @Override
    default void close() {}

    /** All of some records. */
    static Reading of(Iterator<SourceRecord> records) {
      return of(() -> records.hasNext() ? records.next() : null);
    }

    /** All that is given, up to the first null. */
    static Reading of(Supplier<SourceRecord> records) {
      return new Reading() {
        @Override
        public SourceRecord next() {
          return records.get();
        }

        @Override
        public boolean isWhole() {
          return true;
        }
      };
    }

    /** That of a part without a record. */
    static Reading nothing() {
      return of(() -> null);
    }
  }
}

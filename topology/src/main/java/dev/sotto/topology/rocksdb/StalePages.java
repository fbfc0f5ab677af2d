package dev.sotto.topology.rocksdb;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open database of a store of pages: it has live pages moved out of the oldest files while much
 * of the files is stale, and only then. A file all of whose pages are stale is removed without it:
 * so it is while models are new, and where they come in turn, and moving pages would write as much
 * again for nothing.
 */
final class StalePages extends AbstractEventListener {
  private static final Logger LOG = LoggerFactory.getLogger(StalePages.class);

  /** Of the bytes in files, from which on live pages are moved. */
  private static final double MUCH = 0.3;

  /** One thread for all stores, while there is something to do. */
  private static final Executor LATER = new ThreadPoolExecutor(
      0, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), StalePages::thread);

  /** Where Streams keeps the values of such a store. */
  private static final byte[] VALUES = RocksDB.DEFAULT_COLUMN_FAMILY;

  private volatile RocksDB database; // null: not known yet
  private boolean moving;
  private volatile boolean closing;

  StalePages() {
    super(EnabledEventCallback.ON_FLUSH_COMPLETED);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sotto-stale-pages");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Only notes both. To change a setting may wait for writers, and they for the thread that calls
   * this. Values are flushed only where somebody has put them, into a store that was opened and is
   * closed by {@link #stop} first. One that Streams gives up while it opens it is not.
   */
  @Override
  public void onFlushCompleted(RocksDB store, FlushJobInfo done) {
    if (Arrays.equals(done.getColumnFamilyName().getBytes(StandardCharsets.UTF_8), VALUES)) {
      database = store;
      LATER.execute(() -> adapt(store));
    }
  }

  /**
   * The database, which Streams keeps to itself; null before values are first flushed, and after
   * {@link #stop}. Whoever uses it sees to it that nobody stops this meanwhile.
   */
  RocksDB database() {
    return closing ? null : database;
  }

  private synchronized void adapt(RocksDB store) {
    if (closing) {
      return;
    }
    try {
      long held = store.getLongProperty("rocksdb.live-blob-file-size");
      long stale = store.getLongProperty("rocksdb.live-blob-file-garbage-size");
      boolean much = stale > MUCH * held;
      if (much != moving) {
        store.setOptions(MutableColumnFamilyOptions.builder()
            .setEnableBlobGarbageCollection(much)
            .build());
        moving = much;
      }
    } catch (RocksDBException e) {
      LOG.warn(
          "whether pages of models are moved out of files that are mostly stale could not be set in"
              + " {}; the store may take more of the disk than planned",
          store.getName(),
          e);
    }
  }

  /** Nothing is asked of the store any more once this has returned; it may be closed then. */
  synchronized void stop() {
    closing = true;
  }
}

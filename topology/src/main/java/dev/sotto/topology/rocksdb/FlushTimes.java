package dev.sotto.topology.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes beside a store when what was in memory was last written to its files. A flush that is not
 * noted makes them look older than they are, which costs time only.
 */
final class FlushTimes extends AbstractEventListener {
  private static final Logger LOG = LoggerFactory.getLogger(FlushTimes.class);

  FlushTimes() {
    super(EnabledEventCallback.ON_FLUSH_COMPLETED);
  }

  @Override
  public void onFlushCompleted(RocksDB store, FlushJobInfo done) {
    Path folder = Path.of(done.getFilePath()).toAbsolutePath().getParent();
    try {
      StoreFiles files = new StoreFiles(folder);
      if (files.areCurrent()) {
        files.flushed(Instant.now());
      }
    } catch (IOException unwritten) {
      LOG.warn("when the store in {} was written could not be noted", folder, unwritten);
    }
  }
}

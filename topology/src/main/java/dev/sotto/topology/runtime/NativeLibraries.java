package dev.sotto.topology.runtime;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import org.rocksdb.RocksDB;

/**
 * The native library under the stores. A thread that misses it dies and is replaced over and over,
 * so it is asked for before anything starts.
 */
public final class NativeLibraries {
  private NativeLibraries() {}

  /**
   * Loads RocksDB's library.
   *
   * @throws SottoException where it cannot be loaded, with what it needs
   */
  public static void require() {
    try {
      RocksDB.loadLibrary();
    } catch (UnsatisfiedLinkError | NoClassDefFoundError | RuntimeException missing) {
      throw new SottoException(
          FailureKind.STATE_FOLDER,
          "RocksDB's native library cannot be loaded: " + missing.getMessage()
              + "; it is unpacked to the temporary folder " + System.getProperty("java.io.tmpdir")
              + ", which must be writable and executable (another one:"
              + " SOTTO_JVM_OPTS=-Djava.io.tmpdir=...), and needs the system's libstdc++, libdl,"
              + " libpthread and librt",
          missing);
    }
  }
}

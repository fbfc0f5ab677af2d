package dev.sotto.topology.settings;

import dev.sotto.topology.registry.RegistryCopies;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a learner runs.
 *
 * @param clients Kafka settings passed through to every client: {@code bootstrap.servers},
 *     security, and any Streams setting
 * @param stateFolder the folder of the state stores
 * @param firstStart what a first start creates
 * @param threads stream threads
 * @param transactionTimeout after which the broker aborts a dead instance's transaction
 * @param memory what it may take
 */
public record ServiceSettings(
    Map<String, String> clients,
    Path stateFolder,
    FirstStart firstStart,
    int threads,
    Duration transactionTimeout,
    Memory memory) {
  public ServiceSettings {
    clients = Map.copyOf(clients);
  }

  /** With the usual memory. */
  public ServiceSettings(
      Map<String, String> clients,
      Path stateFolder,
      FirstStart firstStart,
      int threads,
      Duration transactionTimeout) {
    this(clients, stateFolder, firstStart, threads, transactionTimeout, Memory.usual());
  }

  /**
   * What an instance may take.
   *
   * @param events bytes of records that wait for their turn, on the heap, in all threads together
   * @param rocksDb bytes of caches and memtables of all stores, beside the heap
   */
  public record Memory(long events, long rocksDb) {
    private static final long MOST_EVENTS = 256L << 20;
    private static final int OF_HEAP = 8;
    private static final long ROCKS_DB = 64L << 20;

    public Memory {
      if (events < 1 || rocksDb < 1) {
        throw new IllegalArgumentException(
            "events and rocksDb must be at least 1, but were " + events + ", " + rocksDb);
      }
    }

    /** An eighth of this process's heap for events, 256 MiB at most; 64 MiB for RocksDB. */
    public static Memory usual() {
      return new Memory(usualEvents(Runtime.getRuntime().maxMemory()), ROCKS_DB);
    }

    /** Of a heap of some bytes. */
    public static long usualEvents(long heap) {
      return Math.max(1, Math.min(MOST_EVENTS, heap / OF_HEAP));
    }
  }

  /**
   * What a first start creates.
   *
   * @param replication of topics that are created; -1 for the broker's default
   * @param fromLatest whether a first start begins behind what the event topic holds
   * @param historyHorizon for how long every snapshot stays readable before only the newest is kept
   * @param copies of published topics for a registry, if they are asked for
   */
  public record FirstStart(
      short replication,
      boolean fromLatest,
      Duration historyHorizon,
      Optional<RegistryCopies> copies) {
    public FirstStart {
      Objects.requireNonNull(copies, "copies");
    }

    /** Without copies for a registry. */
    public FirstStart(short replication, boolean fromLatest, Duration historyHorizon) {
      this(replication, fromLatest, historyHorizon, Optional.empty());
    }
  }

  /** Copies of published topics for a registry, if they are asked for. */
  public Optional<RegistryCopies> copies() {
    return firstStart.copies();
  }

  /** Copies of each topic that is created; -1 for the broker's default. */
  public short replication() {
    return firstStart.replication();
  }

  /** Whether a first start begins behind what the event topic holds. */
  public boolean fromLatest() {
    return firstStart.fromLatest();
  }

  /** For how long every snapshot stays readable before only the newest is kept. */
  public Duration historyHorizon() {
    return firstStart.historyHorizon();
  }

  /** The brokers to ask first. */
  public String bootstrapServers() {
    return clients.get("bootstrap.servers");
  }
}

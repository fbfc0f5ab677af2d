package dev.sotto.topology.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The files of a store, and what is noted beside them: when they were last written, and whether
 * they may be damaged. A crash leaves them as they are.
 *
 * @param folder of the store's database
 */
public record StoreFiles(Path folder) {
  /** How long a changelog tells of a deleted key, at least: as long as by Kafka's default. */
  public static final Duration DELETIONS_KEPT = Duration.ofDays(1);

  /** For starting, and reading what has changed since. */
  private static final Duration LEAST_LEFT = Duration.ofHours(1);

  /** Streams' own name of the folder of databases in a task's folder. */
  private static final String DATABASES = "rocksdb";

  private static final String FLUSHED = ".flushed";

  /** Stores of this process that their task has written to since they were opened. */
  private static final Set<Path> CURRENT = ConcurrentHashMap.newKeySet();

  private static final String DAMAGED = ".damaged";

  /** Of a store in the folder of its task. */
  public static StoreFiles in(Path task, String store) {
    return new StoreFiles(task.resolve(DATABASES).resolve(store));
  }

  private Path note(String kind) {
    return folder.resolveSibling(folder.getFileName() + kind);
  }

  /**
   * Whether they hold all that their changelog had when they were opened, deleted keys included.
   * They do once the task itself writes, which it begins when the changelog has been read to its
   * end. Until then a flush leaves them as old as they were: Streams opens, flushes and closes each
   * store as a process starts.
   */
  void current(boolean is) {
    if (is) {
      CURRENT.add(folder.toAbsolutePath());
    } else {
      CURRENT.remove(folder.toAbsolutePath());
    }
  }

  boolean areCurrent() {
    return CURRENT.contains(folder.toAbsolutePath());
  }

  /** What was in memory has been written to the files, which were current. */
  void flushed(Instant now) throws IOException {
    Files.writeString(note(FLUSHED), Long.toString(now.toEpochMilli()));
  }

  /**
   * Whether they were last written so long ago that they may have missed that a key was deleted,
   * which a changelog tells only for {@link #DELETIONS_KEPT}: such a key would be there for ever.
   * Also where it is not known when.
   */
  boolean areOutdated(Instant now) throws IOException {
    Path note = note(FLUSHED);
    if (!Files.exists(note)) {
      return true;
    }
    try {
      Instant flushed = Instant.ofEpochMilli(Long.parseLong(Files.readString(note)));
      return flushed.isAfter(now) || !flushed.isAfter(now.minus(DELETIONS_KEPT).plus(LEAST_LEFT));
    } catch (NumberFormatException torn) {
      return true;
    }
  }

  /** Notes that they may be damaged; nothing where there are none. */
  public void suspect() throws IOException {
    if (Files.isDirectory(folder)) {
      Files.writeString(note(DAMAGED), "");
    }
  }

  /** Whether they may be damaged. */
  public boolean areSuspect() {
    return Files.exists(note(DAMAGED));
  }

  /** Deletes them, and what is noted. The store comes back from its changelog. */
  void discard() throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    Files.deleteIfExists(note(FLUSHED));
    Files.deleteIfExists(note(DAMAGED));
  }
}

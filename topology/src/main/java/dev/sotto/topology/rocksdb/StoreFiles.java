package dev.sotto.topology.rocksdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.TopicSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
  /** For starting, and reading what has changed since. */
  private static final Duration LEAST_LEFT = Duration.ofHours(1);

  /** Streams' own name of the folder of databases in a task's folder. */
  private static final String DATABASES = "rocksdb";

  private static final String FLUSHED = ".flushed";

  /** Streams' own name of the file of offsets in a task's folder, of versions before 4.4. */
  private static final String OFFSETS = ".checkpoint";

  /** Stores of this process that their task has written to since they were opened. */
  private static final Set<Path> CURRENT = ConcurrentHashMap.newKeySet();

  private static final String DAMAGED = ".damaged";
  private static final String COMMITTED = ".committed";

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
   * Whether they were last written so long ago that they may have missed that a key was deleted:
   * such a key would be there for ever. A changelog tells of one for {@link
   * TopicSettings#DELETIONS_KEPT}. Also where it is not known when they were written.
   */
  boolean areOutdated(Instant now) throws IOException {
    Path note = note(FLUSHED);
    if (!Files.exists(note)) {
      return true;
    }
    try {
      Instant flushed = Instant.ofEpochMilli(Long.parseLong(Files.readString(note, ISO_8859_1)));
      return flushed.isAfter(now)
          || !flushed.isAfter(now.minus(TopicSettings.DELETIONS_KEPT).plus(LEAST_LEFT));
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

  /**
   * Whether they hold nothing but what was committed: where there are none, or nobody but
   * transactional stores has written to them. Versions before these have, and stores for which
   * somebody has switched transactions off.
   */
  boolean areCommitted() {
    return !Files.exists(folder) || Files.exists(note(COMMITTED));
  }

  /** Notes who is going to write to them: a transactional store, or one that is not. */
  void committed(boolean transactional) throws IOException {
    if (transactional && !Files.exists(note(COMMITTED))) {
      Files.createDirectories(folder.getParent());
      Files.writeString(note(COMMITTED), "");
    } else if (!transactional && Files.deleteIfExists(note(COMMITTED))) {
      try (FileChannel names = FileChannel.open(folder.getParent(), StandardOpenOption.READ)) {
        names.force(true); // or a power cut brings it back
      }
    }
  }

  /**
   * Deletes them, and what is noted. The store comes back from its changelog, from its beginning:
   * where Streams notes offsets beside all stores of a task, as it does for versions before 4.4,
   * that of this one goes first.
   */
  void discard() throws IOException {
    forgetOffset();
    Files.deleteIfExists(note(FLUSHED));
    Files.deleteIfExists(note(COMMITTED));
    if (Files.isDirectory(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    Files.deleteIfExists(note(DAMAGED));
  }

  /** Lines of a version, a number of entries, and the entries: topic, partition and offset. */
  private void forgetOffset() throws IOException {
    Path offsets = folder.getParent().resolveSibling(OFFSETS);
    if (!Files.exists(offsets)) {
      return;
    }
    List<String> lines = Files.readAllLines(offsets, ISO_8859_1);
    String changelog = Names.changelog("", folder.getFileName().toString());
    List<String> others = lines.stream()
        .skip(2)
        .filter(each -> !each.split(" ")[0].endsWith(changelog))
        .toList();
    if (lines.size() < 2 || others.isEmpty()) {
      Files.delete(offsets);
    } else {
      List<String> left = new ArrayList<>(List.of(lines.get(0), "" + others.size()));
      left.addAll(others);
      Path whole = Files.write(offsets.resolveSibling(OFFSETS + ".new"), left);
      Files.move(whole, offsets, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}

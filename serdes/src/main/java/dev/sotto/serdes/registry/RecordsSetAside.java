package dev.sotto.serdes.registry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The records that named a schema which was not there when they were read, by their places alone.
 * It says of no other record anything. The newest {@value #LEAST} at least are kept, in memory and
 * in a file of one line each; when twice as many are there, the older half is forgotten. Safe for
 * use by several threads.
 */
public final class RecordsSetAside {
  /** How many of the newest are always kept. */
  public static final int LEAST = 1 << 18;

  private static final String TORN = " torn\n"; // makes a line that was being written no place
  private static final long SYNC = TimeUnit.SECONDS.toNanos(1);

  private final Optional<Path> file;
  private final int least;
  private Map<String, Map<Integer, OffsetSet>> older = new HashMap<>();
  private Map<String, Map<Integer, OffsetSet>> newer = new HashMap<>();
  private int added; // to the newer ones
  private volatile boolean any;
  private FileChannel out; // null before the first that is added
  private long synced;

  /**
   * Those that a file remembers.
   *
   * @param file empty to remember them as long as the process lives
   * @throws IOException where it cannot be read
   * @throws IllegalArgumentException naming the line that cannot be read
   */
  public RecordsSetAside(Optional<Path> file) throws IOException {
    this(file, LEAST);
  }

  RecordsSetAside(Optional<Path> file, int least) throws IOException {
    this.file = file;
    this.least = least;
    if (file.isPresent()) {
      read(olderFile(file.get()), older);
      added = read(file.get(), newer);
      any = added > 0 || !older.isEmpty();
    }
  }

  private static Path olderFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".older");
  }

  private static int read(Path file, Map<String, Map<Integer, OffsetSet>> into) throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    String text = Files.readString(file);
    List<String> lines = text.lines().toList();
    int whole = text.endsWith("\n") ? lines.size() : lines.size() - 1;
    for (int i = 0; i < whole; i++) {
      String[] words = lines.get(i).split(" ");
      try {
        if (words.length == 3) {
          add(into, words[0], Integer.parseInt(words[1]), Long.parseLong(words[2]));
        } else if (!lines.get(i).endsWith(TORN.strip())) {
          throw new IllegalArgumentException("it is no topic id, partition and offset");
        }
      } catch (IllegalArgumentException damaged) {
        throw new IllegalArgumentException(
            file + " line " + (i + 1) + ": " + damaged.getMessage(), damaged);
      }
    }
    return whole;
  }

  private static void add(
      Map<String, Map<Integer, OffsetSet>> into, String topic, int partition, long offset) {
    into.computeIfAbsent(topic, name -> new HashMap<>())
        .computeIfAbsent(partition, number -> new OffsetSet())
        .add(offset);
  }

  /** Whether the record at a place is one of them. */
  public boolean has(RecordPlace place) {
    if (!any || !place.isKnown()) {
      return false;
    }
    synchronized (this) {
      return has(newer, place) || has(older, place);
    }
  }

  private static boolean has(Map<String, Map<Integer, OffsetSet>> in, RecordPlace place) {
    Map<Integer, OffsetSet> topic = in.get(place.topic());
    OffsetSet offsets = topic == null ? null : topic.get(place.partition());
    return offsets != null && offsets.has(place.offset());
  }

  /**
   * Adds the record at a place, if that is known. A crash of the process loses nothing; one of the
   * machine at most the last second.
   */
  public synchronized void add(RecordPlace place) throws IOException {
    if (!place.isKnown()) {
      return;
    }
    if (added >= least) {
      forgetOlder();
    }
    if (file.isPresent()) {
      write(place.topic() + " " + place.partition() + " " + place.offset() + "\n");
    }
    add(newer, place.topic(), place.partition(), place.offset());
    added++;
    any = true;
  }

  private void forgetOlder() throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
    if (file.isPresent() && Files.exists(file.get())) {
      Files.move(file.get(), olderFile(file.get()), StandardCopyOption.REPLACE_EXISTING);
    }
    older = newer;
    newer = new HashMap<>();
    added = 0;
  }

  private void write(String line) throws IOException {
    if (out == null) {
      open(file.get());
    }
    out.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    if (System.nanoTime() - synced > SYNC) {
      out.force(false);
      synced = System.nanoTime();
    }
  }

  private void open(Path path) throws IOException {
    Files.createDirectories(path.toAbsolutePath().getParent());
    boolean torn = false;
    if (Files.exists(path) && Files.size(path) > 0) {
      try (FileChannel in = FileChannel.open(path, StandardOpenOption.READ)) {
        ByteBuffer last = ByteBuffer.allocate(1);
        in.read(last, in.size() - 1);
        torn = last.get(0) != '\n';
      }
    }
    out = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (torn) {
      out.write(ByteBuffer.wrap(TORN.getBytes(StandardCharsets.UTF_8)));
    }
    synced = System.nanoTime() - 2 * SYNC;
  }
}

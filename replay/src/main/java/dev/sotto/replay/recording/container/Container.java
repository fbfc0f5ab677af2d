package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.topology.encryption.Encryption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.file.DataFileConstants;

/**
 * A recording in an Avro container file: Avro's header with our own, a JSON object under {@code sotto.recording}; then
 * partition after partition in blocks of some 64 kB. The whole of it is specified in docs/recordings.md.
 *
 * <p>Digests tell every change that was not made on purpose with knowledge of them: who can write the file can also write
 * another header. Only an encrypted recording proves that it comes from a holder of the key.
 */
public final class Container implements Recording {
  /** How many bytes tell an Avro file. */
  public static final int MAGIC_BYTES = DataFileConstants.MAGIC.length;

  private final Opened opened;
  private final Integrity integrity;
  private final Set<Integer> verified = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private Container(Opened opened, Integrity integrity) {
    this.opened = opened;
    this.integrity = integrity;
  }

  /** Whether a file begins as Avro files do. */
  public static boolean looksLikeOne(byte[] start) {
    return start.length >= MAGIC_BYTES
        && Arrays.equals(start, 0, MAGIC_BYTES, DataFileConstants.MAGIC, 0, MAGIC_BYTES);
  }

  /**
   * Opens a recording and checks its header; records are checked as they are read.
   *
   * @throws RecordingFault where it is none, is not complete or holds no record
   */
  public static Container open(Path file, Encryption encryption, Integrity integrity) {
    Opened opened = Opened.of(file, encryption);
    Manifest manifest = opened.manifest();
    if (!manifest.complete()) {
      throw new RecordingFault(file + " is incomplete: recording " + manifest.topic()
          + " was cut short. Run the same record command once more with --out " + file
          + ": it goes on behind the last whole block");
    }
    if (manifest.length() != opened.bytes().length()) {
      throw new RecordingFault(file + " has " + opened.bytes().length() + " bytes, but was "
          + manifest.length() + " long when it was complete: it was "
          + (opened.bytes().length() < manifest.length() ? "truncated" : "added to")
          + "; restore it, or record again");
    }
    if (records(manifest) == 0) {
      throw new RecordingFault(file + " holds no record: topic " + manifest.topic()
          + " had none in the range that was recorded; record another range");
    }
    return new Container(opened, integrity);
  }

  private static long records(Manifest manifest) {
    return manifest.stretches().stream()
        .mapToLong(each -> each.range().records())
        .sum();
  }

  @Override
  public RecordingHeader header() {
    Manifest manifest = opened.manifest();
    return new RecordingHeader(
        RecordingFormat.AVRO.toString(),
        manifest.clusterId(),
        manifest.topic(),
        manifest.topicId(),
        manifest.stretches().stream().map(Stretch::range).toList(),
        manifest.schema(),
        manifest.digest());
  }

  /** How long the file is. */
  public long bytes() {
    return opened.bytes().length();
  }

  /** How its blocks are compressed. */
  public Compression compression() {
    return opened.manifest().compression();
  }

  /** Whether its blocks are sealed under a keyset. */
  public boolean encrypted() {
    return opened.manifest().encrypted();
  }

  @Override
  public RecordCursor open(int partition) {
    if (closed) {
      throw new IllegalStateException("the recording " + opened.file() + " is closed");
    }
    List<Stretch> stretches = opened.manifest().stretches();
    for (int i = 0; i < stretches.size(); i++) {
      if (stretches.get(i).range().partition() == partition) {
        long end = i + 1 < stretches.size()
            ? stretches.get(i + 1).start()
            : opened.manifest().length();
        return new ContainerCursor(
            opened,
            stretches.get(i),
            end,
            verified.contains(partition) ? Integrity.CHECKSUM : integrity,
            () -> verified.add(partition));
      }
    }
    throw new RecordingFault(opened.file() + " holds partitions "
        + stretches.stream().map(Stretch::range).map(RecordedRange::partition).toList()
        + ", but not "
        + partition);
  }

  @Override
  public void close() {
    closed = true; // the mapping goes with the last cursor
  }
}

package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
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
 * A recording in an Avro container file: Avro's header with a manifest, a JSON object under {@code
 * sotto.recording}; then partition after partition in blocks of about 64 kB. The format is
 * specified in docs/recordings.md, "The file format".
 *
 * <p>Digests detect every change that was not made on purpose: who can write the file can also
 * write another header. Only an encrypted recording proves that it comes from a holder of the key.
 */
public final class Container implements Recording {
  /** The number of bytes that identify an Avro file. */
  public static final int MAGIC_BYTES = DataFileConstants.MAGIC.length;

  private final ContainerHeader header;
  private final Integrity integrity;
  private final Set<Integer> verified = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private Container(ContainerHeader header, Integrity integrity) {
    this.header = header;
    this.integrity = integrity;
  }

  /** Whether a file begins as Avro files do. */
  public static boolean isAvro(byte[] start) {
    return start.length >= MAGIC_BYTES
        && Arrays.equals(start, 0, MAGIC_BYTES, DataFileConstants.MAGIC, 0, MAGIC_BYTES);
  }

  /**
   * Opens a recording and checks its header; records are checked as they are read.
   *
   * @throws RecordingException where it is none, is not complete or holds no record
   */
  public static Container open(Path file, Encryption encryption, Integrity integrity) {
    ContainerHeader header = ContainerHeader.of(file, encryption);
    Manifest manifest = header.manifest();
    String topic = manifest.origin().topic();
    if (!manifest.complete()) {
      throw new RecordingException(file + " is incomplete: recording " + topic
          + " was interrupted. Run the same record command once more with --out " + file
          + ": it continues after the last whole block");
    }
    long bytes = header.fileBytes();
    if (manifest.length() != bytes) {
      throw new RecordingException(file + " has " + bytes + " bytes, but was " + manifest.length()
          + " long when it was complete: it was "
          + (bytes < manifest.length() ? "truncated" : "added to")
          + "; restore it, or record again");
    }
    if (manifest.partitions().stream().allMatch(each -> each.range().records() == 0)) {
      throw new RecordingException(file + " holds no record: topic " + topic
          + " had none in the range that was recorded; record another range");
    }
    return new Container(header, integrity);
  }

  @Override
  public RecordingHeader header() {
    Manifest manifest = header.manifest();
    return new RecordingHeader(
        RecordingFormat.AVRO.toString(),
        manifest.origin(),
        manifest.partitions().stream().map(PartitionSection::range).toList(),
        manifest.contents().schema(),
        manifest.integrity().digest());
  }

  /** The length of the file. */
  public long bytes() {
    return header.fileBytes();
  }

  /** How its blocks are compressed. */
  public Compression compression() {
    return header.manifest().contents().codec();
  }

  /** Whether its blocks are encrypted. */
  public boolean encrypted() {
    return header.manifest().contents().encrypted();
  }

  @Override
  public RecordCursor open(int partition) {
    if (closed) {
      throw new IllegalStateException("the recording " + header.file() + " is closed");
    }
    List<PartitionSection> sections = header.manifest().partitions();
    for (int i = 0; i < sections.size(); i++) {
      if (sections.get(i).range().partition() == partition) {
        return new ContainerCursor(
            header,
            i,
            verified.contains(partition) ? Integrity.CHECKSUM : integrity,
            () -> verified.add(partition));
      }
    }
    throw new RecordingException(header.file() + " holds partitions "
        + sections.stream()
            .map(PartitionSection::range)
            .map(RecordedRange::partition)
            .toList()
        + ", but not "
        + partition);
  }

  @Override
  public void close() {
    closed = true; // each cursor has the file for itself
  }
}

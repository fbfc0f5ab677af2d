package dev.sotto.replay.recording.container;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Finds where an incomplete container is continued: after its last whole block. */
final class Resumption {
  private final BlockSeal seal;
  private final WriteProgress progress;
  private final RecordDecoder record = new RecordDecoder();
  private long position;
  private long blocks;

  /** Reads the blocks of a file, and computes their checksums again. */
  Resumption(ContainerHeader header) {
    this.seal = header.newSeal();
    this.position = header.end();
    this.progress = new WriteProgress(
        header.manifest().partitions().stream().map(PartitionSection::range).toList(), position);
    try (BlockReader reader = new BlockReader(header, position, header.fileBytes())) {
      for (ByteBuffer raw = reader.next(); raw != null; raw = reader.next()) {
        ByteBuffer block = seal == null ? raw : decrypted(raw);
        requireWhole(block, reader.records());
        count(block);
        progress.add(block);
        blocks += seal == null ? 0 : 1;
        position = reader.position();
      }
    } catch (IOException notWhole) {
      // The file is continued at the position that was reached.
    }
  }

  /** Where the last whole block ends. */
  long position() {
    return position;
  }

  /** The number of encrypted blocks. */
  long blocks() {
    return blocks;
  }

  WriteProgress progress() {
    return progress;
  }

  /** A block of the current partition, or the first of a later one. */
  private ByteBuffer decrypted(ByteBuffer raw) throws IOException {
    for (int i = progress.finished().size(); i < progress.ranges().size(); i++) {
      try {
        return seal.open(raw, progress.ranges().get(i).partition(), blocks);
      } catch (UnsafeToContinueException otherPartition) {
        // The next one is tried.
      }
    }
    throw new IOException("a block is of no partition");
  }

  private void requireWhole(ByteBuffer block, long records) throws IOException {
    record.wrap(block);
    for (long i = 0; i < records; i++) {
      record.next();
    }
    if (!record.isFinished()) {
      throw new IOException("a block has bytes after its last record");
    }
  }

  private void count(ByteBuffer block) throws IOException {
    record.wrap(block);
    while (!record.isFinished()) {
      record.next();
      while (record.partition() != progress.current().partition()) {
        progress.finish(position, blocks);
        if (progress.isComplete()) {
          throw new IOException("a block is of a partition that was not asked for");
        }
      }
      try {
        progress.count(record.partition(), record.offset());
      } catch (IllegalArgumentException outOfOrder) {
        throw new IOException(outOfOrder);
      }
    }
  }

  /**
   * Refuses to continue a file that was begun with another specification.
   *
   * @throws SottoException that says what differs
   */
  static void check(ContainerHeader header, ContainerSpec spec) {
    Manifest begun = header.manifest();
    if (begun.complete()) {
      throw new SottoException(
          FailureKind.USAGE,
          header.file() + " is complete: it holds " + begun.origin().topic()
              + "; name another file, or remove it");
    }
    if (begun.contents().encrypted()
        != spec.encryption().recording(header.sync()).isPresent()) {
      throw new SottoException(
          FailureKind.USAGE,
          header.file()
              + " was begun without encryption; continue without it, or record to another file");
    }
    List<String> differences = new ArrayList<>();
    differ(differences, "cluster", begun.origin().clusterId(), spec.origin().clusterId());
    differ(differences, "topic", begun.origin().topic(), spec.origin().topic());
    differ(differences, "topic id", begun.origin().topicId(), spec.origin().topicId());
    differ(differences, "range", begun.contents().request(), spec.request());
    differ(differences, "codec", begun.contents().codec(), spec.compression());
    differ(differences, "schema", begun.contents().schema(), spec.schema());
    if (!differences.isEmpty()) {
      throw new SottoException(
          FailureKind.USAGE,
          header.file() + " was begun otherwise: " + String.join("; ", differences)
              + ". Continue it as it was begun, or record to another file");
    }
  }

  private static void differ(List<String> into, String what, Object begun, Object now) {
    if (!begun.equals(now)) {
      into.add(what + " " + begun + ", but now " + (now.toString().isEmpty() ? "none" : now));
    }
  }
}

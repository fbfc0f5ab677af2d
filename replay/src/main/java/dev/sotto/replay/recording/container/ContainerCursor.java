package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads one partition of a container, a block at a time and blocks ahead, and checks it against the
 * manifest.
 */
final class ContainerCursor implements RecordCursor {
  private final ContainerHeader header;
  private final int section;
  private final RecordedRange range;
  private final ReadAhead blocks;
  private final PartitionChecksums checksums; // of the blocks that were read
  private final Runnable verified;
  private final RecordDecoder record = new RecordDecoder();
  private long blockStart;
  private long left; // records of the block that are not read yet
  private long count;
  private long offset = -1;
  private boolean done;
  private RuntimeException failed;

  /**
   * A cursor before the first record.
   *
   * @param section the place of the partition in the manifest
   * @param verified is run when the whole partition has been read and found intact
   */
  ContainerCursor(ContainerHeader header, int section, Integrity integrity, Runnable verified) {
    this.header = header;
    this.section = section;
    this.verified = verified;
    Manifest manifest = header.manifest();
    List<PartitionSection> sections = manifest.partitions();
    range = sections.get(section).range();
    blockStart = sections.get(section).start();
    long end =
        section + 1 < sections.size() ? sections.get(section + 1).start() : manifest.length();
    checksums = new PartitionChecksums(integrity);
    try {
      blocks = new ReadAhead(new ClearBlocks(
          new BlockReader(header, blockStart, end),
          header.newSeal(),
          range.partition(),
          sections.get(section).block(),
          checksums));
    } catch (IOException | RuntimeException damaged) {
      throw fault("its first block cannot be reached (" + damaged.getMessage() + ")", damaged);
    }
  }

  @Override
  public boolean next() {
    if (left == 0 && !nextBlock()) {
      return false;
    }
    try {
      record.next();
    } catch (IOException | RuntimeException damaged) {
      throw fault(damaged.getMessage(), damaged);
    }
    left--;
    count++;
    long next = record.offset();
    if (record.partition() != range.partition()
        || next <= offset
        || next < range.from()
        || next >= range.to()) {
      throw fault(
          "there is a record of partition " + record.partition() + " with offset " + next
              + (offset < 0 ? "" : " after " + offset) + ", where only " + range.from() + " to "
              + (range.to() - 1) + " of partition " + range.partition() + " were recorded",
          null);
    }
    offset = next;
    return true;
  }

  private boolean nextBlock() {
    if (failed != null) {
      throw failed;
    }
    if (done) {
      return false;
    }
    if (!record.isFinished()) {
      throw fault("there are bytes after its last record", null);
    }
    ReadAhead.Block next = blocks.next();
    blockStart = next.start();
    if (next.failure() != null) {
      throw fault(next.failure());
    }
    if (next.isLast()) {
      finish();
      return false;
    }
    record.wrap(ByteBuffer.wrap(next.bytes(), 0, next.length()));
    left = next.records();
    return true;
  }

  private RecordingException fault(Throwable damage) {
    if (damage instanceof Error error) {
      throw error;
    }
    String what = damage.getMessage();
    return fault(damage instanceof UnsafeToContinueException ? "it " + what : what, damage);
  }

  private void finish() {
    if (count != range.records()) {
      throw fault(count + " records are there, but " + range.records() + " were recorded", null);
    }
    if (!checksums
        .values()
        .agreesWith(header.manifest().integrity().partitions().get(section))) {
      throw fault("its records are not those that were recorded: their digest is another", null);
    }
    done = true;
    release();
    verified.run();
  }

  private RecordingException fault(String what, Throwable cause) {
    left = 0;
    RecordingException fault = new RecordingException(
        header.file() + " is damaged or was changed: partition " + range.partition()
            + (offset < 0 ? "" : ", after offset " + offset) + ", block at byte " + blockStart
            + ": " + what + ". Record again, or restore the file",
        cause);
    failed = fault;
    release();
    return fault;
  }

  private void release() {
    if (blocks != null) {
      try {
        blocks.close();
      } catch (IOException unclosed) {
        throw new UncheckedIOException("cannot close " + header.file(), unclosed);
      }
    }
  }

  @Override
  public RecordedRecord current() {
    return record;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public void close() {
    left = 0;
    if (!done && failed == null) {
      failed = new IllegalStateException("the cursor is closed");
    }
    release();
  }
}

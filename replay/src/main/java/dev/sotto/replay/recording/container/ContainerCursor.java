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

/** Reads one partition of a container, a block at a time, and checks it against the manifest. */
final class ContainerCursor implements RecordCursor {
  private final ContainerHeader header;
  private final int section;
  private final RecordedRange range;
  private final BlockReader blocks;
  private final BlockSeal seal; // null where blocks are in clear
  private final PartitionChecksums checksums;
  private final Runnable verified;
  private final RecordDecoder record = new RecordDecoder();
  private long block; // the number of the next encrypted block
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
    this.seal = header.newSeal();
    Manifest manifest = header.manifest();
    List<PartitionSection> sections = manifest.partitions();
    range = sections.get(section).range();
    block = sections.get(section).block();
    blockStart = sections.get(section).start();
    long end =
        section + 1 < sections.size() ? sections.get(section + 1).start() : manifest.length();
    checksums = new PartitionChecksums(integrity);
    try {
      blocks = new BlockReader(header, blockStart, end);
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
    blockStart = blocks.position();
    ByteBuffer clear;
    try {
      clear = blocks.next();
      if (clear != null && seal != null) {
        clear = seal.open(clear, range.partition(), block++);
      }
    } catch (UnsafeToContinueException closed) {
      throw fault("it " + closed.getMessage(), closed);
    } catch (IOException | RuntimeException damaged) {
      throw fault(damaged.getMessage(), damaged);
    }
    if (clear == null) {
      finish();
      return false;
    }
    record.wrap(clear);
    left = blocks.records();
    checksums.add(clear);
    return true;
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

package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.topology.core.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;

/** Reads one partition of a container, a block at a time, and checks it against the header. */
final class ContainerCursor implements RecordCursor {
  private final Opened opened;
  private final Stretch stretch;
  private final long from;
  private final long to;
  private final int partition;
  private final SealedBlocks blocks;
  private final Sums sums;
  private final Runnable whenRight;
  private final RecordBlock record = new RecordBlock();
  private long blockStart;
  private long left; // records in the block that were not read yet
  private long count;
  private long offset = -1;
  private boolean done;
  private RuntimeException failed;

  /**
   * A cursor before the first record.
   *
   * @param end where the partition's last block ends
   * @param whenRight is told when all was read and found right
   */
  ContainerCursor(
      Opened opened, Stretch stretch, long end, Integrity integrity, Runnable whenRight) {
    this.opened = opened;
    this.whenRight = whenRight;
    this.stretch = stretch;
    RecordedRange range = stretch.range();
    from = range.from();
    to = range.to();
    partition = range.partition();
    sums = new Sums(integrity);
    blockStart = stretch.start();
    try {
      blocks = new SealedBlocks(opened, stretch, end);
    } catch (IOException | RuntimeException damaged) {
      throw fault("its first block cannot be reached (" + damaged.getMessage() + ")", damaged);
    }
  }

  @Override
  public boolean next() {
    if (left == 0 && !fill()) {
      return false;
    }
    try {
      record.next();
    } catch (IllegalArgumentException damaged) {
      throw fault(damaged.getMessage(), damaged);
    }
    left--;
    count++;
    long next = record.offset();
    if (record.partition() != partition || next <= offset || next < from || next >= to) {
      throw fault(
          "there is a record of partition " + record.partition() + " with offset " + next
              + (offset < 0 ? "" : " behind " + offset) + ", where only " + from + " to " + (to - 1)
              + " of partition " + partition + " were recorded",
          null);
    }
    offset = next;
    return true;
  }

  private boolean fill() {
    if (failed != null) {
      throw failed;
    }
    if (done) {
      return false;
    }
    if (!record.finished()) {
      throw fault("there are bytes behind its last record", null);
    }
    blockStart = blocks.position();
    ByteBuffer block;
    try {
      block = blocks.next();
    } catch (Refusal closed) {
      throw fault("it " + closed.getMessage(), closed);
    } catch (IOException | RuntimeException damaged) {
      throw fault(damaged.getMessage(), damaged);
    }
    if (block == null) {
      finish();
      return false;
    }
    record.wrap(block);
    left = blocks.records();
    sums.add(block.array(), block.arrayOffset() + block.position(), block.remaining());
    return true;
  }

  private void finish() {
    done = true;
    if (count != stretch.range().records()) {
      throw fault(
          count + " records are there, but " + stretch.range().records() + " were recorded", null);
    }
    if (!sums.agree(stretch)) {
      throw fault("its records are not those that were recorded: their digest is another", null);
    }
    whenRight.run();
  }

  private RecordingFault fault(String what, Throwable cause) {
    left = 0;
    RecordingFault fault = new RecordingFault(
        opened.file() + " is damaged or was changed: partition "
            + stretch.range().partition()
            + (offset < 0 ? "" : ", behind offset " + offset) + ", block at byte " + blockStart
            + ": "
            + what + ". Record again, or restore the file",
        cause);
    failed = fault;
    return fault;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long timestamp() {
    return record.timestamp();
  }

  @Override
  public byte[] key() {
    return record.key();
  }

  @Override
  public byte[] value() {
    return record.value();
  }

  @Override
  public Headers headers() {
    return record.headers();
  }

  @Override
  public void close() {
    left = 0;
    if (!done && failed == null) {
      failed = new IllegalStateException("the cursor is closed");
    }
  }
}

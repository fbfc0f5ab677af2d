package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The blocks of one partition in clear, whether or not they were sealed. */
final class SealedBlocks {
  private final Blocks blocks;
  private final BlockSeal seal;
  private final int partition;
  private final long first;
  private long count;

  /** All blocks of a partition. */
  SealedBlocks(Opened opened, Stretch stretch, long end) throws IOException {
    this.blocks = new Blocks(opened.bytes(), opened.avro(), stretch.start(), end);
    this.seal = opened.seal().orElse(null);
    this.partition = stretch.range().partition();
    this.first = stretch.block();
  }

  /** Where the next block begins. */
  long position() {
    return blocks.position();
  }

  /** How many records the last block holds. */
  long records() {
    return blocks.records();
  }

  /** How many blocks were read. */
  long count() {
    return count;
  }

  /**
   * The next block; null at the end.
   *
   * @throws IOException where it is not whole, or damaged
   * @throws dev.sotto.topology.core.Refusal where its seal does not open
   */
  ByteBuffer next() throws IOException {
    ByteBuffer block = blocks.next();
    if (block == null) {
      return null;
    }
    ByteBuffer clear = seal == null ? block : seal.open(block, partition, first + count);
    count++;
    return clear;
  }
}

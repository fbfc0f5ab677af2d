package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The blocks of one partition in clear, with the checksums of those that were read. */
final class ClearBlocks implements ReadAhead.Source {
  private final BlockReader blocks;
  private final BlockSeal seal; // null where blocks are in clear
  private final int partition;
  private final PartitionChecksums checksums;
  private long block;

  /**
   * Blocks from the reader's position on.
   *
   * @param seal of encrypted blocks; null where they are in clear
   * @param block number of the first encrypted block
   * @param checksums to which each block is added
   */
  ClearBlocks(
      BlockReader blocks, BlockSeal seal, int partition, long block, PartitionChecksums checksums) {
    this.blocks = blocks;
    this.seal = seal;
    this.partition = partition;
    this.block = block;
    this.checksums = checksums;
  }

  @Override
  public long position() {
    return blocks.position();
  }

  @Override
  public ByteBuffer next() throws IOException {
    ByteBuffer clear = blocks.next();
    if (clear != null && seal != null) {
      clear = seal.open(clear, partition, block++);
    }
    if (clear != null) {
      checksums.add(clear);
    }
    return clear;
  }

  @Override
  public long records() {
    return blocks.records();
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }
}

package dev.sotto.replay.recording.container;

import dev.sotto.topology.encryption.RecordingCipher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.file.Codec;
import org.apache.avro.file.CodecFactory;

/**
 * The codec of an encrypted container: blocks are compressed, then encrypted, each bound to its
 * file, its partition and its number in the file, so that none can be moved, exchanged or left out.
 *
 * <p>Avro's reader returns such blocks as they are in the file, since a codec does not learn which
 * block it reads; {@link #open} decrypts them.
 */
final class BlockSeal extends Codec {
  /** The codec's name in the file. */
  static final String NAME = "sotto-sealed";

  private final RecordingCipher cipher;
  private final Optional<Codec> compression;
  private int partition;
  private long block;

  BlockSeal(RecordingCipher cipher, Compression compression) {
    this.cipher = cipher;
    this.compression = compression.codec();
  }

  /** Registers the codec with Avro. */
  static void register() {
    CodecFactory.addCodec(NAME, factory(new BlockSeal(null, Compression.NULL)));
  }

  /** For a writer of Avro files. */
  static CodecFactory factory(BlockSeal seal) {
    return new CodecFactory() {
      @Override
      protected Codec createInstance() {
        return seal;
      }
    };
  }

  /** Sets the place of the next block that is written. */
  void at(int newPartition, long newBlock) {
    partition = newPartition;
    block = newBlock;
  }

  /** The number of the next block that is written. */
  long block() {
    return block;
  }

  @Override
  public ByteBuffer compress(ByteBuffer clear) throws IOException {
    ByteBuffer compressed = compression.isPresent() ? compression.get().compress(clear) : clear;
    return ByteBuffer.wrap(cipher.seal(bytes(compressed), partition, block++));
  }

  @Override
  public ByteBuffer decompress(ByteBuffer sealed) {
    return sealed;
  }

  /**
   * Decrypts and decompresses the block at a place.
   *
   * @throws dev.sotto.topology.failure.UnsafeToContinueException where it is not the one that was
   *     written there under this key
   */
  ByteBuffer open(ByteBuffer sealed, int ofPartition, long number) throws IOException {
    ByteBuffer opened = ByteBuffer.wrap(cipher.open(bytes(sealed), ofPartition, number));
    return compression.isPresent() ? compression.get().decompress(opened) : opened;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}

package dev.sotto.replay.recording.container;

import dev.sotto.topology.encryption.RecordingCipher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.file.Codec;
import org.apache.avro.file.CodecFactory;

/**
 * The blocks of an encrypted container: compressed, then sealed, each bound to its file, its partition and its number in
 * the file, so that none can be moved, exchanged or left out, not even where a recording is still to be gone on with. In the file the codec has a name of its own, by which Avro gives out
 * blocks as they stand; opening them takes a key, which Avro's registry of codecs has no place for.
 */
final class BlockSeal {
  /** The codec's name in the file. */
  static final String NAME = "sotto-sealed";

  private static final int HEADER = -1;

  /** Gives the seal of a file, or says why there is none. */
  interface Source {
    BlockSeal get();
  }

  static {
    CodecFactory.addCodec(NAME, new Factory(new Stage() {
      @Override
      public ByteBuffer apply(ByteBuffer block) {
        return block;
      }
    }));
  }

  private final RecordingCipher cipher;
  private final Optional<Codec> codec;

  BlockSeal(RecordingCipher cipher, Compression compression) {
    this.cipher = cipher;
    this.codec = compression.codec();
  }

  /** Makes Avro know the codec's name. */
  static void register() {
    // The static initialiser has done it.
  }

  byte[] sealHeader(byte[] header) {
    return cipher.seal(header, HEADER, 0);
  }

  byte[] openHeader(byte[] sealed) {
    return cipher.open(sealed, HEADER, 0);
  }

  /** The block at a place, as it was before it was compressed. */
  ByteBuffer open(ByteBuffer sealed, int partition, long block) throws IOException {
    byte[] bytes = new byte[sealed.remaining()];
    sealed.duplicate().get(bytes);
    ByteBuffer opened = ByteBuffer.wrap(cipher.open(bytes, partition, block));
    return codec.isPresent() ? codec.get().decompress(opened) : opened;
  }

  /** For a writer of Avro files; {@code place} tells where each block goes. */
  CodecFactory factory(Place place) {
    return new Factory(block -> {
      ByteBuffer compressed = codec.isPresent() ? codec.get().compress(block) : block;
      byte[] bytes = new byte[compressed.remaining()];
      compressed.duplicate().get(bytes);
      return ByteBuffer.wrap(cipher.seal(bytes, place.partition, place.block++));
    });
  }

  /** Where the next block goes. */
  static final class Place {
    private int partition;
    private long block;

    void at(int newPartition, long blocksBefore) {
      partition = newPartition;
      block = blocksBefore;
    }

    long block() {
      return block;
    }
  }

  private interface Stage {
    ByteBuffer apply(ByteBuffer block) throws IOException;
  }

  private static final class Factory extends CodecFactory {
    private final Stage stage;

    Factory(Stage stage) {
      this.stage = stage;
    }

    @Override
    protected Codec createInstance() {
      return new Sealing(stage);
    }
  }

  /** Seals on the way in; on the way out blocks stay sealed. */
  private static final class Sealing extends Codec {
    private final Stage stage;

    Sealing(Stage stage) {
      this.stage = stage;
    }

    @Override
    public String getName() {
      return NAME;
    }

    @Override
    public ByteBuffer compress(ByteBuffer block) throws IOException {
      return stage.apply(block);
    }

    @Override
    public ByteBuffer decompress(ByteBuffer block) {
      return block;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sealing;
    }

    @Override
    public int hashCode() {
      return NAME.hashCode();
    }
  }
}

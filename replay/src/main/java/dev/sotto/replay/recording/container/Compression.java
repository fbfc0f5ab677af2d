package dev.sotto.replay.recording.container;

import java.util.Arrays;
import java.util.Optional;
import org.apache.avro.file.Codec;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DeflateCodec;
import org.apache.avro.file.ZstandardCodec;

/** How the blocks of a recording are compressed. */
public enum Compression {
  /** Not at all: largest and fastest. */
  NULL(DataFileConstants.NULL_CODEC),
  /** By java.util.zip: readable by every tool, slowest. */
  DEFLATE(DataFileConstants.DEFLATE_CODEC),
  /** By zstd: smaller than deflate's and several times as fast. */
  ZSTANDARD(DataFileConstants.ZSTANDARD_CODEC);

  private final String avroName;

  Compression(String avroName) {
    this.avroName = avroName;
  }

  /** The compression that Avro calls so; empty where there is none here. */
  public static Optional<Compression> of(String avroName) {
    return Arrays.stream(values())
        .filter(each -> each.avroName.equals(avroName))
        .findFirst();
  }

  /** For a writer of Avro files. */
  CodecFactory factory() {
    return switch (this) {
      case NULL -> CodecFactory.nullCodec();
      case DEFLATE -> CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL);
      case ZSTANDARD -> CodecFactory.zstandardCodec(CodecFactory.DEFAULT_ZSTANDARD_LEVEL);
    };
  }

  /** For blocks that are compressed apart from Avro's files; empty for none. */
  Optional<Codec> codec() {
    return switch (this) {
      case NULL -> Optional.empty();
      case DEFLATE -> Optional.of(new DeflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL));
      case ZSTANDARD ->
        Optional.of(new ZstandardCodec(CodecFactory.DEFAULT_ZSTANDARD_LEVEL, false, false));
    };
  }

  /** Avro's name of it. */
  @Override
  public String toString() {
    return avroName;
  }
}

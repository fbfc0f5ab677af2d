package dev.sotto.replay.recording.container;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;
import org.apache.avro.file.Codec;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DeflateCodec;
import org.apache.avro.file.ZstandardCodec;

/** How the blocks of a recording are compressed; JSON has the name that Avro uses. */
public enum Compression {
  /** Not compressed: the largest and the fastest. */
  NULL(DataFileConstants.NULL_CODEC),
  /** By java.util.zip: readable by every tool, the slowest. */
  DEFLATE(DataFileConstants.DEFLATE_CODEC),
  /** By zstd: smaller than deflate and several times as fast. */
  ZSTANDARD(DataFileConstants.ZSTANDARD_CODEC);

  private final String avroName;

  Compression(String avroName) {
    this.avroName = avroName;
  }

  /** The compression with a name of Avro; empty where there is none. */
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

  /** For blocks that are compressed outside of Avro's files; empty for {@link #NULL}. */
  Optional<Codec> codec() {
    return switch (this) {
      case NULL -> Optional.empty();
      case DEFLATE -> Optional.of(new DeflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL));
      case ZSTANDARD ->
        Optional.of(new ZstandardCodec(CodecFactory.DEFAULT_ZSTANDARD_LEVEL, false, false));
    };
  }

  /** The name that Avro uses. */
  @Override
  @JsonValue
  public String toString() {
    return avroName;
  }
}

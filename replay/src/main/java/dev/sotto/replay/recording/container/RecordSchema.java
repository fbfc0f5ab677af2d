package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/** The Avro schema of the records in a container: {@code src/main/avro/RecordedRecord.avsc}. */
final class RecordSchema {
  private static final String RESOURCE = "/dev/sotto/replay/RecordedRecord.avsc";

  static final Schema SCHEMA = read();
  private static final long FINGERPRINT = SchemaNormalization.parsingFingerprint64(SCHEMA);

  private RecordSchema() {}

  /** Whether another schema writes the same bytes. */
  static boolean isOurs(Schema other) {
    return SchemaNormalization.parsingFingerprint64(other) == FINGERPRINT;
  }

  private static Schema read() {
    try (InputStream in = RecordSchema.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks the schema " + RESOURCE);
      }
      return new Schema.Parser().parse(in);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read the schema " + RESOURCE, unreadable);
    }
  }
}

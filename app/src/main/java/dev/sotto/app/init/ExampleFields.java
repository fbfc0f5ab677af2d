package dev.sotto.app.init;

import dev.sotto.serdes.avro.SingleObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.generic.GenericRecord;

/** Reads the largest index of sparse ready-made examples into a sample. */
final class ExampleFields {
  private static final SingleObject EXAMPLE = SingleObject.of("Example");
  private static final String FEATURES = "features";
  private static final String INDICES = "indices";

  private final Sample sample;
  private int largest = 1;

  ExampleFields(Sample sample) {
    this.sample = sample;
  }

  /** Adds one record. */
  void add(byte[] value) {
    sample.read();
    if (sample.isPublic()) {
      GenericRecord features = (GenericRecord) EXAMPLE.decode(value).get(FEATURES);
      ByteBuffer indices = ((ByteBuffer) features.get(INDICES)).duplicate();
      if (indices.remaining() >= Integer.BYTES) { // in ascending order, from 0
        int last = indices.limit() - Integer.BYTES;
        largest = Math.max(largest, 1 + indices.order(ByteOrder.LITTLE_ENDIAN).getInt(last));
      }
    }
  }

  /** The largest index, from 1; 1 where there is none. */
  int largestIndex() {
    return largest;
  }
}

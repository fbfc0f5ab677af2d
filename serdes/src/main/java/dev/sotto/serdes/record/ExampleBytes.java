package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.WireWriter;
import java.nio.charset.StandardCharsets;

/** Writes the record Example by hand. */
final class ExampleBytes {
  private ExampleBytes() {}

  static byte[] of(
      byte[] header,
      String id,
      byte[] unit,
      int[] indices,
      double[] values,
      double label,
      double weight) {
    byte[] name = id == null ? null : id.getBytes(StandardCharsets.UTF_8);
    long size = header.length + 1 + PackedFeatures.packedSize(values.length, Double.BYTES);
    if (indices != null) {
      size += PackedFeatures.packedSize(indices.length, Integer.BYTES);
    }
    size += optionalSize(name) + optionalSize(unit) + 2 * Double.BYTES;

    WireWriter out = new WireWriter();
    out.start(header, size);
    out.number(indices == null ? 0 : 1);
    if (indices != null) {
      out.ints(indices, indices.length);
    }
    out.doubles(values, values.length).real(label);
    optional(name, out);
    optional(unit, out);
    return out.real(weight).finish();
  }

  private static long optionalSize(byte[] bytes) {
    return bytes == null ? 1 : 1 + WireWriter.spanSize(bytes.length);
  }

  private static void optional(byte[] bytes, WireWriter out) {
    out.number(bytes == null ? 0 : 1);
    if (bytes != null) {
      out.span(bytes, bytes.length);
    }
  }
}

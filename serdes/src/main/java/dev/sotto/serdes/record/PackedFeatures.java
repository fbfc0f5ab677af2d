package dev.sotto.serdes.record;

import dev.sotto.learner.example.Example;
import dev.sotto.serdes.avro.LittleEndian;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.avro.WireReader;
import dev.sotto.serdes.avro.WireWriter;

/** The union of DenseFeatures and SparseFeatures, between an array of bytes and an example. */
final class PackedFeatures {
  private boolean sparse;
  private int indices;
  private int indexBytes;
  private int values;
  private int valueBytes;

  static long packedSize(int count, int each) {
    long length = (long) count * each;
    return WireWriter.size(length) + length;
  }

  /** Steps over one branch and remembers where its parts are. */
  void locate(WireReader in, boolean sparseBranch) {
    sparse = sparseBranch;
    indexBytes = sparse ? in.span() : 0;
    indices = in.spanStart();
    valueBytes = in.span();
    values = in.spanStart();
  }

  /**
   * Fills the example.
   *
   * @param anyOrder whether coordinates may come in any order, though none twice
   * @return whether the features fit its dimension; if not, it is left in any state
   */
  boolean fill(byte[] bytes, Example into, boolean anyOrder) {
    if (!sparse) {
      return dense(bytes, into);
    }
    int count = valueBytes / Double.BYTES;
    boolean fits = valueBytes % Double.BYTES == 0
        && indexBytes == (long) count * Integer.BYTES
        && count <= into.dimension();
    return fits && (ascending(bytes, count, into) || anyOrder && unordered(bytes, count, into));
  }

  private boolean dense(byte[] bytes, Example into) {
    if (valueBytes != (long) into.dimension() * Double.BYTES) {
      return false;
    }
    PackedDoubles.unpack(bytes, values, into.dense(), 0, into.dimension());
    return true;
  }

  private boolean ascending(byte[] bytes, int count, Example into) {
    into.reserve(count);
    int[] coordinates = into.indices();
    for (int i = 0; i < count; i++) {
      coordinates[i] = LittleEndian.getInt(bytes, indices + (i << 2));
    }
    PackedDoubles.unpack(bytes, values, into.values(), 0, count);
    return into.ascending(count);
  }

  private boolean unordered(byte[] bytes, int count, Example into) {
    into.clear();
    for (int i = 0; i < count; i++) {
      int index = LittleEndian.getInt(bytes, indices + (i << 2));
      if (index < 0 || index >= into.dimension()) {
        return false;
      }
      into.add(index, LittleEndian.getDouble(bytes, values + (i << 3)));
      if (into.size() == i) {
        return false; // it was there already
      }
    }
    return true;
  }
}

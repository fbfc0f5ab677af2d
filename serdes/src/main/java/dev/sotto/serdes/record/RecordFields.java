package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** The fields of one generic record by name, in Java's types; all that is read must be there. */
record RecordFields(GenericRecord record) {

  RecordFields put(String name, Object value) {
    record.put(name, value);
    return this;
  }

  /** The bytes themselves, not a copy: they are written before anyone can change them. */
  RecordFields put(String name, byte[] bytes) {
    return put(name, ByteBuffer.wrap(bytes));
  }

  /** A bound, or null where it is infinite. */
  RecordFields putBound(String name, double bound) {
    return put(name, bound == Double.POSITIVE_INFINITY ? null : (Object) bound);
  }

  RecordFields putRanges(String name, List<OffsetRange> ranges) {
    Schema list = record.getSchema().getField(name).schema();
    var items = new GenericData.Array<GenericRecord>(ranges.size(), list);
    for (OffsetRange range : ranges) {
      var fields = new RecordFields(new GenericData.Record(list.getElementType()));
      fields.put("partition", range.partition()).put("from", range.from()).put("to", range.to());
      items.add(fields.record());
    }
    return put(name, items);
  }

  RecordFields putReached(String name, List<OrderPlace.Reached> partitions) {
    Schema list = record.getSchema().getField(name).schema();
    var items = new GenericData.Array<GenericRecord>(partitions.size(), list);
    for (OrderPlace.Reached each : partitions) {
      var fields = new RecordFields(new GenericData.Record(list.getElementType()));
      fields.put("partition", each.partition()).put("from", each.from()).put("to", each.to());
      items.add(fields.record());
    }
    return put(name, items);
  }

  RecordFields putArrays(String name, List<StoredArray> arrays) {
    Schema list = record.getSchema().getField(name).schema();
    var items = new GenericData.Array<GenericRecord>(arrays.size(), list);
    for (StoredArray array : arrays) {
      var fields = new RecordFields(new GenericData.Record(list.getElementType()));
      fields.put("name", array.name()).put("length", array.length()).put("hashes", array.hashes());
      items.add(fields.record());
    }
    return put(name, items);
  }

  RecordFields putGuarantee(String name, Guarantee guarantee) {
    var fields = new RecordFields(
        new GenericData.Record(record.getSchema().getField(name).schema()));
    fields
        .put("unit", guarantee.unit().configName())
        .put("adjacency", guarantee.adjacency().configName())
        .put("mechanism", guarantee.mechanism())
        .putBound("mu", guarantee.mu())
        .putBound("epsilon", guarantee.epsilon())
        .put("delta", guarantee.delta())
        .putBound("muLimit", guarantee.muLimit())
        .putBound("epsilonLimit", guarantee.epsilonLimit());
    return put(name, fields.record());
  }

  /** A metrics record's loss, right, wrong, and two sums a bin. */
  RecordFields putSums(double[] sums) {
    Schema list = record.getSchema().getField("bins").schema();
    var bins = new GenericData.Array<GenericRecord>(sums.length / 2, list);
    for (int at = 3; at < sums.length; at += 2) {
      var bin = new RecordFields(new GenericData.Record(list.getElementType()));
      bins.add(bin.put("negatives", sums[at]).put("positives", sums[at + 1]).record());
    }
    return put("lossSum", sums[0])
        .put("rightSum", sums[1])
        .put("wrongSum", sums[2])
        .put("bins", bins);
  }

  double[] sums() {
    List<?> bins = (List<?>) record.get("bins");
    double[] sums = new double[3 + 2 * bins.size()];
    sums[0] = real("lossSum");
    sums[1] = real("rightSum");
    sums[2] = real("wrongSum");
    for (int bin = 0; bin < bins.size(); bin++) {
      var fields = new RecordFields((GenericRecord) bins.get(bin));
      sums[3 + 2 * bin] = fields.real("negatives");
      sums[4 + 2 * bin] = fields.real("positives");
    }
    return sums;
  }

  int integer(String name) {
    return (Integer) record.get(name);
  }

  long number(String name) {
    return (Long) record.get(name);
  }

  double real(String name) {
    return (Double) record.get(name);
  }

  double bound(String name) {
    Object bound = record.get(name);
    return bound == null ? Double.POSITIVE_INFINITY : (Double) bound;
  }

  boolean flag(String name) {
    return (Boolean) record.get(name);
  }

  String text(String name) {
    return record.get(name).toString();
  }

  /** A byte field; the array is the record's own. */
  byte[] bytes(String name) {
    ByteBuffer buffer = (ByteBuffer) record.get(name);
    if (buffer.hasArray()
        && buffer.arrayOffset() == 0
        && buffer.array().length == buffer.remaining()) {
      return buffer.array();
    }
    byte[] copy = new byte[buffer.remaining()];
    buffer.duplicate().get(copy);
    return copy;
  }

  List<OffsetRange> ranges(String name) {
    List<OffsetRange> ranges = new ArrayList<>();
    for (Object item : (List<?>) record.get(name)) {
      var range = new RecordFields((GenericRecord) item);
      ranges.add(
          new OffsetRange(range.integer("partition"), range.number("from"), range.number("to")));
    }
    return ranges;
  }

  List<OrderPlace.Reached> reached(String name) {
    List<OrderPlace.Reached> partitions = new ArrayList<>();
    for (Object item : (List<?>) record.get(name)) {
      var each = new RecordFields((GenericRecord) item);
      partitions.add(new OrderPlace.Reached(
          each.integer("partition"), each.number("from"), each.number("to")));
    }
    return partitions;
  }

  List<StoredArray> arrays(String name) {
    List<StoredArray> arrays = new ArrayList<>();
    for (Object item : (List<?>) record.get(name)) {
      var array = new RecordFields((GenericRecord) item);
      arrays.add(
          new StoredArray(array.text("name"), array.number("length"), array.bytes("hashes")));
    }
    return arrays;
  }

  Guarantee guarantee(String name) {
    var fields = new RecordFields((GenericRecord) record.get(name));
    return new Guarantee(
        PrivacyUnit.named(fields.text("unit")).orElseThrow(),
        Adjacency.named(fields.text("adjacency")).orElseThrow(),
        fields.text("mechanism"),
        fields.bound("mu"),
        fields.bound("epsilon"),
        fields.real("delta"),
        fields.bound("muLimit"),
        fields.bound("epsilonLimit"));
  }
}

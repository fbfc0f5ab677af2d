package dev.sotto.serdes.record;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** A metrics record's loss, right, wrong, and two sums a bin. */
final class MetricSums implements RecordMapping.Part {
  private static final String[] FIRST = {"lossSum", "rightSum", "wrongSum"};
  private static final String[] OF_BIN = {"negatives", "positives"};

  @Override
  public void write(Object value, GenericRecord to) {
    double[] sums = (double[]) value;
    Schema list = to.getSchema().getField("bins").schema();
    var bins = new GenericData.Array<GenericRecord>(sums.length / 2, list);
    for (int at = FIRST.length; at < sums.length; at += OF_BIN.length) {
      GenericRecord bin = new GenericData.Record(list.getElementType());
      put(OF_BIN, sums, at, bin);
      bins.add(bin);
    }
    put(FIRST, sums, 0, to);
    to.put("bins", bins);
  }

  @Override
  public Object read(GenericRecord from) {
    List<?> bins = (List<?>) from.get("bins");
    double[] sums = new double[FIRST.length + OF_BIN.length * bins.size()];
    take(FIRST, from, sums, 0);
    for (int bin = 0; bin < bins.size(); bin++) {
      take(OF_BIN, (GenericRecord) bins.get(bin), sums, FIRST.length + OF_BIN.length * bin);
    }
    return sums;
  }

  private static void put(String[] names, double[] sums, int first, GenericRecord to) {
    for (int i = 0; i < names.length; i++) {
      to.put(names[i], sums[first + i]);
    }
  }

  private static void take(String[] names, GenericRecord from, double[] sums, int first) {
    for (int i = 0; i < names.length; i++) {
      sums[first + i] = (Double) from.get(names[i]);
    }
  }
}

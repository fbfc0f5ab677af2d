package dev.sotto.serdes.feature;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.JsonEventDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Maps and records that several tests share. */
public final class Events {
  private Events() {}

  /** The task of predicting late flights, departure delay known. */
  public static FeatureMapBuilder flights() {
    return FeatureMap.builder()
        .hashBits(12)
        .numeric("distance", "x.distance", 0, 4000, Transform.IDENTITY, false)
        .numeric("dep_delay", "x.dep_delay", -30, 180, Transform.IDENTITY, false)
        .categorical("carrier", "x.carrier", false)
        .categorical("origin", "x.origin", false)
        .categorical("dest", "x.dest", false)
        .categorical("month", "x.month", false)
        .categorical("dow", "x.dow", false)
        .categorical("hour", "x.hour", false)
        .label("late", new LabelRule.Classes(List.of("1")))
        .unitField("key");
  }

  public static final String FLIGHT =
      "{\"key\":\"N980DL\",\"ts\":1293860940000,\"x\":{\"carrier\":\"DL\",\"origin\":\"IAH\","
          + "\"dest\":\"ATL\",\"month\":1,\"dow\":6,\"hour\":5,\"distance\":689,\"dep_delay\":-1},"
          + "\"late\":0,\"arr_delay\":-11}";

  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** All coordinates, zeros and all. */
  public static double[] dense(Example example) {
    double[] all = new double[example.dimension()];
    for (int i = 0; i < example.size(); i++) {
      all[example.index(i)] += example.value(i);
    }
    return all;
  }

  /** The squares of all coordinates summed in the plain way. */
  static double norm(Example example) {
    double sum = 0;
    for (double value : dense(example)) {
      sum += value * value;
    }
    return Math.sqrt(sum);
  }

  public static String unit(Slot slot) {
    return slot.unitLength() < 0
        ? null
        : new String(slot.unit(), 0, slot.unitLength(), StandardCharsets.UTF_8);
  }

  /** A map of JSON fields to one label "y", ready to decode. */
  public static Slot decode(FeatureMap map, String json) {
    var slot = new Slot(map.dimension());
    new JsonEventDecoder(map).decode(null, utf8(json), slot);
    return slot;
  }

  /** The label rule that most tests do not care about. */
  public static FeatureMapBuilder labelled() {
    return FeatureMap.builder().label("y", new LabelRule.AsItIs());
  }
}

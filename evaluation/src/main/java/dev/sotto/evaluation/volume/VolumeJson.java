package dev.sotto.evaluation.volume;

import java.util.List;

/** A forecast of volumes as rows of JSON: docs/plan.md, "JSON" lists the fields. */
public final class VolumeJson {
  private VolumeJson() {}

  private record Row(
      String kind,
      String topic,
      double bytesPerDay,
      double heldAtMost,
      boolean bounded,
      String bound) {}

  /** One row for each topic or folder. */
  public static List<Record> rows(VolumeScenario scenario) {
    return VolumeForecast.of(scenario).stream()
        .<Record>map(each -> new Row(
            "volume",
            each.topic(),
            each.bytesPerDay(),
            each.heldAtMost(),
            !each.isUnbounded(),
            each.bound()))
        .toList();
  }
}

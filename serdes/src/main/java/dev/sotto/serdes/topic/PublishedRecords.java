package dev.sotto.serdes.topic;

import java.util.List;

/** The Avro records of the public topics. */
public final class PublishedRecords {
  private static final List<String> NAMES =
      List.of("ModelSnapshot", "WeightsChunk", "LedgerEntry", "ModelMetrics", "ModelAlias");

  private PublishedRecords() {}

  /** Their names, which are those of their schemas. */
  public static List<String> names() {
    return NAMES;
  }
}

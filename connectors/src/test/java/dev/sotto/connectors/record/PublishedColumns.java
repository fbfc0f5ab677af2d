package dev.sotto.connectors.record;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;

/** The schemas of all records that reach a sink as structs. */
public final class PublishedColumns {
  private PublishedColumns() {}

  public static List<Schema> schemas() {
    return Stream.of(PublishedKind.values())
        .filter(each -> each != PublishedKind.CHUNK)
        .map(each -> each.record().schema())
        .toList();
  }
}

package dev.sotto.connectors.record;

import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Schema;

/** The schemas of all that reaches a sink, for the page that lists them. */
public final class PublishedColumns {
  private PublishedColumns() {}

  public static List<Schema> schemas() {
    return Stream.concat(
            Stream.of(PublishedVersionKey.KEY),
            Stream.of(PublishedKind.values())
                .filter(each -> each != PublishedKind.CHUNK)
                .map(each -> each.record().schema()))
        .toList();
  }
}

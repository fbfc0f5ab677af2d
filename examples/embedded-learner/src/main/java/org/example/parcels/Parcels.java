package org.example.parcels;

import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;

/**
 * The application as it was before: reads scans such as {@code north;12.5;25} (depot, kilometres,
 * minutes late), counts them by depot, and writes one event for each, from which the learner
 * learns.
 */
public final class Parcels {
  public static final String SCANS = "scans";
  public static final String COUNTS = "scans-by-depot";
  public static final String DELIVERIES = "deliveries";
  private static final double LATE = 15;

  private Parcels() {}

  /** Names everything that Kafka Streams keeps, as the learner's settings require. */
  public static Topology topology() {
    Serde<String> text = Serdes.String();
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> scans = builder.stream(SCANS, Consumed.with(text, text));
    scans
        .groupBy((parcel, scan) -> scan.split(";")[0], Grouped.with("by-depot", text, text))
        .count(Materialized.as("depots"))
        .toStream()
        .mapValues(String::valueOf)
        .to(COUNTS, Produced.with(text, text));
    scans.mapValues(Parcels::delivery).to(DELIVERIES, Produced.with(text, text));
    return builder.build();
  }

  /** Of one scan one event, whatever came before it: that is what the guarantee is about. */
  static String delivery(String scan) {
    String[] parts = scan.split(";");
    return parts.length != 3
        ? "unreadable" // fills a slot, and is set aside
        : "{\"depot\":\"" + parts[0] + "\",\"km\":" + parts[1] + ",\"late\":"
            + (Double.parseDouble(parts[2]) > LATE ? 1 : 0) + "}";
  }
}

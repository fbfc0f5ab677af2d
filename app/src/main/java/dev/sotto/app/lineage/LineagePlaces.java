package dev.sotto.app.lineage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How far the ledger has been handed on, as the events that are there say it. */
final class LineagePlaces {
  /** The facet of a run that names the ledger entry of an event. */
  static final String FACET = "sotto_ledger";

  /** Before the version, in the producer of every event. */
  static final String PRODUCER = "urn:sotto:";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String ledger;
  private final Map<Integer, LedgerPlace> places = new TreeMap<>();

  /**
   * Nothing yet.
   *
   * @param ledger the topic
   */
  LineagePlaces(String ledger) {
    this.ledger = ledger;
  }

  /** What an event is here. */
  enum Kind {
    /** Of something else. */
    FOREIGN,
    /** Of this ledger, before the last of an entry. */
    PART,
    /** The last of an entry, which now counts. */
    WHOLE
  }

  /** The last entry of each partition, by partition. */
  Map<Integer, LedgerPlace> all() {
    return Collections.unmodifiableMap(places);
  }

  void add(LedgerPlace place) {
    places.merge(
        place.partition(),
        place,
        (before, now) -> now.sequence() > before.sequence() ? now : before);
  }

  /** Takes note of an event. */
  Kind add(byte[] event) {
    try {
      JsonNode read = JSON.readTree(event);
      if (!read.path("producer").asText().startsWith(PRODUCER)) {
        return Kind.FOREIGN;
      }
      JsonNode place = read.path("run").path("facets").path(FACET);
      if (!place.path("topic").asText().equals(ledger)) {
        return Kind.FOREIGN;
      }
      if (!place.has("sequence")) {
        return Kind.PART;
      }
      add(place(place));
      return Kind.WHOLE;
    } catch (IOException | IllegalArgumentException unreadable) {
      return Kind.FOREIGN;
    }
  }

  static LedgerPlace place(JsonNode node) {
    JsonNode partition = node.path("partition");
    JsonNode sequence = node.path("sequence");
    JsonNode hash = node.path("hash");
    if (!partition.canConvertToInt() || !sequence.canConvertToLong() || !hash.isTextual()) {
      throw new IllegalArgumentException("no place in a ledger: " + node);
    }
    return new LedgerPlace(partition.asInt(), sequence.asLong(), hash.asText());
  }
}

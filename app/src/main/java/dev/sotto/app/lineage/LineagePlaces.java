package dev.sotto.app.lineage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How far the ledger has been handed on, as the events that are there say it. */
final class LineagePlaces {
  /** The facet of a run that names the ledger entry of an event. */
  static final String FACET = "sotto_ledger";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<Integer, LedgerPlace> places = new TreeMap<>();

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

  /**
   * Takes note of an event.
   *
   * @param where it is, for messages
   * @return whether it ends the events of an entry
   * @throws SottoException where it is none of ours
   */
  boolean add(byte[] event, String where) {
    try {
      JsonNode run = JSON.readTree(event).path("run");
      if (run.path("runId").isTextual()) {
        JsonNode place = run.path("facets").path(FACET);
        if (place.isMissingNode()) {
          return false;
        }
        add(place(place));
        return true;
      }
    } catch (IOException | IllegalArgumentException unreadable) {
      throw foreign(where, unreadable);
    }
    throw foreign(where, null);
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

  private static SottoException foreign(String where, Exception cause) {
    return new SottoException(
        FailureKind.UNVERIFIED,
        where + " must be an event that sotto lineage has written, but is not: nothing is added to"
            + " what others wrote",
        cause);
  }
}

package dev.sotto.app.operations;

import dev.sotto.learner.privacy.LedgerEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a record went. For people inside the trust boundary: with it one could tell whose record is in which model.
 *
 * @param place the record
 * @param fate what became of it
 * @param model its model's id, or null
 * @param round the round that it filled a slot of, or will; 0 where there is none
 * @param entry the ledger's entry of that round, or null
 * @param sequenceOffset its place in the funnel's sequence, or -1
 * @param version the first version that is still held and contains it; 0 where there is none
 * @param slotsMissing of an open round; -1 elsewhere
 * @param setAside why it was set aside, or null
 * @param awaited in layout rounds: the partitions for which an open round waits, each with the offsets that its slice
 *     lacks; 0 where only a record behind it is missing
 * @param gone whether its topic no longer holds it
 */
public record Explanation(
    RecordPlace place,
    Fate fate,
    String model,
    long round,
    LedgerEntry entry,
    long sequenceOffset,
    long version,
    long slotsMissing,
    String setAside,
    SortedMap<Integer, Long> awaited,
    boolean gone) {
  private static final String INSIDE =
      "This answer is for inside the trust boundary: it says which record is in which model. Do not publish it.";

  static Explanation of(RecordPlace place, Fate fate, boolean gone) {
    return new Explanation(place, fate, null, 0, null, -1, 0, -1, null, new TreeMap<>(), gone);
  }

  Explanation withModel(String newModel) {
    return new Explanation(
        place,
        fate,
        newModel,
        round,
        entry,
        sequenceOffset,
        version,
        slotsMissing,
        setAside,
        awaited,
        gone);
  }

  Explanation withRound(long newRound, LedgerEntry newEntry, long newVersion) {
    return new Explanation(
        place,
        fate,
        model,
        newRound,
        newEntry,
        sequenceOffset,
        newVersion,
        slotsMissing,
        setAside,
        awaited,
        gone);
  }

  Explanation withOpen(long newRound, long newSlotsMissing) {
    return new Explanation(
        place,
        fate,
        model,
        newRound,
        entry,
        sequenceOffset,
        version,
        newSlotsMissing,
        setAside,
        awaited,
        gone);
  }

  Explanation withPlace(RecordPlace asked, long newSequenceOffset) {
    return new Explanation(
        asked,
        fate,
        model,
        round,
        entry,
        newSequenceOffset,
        version,
        slotsMissing,
        setAside,
        awaited,
        gone);
  }

  Explanation withSetAside(String reason) {
    return new Explanation(
        place,
        fate,
        model,
        round,
        entry,
        sequenceOffset,
        version,
        slotsMissing,
        reason,
        awaited,
        gone);
  }

  Explanation withAwaited(SortedMap<Integer, Long> partitions) {
    return new Explanation(
        place,
        fate,
        model,
        round,
        entry,
        sequenceOffset,
        version,
        slotsMissing,
        setAside,
        partitions,
        gone);
  }

  Explanation withFate(Fate other) {
    return new Explanation(
        place,
        other,
        model,
        round,
        entry,
        sequenceOffset,
        version,
        slotsMissing,
        setAside,
        awaited,
        gone);
  }

  /** In words. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(place + ": " + fate.sentence());
    if (gone) {
      lines.add("the topic no longer holds it; what follows is the ledger's word");
    }
    if (sequenceOffset >= 0) {
      lines.add("in the sequence it lies at offset " + sequenceOffset);
    }
    if (model != null) {
      lines.add("model     " + model);
    }
    if (round > 0) {
      lines.add("round     " + round);
    }
    if (slotsMissing >= 0) {
      lines.add("missing   " + slotsMissing + (slotsMissing == 1 ? " slot" : " slots")
          + " until that round can close");
    }
    awaited.forEach((partition, offsets) -> lines.add("waits for partition " + partition + ": "
        + (offsets > 0 ? offsets + " more offsets" : "a record behind its slice")));
    if (entry != null) {
      lines.add("ledger    entry " + entry.sequence() + ", offsets " + ranges());
      lines.add("snapshot  " + published());
    }
    if (setAside != null) {
      lines.add("set aside " + setAside + (round > 0 ? ": its slot counts as a zero vector" : ""));
    }
    lines.add(INSIDE);
    return String.join(System.lineSeparator(), lines) + System.lineSeparator();
  }

  private String published() {
    if (version == 0) {
      return "no version that contains it is held: none was published yet, or they are gone";
    }
    return version == round
        ? "version " + version + " is the first that contains it"
        : "version " + version + " is the first held that contains it (rounds up to it are in it)";
  }

  private String ranges() {
    return entry.ranges().stream()
        .map(each -> each.partition() + ":[" + each.from() + ", " + each.to() + ")")
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }

  /** The same for JSON. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("topic", place.topic());
    json.put("partition", place.partition());
    json.put("offset", place.offset());
    json.put("fate", fate.name());
    json.put("sentence", fate.sentence());
    json.put("gone", gone);
    json.put("sequenceOffset", sequenceOffset < 0 ? null : sequenceOffset);
    json.put("model", model);
    json.put("round", round == 0 ? null : round);
    json.put("slotsMissing", slotsMissing < 0 ? null : slotsMissing);
    json.put("awaited", awaited.isEmpty() ? null : awaited);
    json.put("ledgerSequence", entry == null ? null : entry.sequence());
    json.put("version", version == 0 ? null : version);
    json.put("setAside", setAside);
    json.put("insideTheTrustBoundary", INSIDE);
    return json;
  }
}

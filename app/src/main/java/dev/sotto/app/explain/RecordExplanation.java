package dev.sotto.app.explain;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * Which round a record went into, or why none. For use inside the trust boundary: it says which
 * record is in which model.
 */
public final class RecordExplanation {
  private static final String INSIDE =
      "This answer is for inside the trust boundary: it says which record is in which model. Do"
          + " not publish it.";

  private RecordPosition position;

  private RecordOutcome fate;
  private final boolean gone;
  private String model;
  private Long firstRound;
  private Long round;
  private Long slotsMissing;
  private SortedMap<Integer, Long> awaited;

  private LedgerEntry entry;

  private Long version;
  private String setAside;
  private String empty;

  /**
   * The explanation of a record.
   *
   * @param gone whether its topic no longer holds it
   */
  RecordExplanation(RecordPosition position, RecordOutcome outcome, boolean gone) {
    this.position = position;
    this.fate = outcome;
    this.gone = gone;
  }

  RecordExplanation outcome(RecordOutcome other) {
    fate = other;
    return this;
  }

  RecordExplanation model(String id) {
    model = id;
    return this;
  }

  /** Names a published version, and the first one held that contains it; 0 where there is none. */
  RecordExplanation published(LedgerEntry ledgerEntry, long firstVersion) {
    entry = ledgerEntry;
    round = ledgerEntry.round();
    firstRound = ledgerEntry.firstRound() == round ? null : (Long) ledgerEntry.firstRound();
    version = firstVersion == 0 ? null : (Long) firstVersion;
    return this;
  }

  /** Names a round to come. */
  RecordExplanation laterRound(long number) {
    round = number;
    return this;
  }

  /** Names a round that is not published, and how many slots it or its version lacks. */
  RecordExplanation openRound(long number, long missing) {
    round = number;
    slotsMissing = missing;
    return this;
  }

  /**
   * In layout rounds: the partitions for which the open round or version waits, each with the
   * number of offsets that its slices lack; 0 where only a record behind them is missing.
   */
  RecordExplanation awaited(SortedMap<Integer, Long> partitions) {
    awaited = partitions.isEmpty() ? null : partitions;
    return this;
  }

  /** Why the record was set aside, or null. */
  RecordExplanation setAside(String reason) {
    setAside = reason;
    return this;
  }

  /** Why its slot is empty although it was not set aside, or null. */
  RecordExplanation empty(String reason) {
    empty = reason;
    return this;
  }

  /** What became of the record. */
  public RecordOutcome outcome() {
    return fate;
  }

  /**
   * The round that has a slot of the record, or will have, or the last of the version that has;
   * null where there is none.
   */
  public Long round() {
    return round;
  }

  /** All of it; what does not apply is null. */
  public Section describe() {
    return Section.untitled()
        .fact("topic", position.topic())
        .fact("partition", position.partition())
        .fact("offset", position.offset())
        .fact("fate", fate)
        .fact("sentence", fate.sentence(), position + ": " + fate.sentence())
        .fact(
            "gone",
            gone,
            gone ? "the topic no longer holds it; what follows is what the ledger says" : "")
        .fact("model", model, model == null ? "" : "model     " + model)
        .fact("firstRound", firstRound)
        .fact("round", round, rounds())
        .fact("slotsMissing", slotsMissing, missing())
        .fact("awaited", awaited, waits())
        .fact(
            "ledgerSequence",
            entry == null ? null : (Long) entry.sequence(),
            entry == null ? "" : "ledger    entry " + entry.sequence() + ", offsets " + ranges())
        .fact("version", version, entry == null ? "" : "snapshot  " + published())
        .fact(
            "setAside",
            setAside,
            setAside == null
                ? ""
                : "dead letter: " + setAside
                    + (round != null ? ": its slot counts as a zero vector" : ""))
        .fact(
            "empty",
            empty,
            empty == null ? "" : "empty     " + empty + ": its slot counts as a zero vector")
        .fact("insideTheTrustBoundary", INSIDE, INSIDE);
  }

  private String rounds() {
    if (round == null) {
      return "";
    }
    return firstRound == null
        ? "round     " + round
        : "rounds    " + firstRound + " to " + round + ", one of them";
  }

  private String missing() {
    return slotsMissing == null
        ? ""
        : "missing   " + slotsMissing + (slotsMissing == 1 ? " slot" : " slots")
            + (fate == RecordOutcome.IN_OPEN_VERSION
                ? " until its version ends, at the latest"
                : " until that round can close");
  }

  private String waits() {
    return awaited == null
        ? ""
        : awaited.entrySet().stream()
            .map(each -> "waits for partition " + each.getKey() + ": "
                + (each.getValue() > 0
                    ? each.getValue() + " more offsets"
                    : "a record after its slice"))
            .collect(Collectors.joining(System.lineSeparator()));
  }

  private String published() {
    if (version == null) {
      return "no version that contains it is held: none was published yet, or they are gone";
    }
    return version.equals(round)
        ? "version " + version + " is the first that contains it"
        : "version " + version + " is the first held that contains it (rounds up to it are in it)";
  }

  private String ranges() {
    return entry.ranges().stream()
        .map(each -> each.partition() + ":[" + each.from() + ", " + each.to() + ")")
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }
}

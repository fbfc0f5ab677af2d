package dev.sotto.replay.verify;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.replay.verify.LedgerFields.Kind;
import dev.sotto.serdes.record.Codecs;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares what a replay gives with what was published, while it comes. Of each model the first difference is kept; where
 * several models share a ledger partition, entries of one that only follow differently upon those of another count as
 * equal.
 */
final class Comparison implements Outputs {
  private static final Set<Kind> ALL_BUT_CHAIN = EnumSet.complementOf(EnumSet.of(Kind.CHAIN));

  private final PublishedLedger ledger;
  private final PublishedVersions versions;
  private final PublishedMetrics metrics;
  private final VersionBytes replayed = new VersionBytes();
  private final Map<Integer, Long> entries = new HashMap<>();
  private final Set<Integer> broken = new HashSet<>();
  private final Map<String, Track> tracks = new TreeMap<>();

  Comparison(PublishedLedger ledger, PublishedVersions versions, PublishedMetrics metrics) {
    this.ledger = ledger;
    this.versions = versions;
    this.metrics = metrics;
    ledger.models().forEach(this::track);
  }

  /** What was found of one model. */
  static final class Track {
    long equal;
    long beyond;
    long equalVersions;
    long equalMetrics;
    First first;
    VersionBytes.Version version;

    /** The entry of the last round that came out; null before the first. */
    LedgerEntry last;
  }

  /**
   * The first difference of a model.
   *
   * @param what differs: ledger, snapshot or metrics
   * @param published the entry of the round; empty where the ledger has none
   * @param replayed the entry that came out
   * @param fields that differ; of a snapshot they are not known yet
   */
  record First(
      long round,
      String what,
      Optional<LedgerEntry> published,
      LedgerEntry replayed,
      List<FieldDifference> fields) {}

  /** All models that were published or came out, by id. */
  Map<String, Track> tracks() {
    return tracks;
  }

  private Track track(String modelId) {
    return tracks.computeIfAbsent(modelId, id -> new Track());
  }

  @Override
  public void ledger(int partition, String modelId, byte[] bytes) {
    LedgerEntry entry = Codecs.LEDGER.decode(bytes);
    long place = entries.merge(partition, 1L, Long::sum);
    Track track = track(modelId);
    track.last = entry;
    if (track.first != null) {
      return;
    }
    Optional<byte[]> published = ledger.bytes(modelId, entry.round());
    if (published.isEmpty()) {
      if (place > ledger.entries(partition)) {
        track.beyond++;
      } else {
        differs(partition, track, entry.round(), "ledger", Optional.empty(), List.of());
      }
    } else if (Arrays.equals(published.get(), bytes)) {
      track.equal++;
    } else {
      unequal(partition, track, published.get(), bytes);
    }
  }

  private void unequal(int partition, Track track, byte[] published, byte[] bytes) {
    LedgerEntry before = Codecs.LEDGER.decode(published);
    List<FieldDifference> fields =
        LedgerFields.differences(before, track.last, EnumSet.allOf(Kind.class));
    boolean chained =
        LedgerFields.differences(before, track.last, ALL_BUT_CHAIN).isEmpty() && !fields.isEmpty();
    if (chained && broken.contains(partition)) {
      track.equal++;
      return;
    }
    if (fields.isEmpty()) { // the same values in another form
      fields = List.of(
          new FieldDifference("bytes", LedgerFields.hex(published), LedgerFields.hex(bytes)));
    }
    differs(partition, track, before.round(), "ledger", Optional.of(before), fields);
  }

  private void differs(
      int partition,
      Track track,
      long round,
      String what,
      Optional<LedgerEntry> published,
      List<FieldDifference> fields) {
    broken.add(partition);
    track.equal = Math.min(track.equal, round - 1);
    track.first = new First(round, what, published, track.last, fields);
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    replayed.take(key, value).ifPresent(version -> compare(partition, version));
  }

  private void compare(int partition, VersionBytes.Version version) {
    String modelId = version.manifest().modelId();
    long number = version.manifest().version();
    Track track = track(modelId);
    Optional<byte[]> published = versions.hash(modelId, number);
    if (published.isEmpty()) {
      return;
    }
    if (Arrays.equals(published.get(), version.hash())) {
      track.equalVersions++;
      return;
    }
    if (track.first == null && !broken.contains(partition)) {
      differs(partition, track, number, "snapshot", ledger.entry(modelId, number), List.of());
    }
    if (track.first != null && track.version == null && number >= track.first.round()) {
      track.version = version.copy();
    }
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    long round = Codecs.METRICS.decode(value).noisy().lastRound();
    Track track = track(modelId);
    Optional<byte[]> published = metrics.bytes(modelId, round);
    if (published.isEmpty() || track.first != null) {
      return;
    }
    if (Arrays.equals(published.get(), value)) {
      track.equalMetrics++;
      return;
    }
    differs(
        partition,
        track,
        round,
        "metrics",
        ledger.entry(modelId, round),
        MetricsFields.differences(
            Codecs.METRICS.decode(published.get()).noisy(),
            Codecs.METRICS.decode(value).noisy()));
  }
}

package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.serdes.record.Codecs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares the output of a replay with what was published, as it arrives. Of each model the first
 * difference is kept. Where several models share a ledger partition, an entry that differs only in
 * its link to another model's entry counts as equal.
 */
final class OutputComparison implements OutputListener {
  private final PublishedLedger ledger;
  private final PublishedVersions versions;
  private final PublishedMetrics metrics;
  private final VersionBytes replayed = new VersionBytes();
  private final Map<Integer, Long> entries = new HashMap<>();
  private final Set<Integer> broken = new HashSet<>();
  private final Map<String, ModelComparison> byModel = new TreeMap<>();

  OutputComparison(PublishedLedger ledger, PublishedVersions versions, PublishedMetrics metrics) {
    this.ledger = ledger;
    this.versions = versions;
    this.metrics = metrics;
    ledger.models().forEach(this::model);
  }

  /** What was found of one model. */
  static final class ModelComparison {
    /** The last round of the equal entries before any other. */
    long equal;

    /** Rounds that the ledger does not have yet. */
    long beyond;

    long equalVersions;
    long equalMetrics;
    First first;
    VersionBytes.Version version;

    /** The entry of the last replayed version; null before the first. */
    LedgerEntry last;
  }

  /**
   * The first difference of a model.
   *
   * @param what differs: ledger, snapshot or metrics
   * @param published the entry of the round; empty where the ledger has none
   * @param replayed the replayed entry
   * @param fields that differ; of a snapshot they are not known yet
   */
  record First(
      long round,
      String what,
      Optional<LedgerEntry> published,
      LedgerEntry replayed,
      List<FieldDifference> fields) {}

  /** All models that were published or replayed, by id. */
  Map<String, ModelComparison> byModel() {
    return byModel;
  }

  private ModelComparison model(String modelId) {
    return byModel.computeIfAbsent(modelId, id -> new ModelComparison());
  }

  @Override
  public void ledger(int partition, String modelId, byte[] bytes) {
    LedgerEntry entry = Codecs.LEDGER.decode(bytes);
    long place = entries.merge(partition, 1L, Long::sum);
    ModelComparison model = model(modelId);
    model.last = entry;
    if (model.first != null) {
      return;
    }
    Optional<byte[]> published = ledger.paying(modelId, entry.round());
    if (published.isEmpty()) {
      if (place > ledger.entries(partition)) {
        model.beyond += entry.round() - entry.firstRound() + 1;
      } else {
        differs(
            partition, model, entry.round(), "ledger", Optional.empty(), List.of(notThere(entry)));
      }
    } else if (Arrays.equals(published.get(), bytes)) {
      model.equal = entry.round();
    } else {
      unequal(partition, model, published.get(), bytes);
    }
  }

  /** A round that the ledger does not have although it has later entries of its partition. */
  private FieldDifference notThere(LedgerEntry entry) {
    return ledger.rounds(entry.modelId()) == 0
        ? new FieldDifference("modelId", String.join(", ", ledger.models()), entry.modelId())
        : new FieldDifference("round", "", Long.toString(entry.round()));
  }

  private void unequal(int partition, ModelComparison model, byte[] published, byte[] bytes) {
    LedgerEntry before = Codecs.LEDGER.decode(published);
    List<FieldDifference> fields = LedgerFields.differences(before, model.last);
    boolean chained =
        LedgerFields.ownDifferences(before, model.last).isEmpty() && !fields.isEmpty();
    if (chained && broken.contains(partition)) {
      model.equal = model.last.round();
      return;
    }
    if (fields.isEmpty()) { // the same values in another form
      fields = List.of(
          new FieldDifference("bytes", LedgerFields.hex(published), LedgerFields.hex(bytes)));
    }
    differs(partition, model, before.round(), "ledger", Optional.of(before), fields);
  }

  private void differs(
      int partition,
      ModelComparison model,
      long round,
      String what,
      Optional<LedgerEntry> published,
      List<FieldDifference> fields) {
    broken.add(partition);
    model.equal = Math.min(model.equal, model.last.firstRound() - 1);
    model.first = new First(round, what, published, model.last, fields);
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    replayed.take(key, value).ifPresent(version -> compare(partition, version));
  }

  private void compare(int partition, VersionBytes.Version version) {
    String modelId = version.manifest().modelId();
    long number = version.manifest().version();
    ModelComparison model = model(modelId);
    Optional<byte[]> published = versions.hash(modelId, number);
    if (published.isEmpty()) {
      return;
    }
    if (Arrays.equals(published.get(), version.hash())) {
      model.equalVersions++;
      return;
    }
    if (model.first == null && !broken.contains(partition)) {
      differs(partition, model, number, "snapshot", ledger.entry(modelId, number), List.of());
    }
    if (model.first != null && model.version == null && number >= model.first.round()) {
      model.version = version.copy();
    }
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    long round = Codecs.METRICS.decode(value).noisy().lastRound();
    ModelComparison model = model(modelId);
    Optional<byte[]> published = metrics.bytes(modelId, round);
    if (published.isEmpty() || model.first != null) {
      return;
    }
    if (Arrays.equals(published.get(), value)) {
      model.equalMetrics++;
      return;
    }
    differs(
        partition,
        model,
        round,
        "metrics",
        ledger.entry(modelId, round),
        OutputFields.differences(
            Codecs.METRICS.decode(published.get()).noisy(),
            Codecs.METRICS.decode(value).noisy()));
  }
}

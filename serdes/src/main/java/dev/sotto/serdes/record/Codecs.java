package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.VersionState;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.avro.SingleObject;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The codec of every record that is stored or published whole; slots and examples have their own.
 */
public final class Codecs {
  public static final RecordCodec<LedgerEntry> LEDGER = codec(
          "LedgerEntry", Codecs::write, Codecs::ledgerEntry)
      .asBefore(entry -> entry.terms().candidates() == 1);

  public static final RecordCodec<ModelSnapshot> SNAPSHOT =
      codec("ModelSnapshot", Codecs::write, Codecs::modelSnapshot);

  public static final RecordCodec<WeightsChunk> CHUNK = codec(
      "WeightsChunk",
      (chunk, to) -> to.put("modelId", chunk.modelId())
          .put("version", chunk.version())
          .put("index", chunk.index())
          .put("weights", chunk.weights()),
      from -> new WeightsChunk(
          from.text("modelId"),
          from.number("version"),
          from.integer("index"),
          from.bytes("weights")));

  public static final RecordCodec<PartitionHead> PARTITION_HEAD = codec(
      "PartitionHead",
      (head, to) -> to.put("position", head.position())
          .put("origin", head.origin())
          .put("nullSlots", head.nullSlots())
          .put("ledgerSequence", head.ledgerSequence())
          .put("ledgerHash", head.ledgerHash())
          .put("topicId", head.topicId())
          .put("routing", head.routing())
          .put("lettersFrom", head.lettersFrom())
          .put("handedTo", head.handedTo())
          .put("semantics", head.semantics())
          .put("eventTopicId", head.eventTopicId())
          .put("lettersAnnounced", head.lettersAnnounced())
          .put("orderNext", head.order() == null ? -1L : head.order().next())
          .put("orderAt", head.order() == null ? 0L : head.order().at())
          .putReached(
              "orderPartitions", head.order() == null ? List.of() : head.order().partitions()),
      from -> new PartitionHead(
          from.number("position"),
          from.number("origin"),
          from.number("nullSlots"),
          from.number("ledgerSequence"),
          from.bytes("ledgerHash"),
          from.text("topicId"),
          from.text("routing"),
          from.number("lettersFrom"),
          from.number("handedTo"),
          from.integer("semantics"),
          from.text("eventTopicId"),
          from.number("lettersAnnounced"),
          from.number("orderNext") < 0
              ? null
              : new OrderPlace(
                  from.number("orderNext"),
                  from.number("orderAt"),
                  from.reached("orderPartitions"))));

  public static final RecordCodec<Announcement> ANNOUNCEMENT = codec(
      "Announcement",
      (announced, to) -> to.put("partition", announced.partition())
          .put("begin", announced.begin())
          .put("end", announced.end()),
      from ->
          new Announcement(from.integer("partition"), from.number("begin"), from.number("end")));

  public static final RecordCodec<ModelHead> MODEL_HEAD = codec(
      "ModelHead",
      (head, to) -> to.put("runId", head.runId())
          .put("fingerprint", head.fingerprint())
          .put("keyId", head.keyId())
          .put("round", head.round())
          .put("openedRound", head.openedRound())
          .put("openedKeyId", head.openedKeyId()),
      from -> new ModelHead(
          from.bytes("runId"),
          from.bytes("fingerprint"),
          from.text("keyId"),
          from.number("round"),
          from.number("openedRound"),
          from.text("openedKeyId")));

  public static final RecordCodec<StateIndex> STATE_INDEX = codec(
          "StateIndex",
          (StateIndex index, RecordFields to) -> {
            to.put("position", index.position())
                .put("ledgerSequence", index.ledgerSequence())
                .put("round", index.round())
                .put("before", index.before())
                .put("generation", index.generation())
                .put("digest", index.digest())
                .put("versionRound", index.version().firstRound())
                .put("versionOffset", index.versionOffset())
                .put("versionKeyId", index.version().keyId())
                .put("windowRound", index.version().windowRound())
                .put("since", index.version().since())
                .put("time", index.version().time())
                .putArrays("arrays", index.arrays());
            to.put("compact", index.compact());
            if (index.checksums()) {
              to.put("checksums", true);
            }
          },
          from -> new StateIndex(
              from.number("position"),
              from.number("ledgerSequence"),
              from.number("round"),
              from.number("before"),
              from.integer("generation"),
              from.bytes("digest"),
              new VersionState(
                  from.number("versionRound"),
                  from.number("windowRound"),
                  from.text("versionKeyId"),
                  from.number("since"),
                  from.number("time")),
              from.number("versionOffset"),
              from.flag("compact"),
              from.flag("checksums"),
              from.arrays("arrays")))
      .asBefore(index -> !index.checksums());

  public static final RecordCodec<OpenRound> OPEN_ROUND = codec(
      "OpenRound",
      (open, to) -> to.put("round", open.round())
          .put("position", open.position())
          .put("firstOffset", open.firstOffset())
          .put("skipped", open.skipped())
          .put("since", open.since())
          .put("time", open.time())
          .put("sealed", open.sealed())
          .put("pages", open.pages()),
      from -> new OpenRound(
          from.number("round"),
          from.number("position"),
          from.number("firstOffset"),
          from.number("skipped"),
          from.number("since"),
          from.number("time"),
          from.bytes("sealed"),
          from.bytes("pages")));

  public static final RecordCodec<StartingModel> STARTING_MODEL = codec(
      "StartingModel",
      (start, to) -> to.put("source", start.source())
          .put("manifest", SNAPSHOT.encode(start.manifest()))
          .put("weights", PackedDoubles.pack(start.weights()))
          .put("entry", LEDGER.encode(start.entry()))
          .put("newest", LEDGER.encode(start.newest()))
          .put("newRecords", start.records().newOnly())
          .put("eventTopicId", start.records().eventTopicId())
          .putRanges("learned", start.records().learned())
          .put("entries", start.records().entries()),
      from -> new StartingModel(
          from.text("source"),
          SNAPSHOT.decode(from.bytes("manifest")),
          PackedDoubles.unpack(from.bytes("weights")),
          LEDGER.decode(from.bytes("entry")),
          LEDGER.decode(from.bytes("newest")),
          new StartingModel.Records(
              from.flag("newRecords"),
              from.text("eventTopicId"),
              from.ranges("learned"),
              from.number("entries"))));

  public static final RecordCodec<ModelMetrics> METRICS = codec(
      "ModelMetrics",
      (metrics, to) -> to.put("modelId", metrics.modelId())
          .put("runId", metrics.runId())
          .put("firstRound", metrics.noisy().firstRound())
          .put("lastRound", metrics.noisy().lastRound())
          .put("slots", metrics.noisy().slots())
          .put("lossBound", metrics.noisy().lossBound())
          .put("noiseStd", metrics.noisy().noiseStd())
          .putSums(metrics.noisy().sums())
          .put("fingerprint", metrics.fingerprint()),
      from -> new ModelMetrics(
          from.text("modelId"),
          from.bytes("runId"),
          new NoisyMetrics(
              from.number("firstRound"),
              from.number("lastRound"),
              from.number("slots"),
              from.real("lossBound"),
              from.sums(),
              from.real("noiseStd")),
          from.bytes("fingerprint")));

  private Codecs() {}

  private static <T> RecordCodec<T> codec(
      String name, BiConsumer<T, RecordFields> writer, Function<RecordFields, T> reader) {
    return new RecordCodec<>(SingleObject.of(name), writer, reader);
  }

  private static void write(LedgerEntry entry, RecordFields to) {
    to.put("sequence", entry.sequence())
        .put("previousHash", entry.previousHash())
        .put("modelId", entry.modelId())
        .put("runId", entry.runId())
        .put("generation", entry.generation())
        .put("firstRound", entry.firstRound())
        .put("round", entry.round())
        .put("algorithm", entry.algorithm())
        .put("clip", entry.clip())
        .put("sensitivity", entry.sensitivity())
        .put("sigma", entry.sigma())
        .put("matrixSensitivity", entry.matrixSensitivity())
        .putGuarantee("guarantee", entry.guarantee())
        .putBound("budgetEpsilon", entry.budgetEpsilon())
        .putBound("epsilonLeft", entry.epsilonLeft())
        .put("last", entry.last())
        .put("slots", entry.slots())
        .put("origin", entry.origin())
        .putRanges("ranges", entry.ranges())
        .put("snapshotDigest", entry.snapshotDigest())
        .put("fingerprint", entry.fingerprint())
        .put("keyId", entry.keyId())
        .put("semantics", entry.semantics())
        .put("mechanismParameters", entry.terms().mechanismParameters())
        .put("participation", entry.terms().participation())
        .put("generations", entry.terms().generations())
        .put("metricsRatio", entry.terms().metricsRatio())
        .put("accountant", entry.terms().accountant())
        .put("spentMu", entry.terms().spentMu())
        .put("batch", entry.terms().batch())
        .put("earlierMu", entry.terms().earlierMu());
    if (entry.terms().candidates() > 1) {
      to.put("candidates", entry.terms().candidates());
    }
  }

  private static LedgerEntry ledgerEntry(RecordFields from) {
    long firstRound = from.number("firstRound");
    return new LedgerEntry(
        from.number("sequence"),
        from.bytes("previousHash"),
        from.text("modelId"),
        from.bytes("runId"),
        from.integer("generation"),
        firstRound > 0 ? firstRound : from.number("round"), // earlier entries paid for one round
        from.number("round"),
        from.text("algorithm"),
        from.real("clip"),
        from.real("sensitivity"),
        from.real("sigma"),
        from.real("matrixSensitivity"),
        from.guarantee("guarantee"),
        from.bound("budgetEpsilon"),
        from.bound("epsilonLeft"),
        from.flag("last"),
        from.number("slots"),
        from.number("origin"),
        from.ranges("ranges"),
        from.bytes("snapshotDigest"),
        from.bytes("fingerprint"),
        from.text("keyId"),
        from.integer("semantics"),
        new LedgerEntry.Terms(
            from.text("mechanismParameters"),
            from.text("participation"),
            from.text("generations"),
            from.real("metricsRatio"),
            from.text("accountant"),
            from.real("spentMu"),
            from.number("batch"),
            from.real("earlierMu"),
            from.integer("candidates")));
  }

  private static void write(ModelSnapshot snapshot, RecordFields to) {
    to.put("modelId", snapshot.modelId())
        .put("runId", snapshot.runId())
        .put("generation", snapshot.generation())
        .put("version", snapshot.version())
        .put("dimension", snapshot.dimension())
        .put("chunks", snapshot.chunks())
        .put("digest", snapshot.digest())
        .put("features", snapshot.features())
        .put("loss", snapshot.loss())
        .put("algorithm", snapshot.algorithm())
        .put("last", snapshot.last())
        .putGuarantee("guarantee", snapshot.guarantee())
        .put("fingerprint", snapshot.fingerprint())
        .putRanges("ranges", snapshot.ranges())
        .put("ledgerHash", snapshot.ledgerHash());
  }

  private static ModelSnapshot modelSnapshot(RecordFields from) {
    return new ModelSnapshot(
        from.text("modelId"),
        from.bytes("runId"),
        from.integer("generation"),
        from.number("version"),
        from.integer("dimension"),
        from.integer("chunks"),
        from.bytes("digest"),
        from.text("features"),
        from.text("loss"),
        from.text("algorithm"),
        from.flag("last"),
        from.guarantee("guarantee"),
        from.bytes("fingerprint"),
        from.ranges("ranges"),
        from.bytes("ledgerHash"));
  }
}

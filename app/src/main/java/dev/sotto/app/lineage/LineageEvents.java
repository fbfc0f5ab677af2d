package dev.sotto.app.lineage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * From entries of the ledger to events of OpenLineage (specification 2-0-2; docs/lineage.md). Takes
 * each partition from its beginning, in order, and follows its chain. An event holds what its entry
 * publishes, the time at which that was published, and names of topics; nothing else.
 *
 * <p>A run of a model is a run of its job. The first entry of a run gives START, every entry
 * RUNNING, and the last that the budget allows COMPLETE. Where another run of the model begins, the
 * one before gets its COMPLETE.
 */
final class LineageEvents {
  private static final String SPEC = "https://openlineage.io/spec/";
  private static final String CORE = SPEC + "2-0-2/OpenLineage.json#/$defs/";
  private static final HexFormat HEX = HexFormat.of();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final LineageNames names;
  private final Map<Integer, LedgerPlace> chain = new HashMap<>();
  private final Map<String, LedgerEntry> newest = new HashMap<>();

  LineageEvents(LineageNames names) {
    this.names = names;
  }

  /**
   * The events of the next entry of a partition.
   *
   * @throws SottoException where it is no entry, or not the one that follows
   */
  EntryEvents of(ConsumerRecord<byte[], byte[]> record) {
    LedgerEntry entry = entry(record);
    LedgerPlace place = follow(record, entry);
    LedgerEntry before = newest.put(entry.modelId(), entry);
    boolean first = before == null || !Arrays.equals(before.runId(), entry.runId());
    String time = Instant.ofEpochMilli(record.timestamp()).toString();
    List<String> all = new ArrayList<>();
    if (before != null && first && !before.last()) {
      all.add(text(event("COMPLETE", time, before)));
    }
    if (first) {
      ObjectNode start = event("START", time, entry);
      inputs(start, List.of());
      outputs(start);
      all.add(text(start));
    }
    ObjectNode version = event(entry.last() ? "COMPLETE" : "RUNNING", time, entry);
    inputs(version, entry.ranges());
    ObjectNode model = outputs(version);
    version(model, entry);
    privacy(version, entry);
    runFacets(version)
        .withObject("/" + LineagePlaces.FACET)
        .put("partition", place.partition())
        .put("sequence", place.sequence())
        .put("hash", place.hash());
    all.add(text(version));
    return new EntryEvents(place, names.namespace() + "/" + job(entry), all);
  }

  private static LedgerEntry entry(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() != null) {
        return Codecs.LEDGER.decode(record.value());
      }
    } catch (UnreadableRecordException unreadable) {
      throw broken(record, unreadable.getMessage());
    }
    throw broken(record, "there is no entry, but a deletion mark");
  }

  private LedgerPlace follow(ConsumerRecord<byte[], byte[]> record, LedgerEntry entry) {
    LedgerPlace before = chain.get(record.partition());
    String hash = before == null ? HEX.formatHex(Sha256.none()) : before.hash();
    if (entry.sequence() != (before == null ? 0 : before.sequence()) + 1
        || !HEX.formatHex(entry.previousHash()).equals(hash)) {
      throw broken(
          record,
          "entry " + entry.sequence() + " does not follow "
              + (before == null ? "the beginning" : "entry " + before.sequence()));
    }
    LedgerPlace place = new LedgerPlace(
        record.partition(), entry.sequence(), HEX.formatHex(Sha256.sha256(record.value())));
    chain.put(record.partition(), place);
    return place;
  }

  private static SottoException broken(ConsumerRecord<byte[], byte[]> record, String what) {
    return new SottoException(
        FailureKind.UNVERIFIED,
        "the chain of topic " + record.topic() + " does not hold at partition " + record.partition()
            + ", offset " + record.offset() + ": " + what
            + "; ./sotto ledger checks all of it");
  }

  private String job(LedgerEntry entry) {
    return names.app() + "." + entry.modelId();
  }

  /** The id of a run as the ledger has it, with the bits of a UUID of version 8. */
  static UUID runId(byte[] runId) {
    ByteBuffer bits = ByteBuffer.wrap(runId);
    long high = bits.getLong() & ~0xF000L | 0x8000L;
    long low = bits.getLong() & ~(3L << 62) | 2L << 62;
    return new UUID(high, low);
  }

  private ObjectNode event(String type, String time, LedgerEntry entry) {
    ObjectNode event = JSON.createObjectNode();
    event.put("eventType", type);
    event.put("eventTime", time);
    event.put("producer", producer());
    event.put("schemaURL", CORE + "RunEvent");
    ObjectNode run = event.putObject("run");
    run.put("runId", runId(entry.runId()).toString());
    ObjectNode facets = run.putObject("facets");
    facet(facets, LineagePlaces.FACET, CORE + "RunFacet").put("topic", names.ledger());
    ObjectNode engine = facet(
        facets,
        "processing_engine",
        SPEC + "facets/1-1-1/ProcessingEngineRunFacet.json#/$defs/ProcessingEngineRunFacet");
    engine.put("name", "sotto").put("version", names.version());
    ObjectNode job = event.putObject("job");
    job.put("namespace", names.namespace()).put("name", job(entry));
    ObjectNode kind = facet(
        job.putObject("facets"),
        "jobType",
        SPEC + "facets/2-0-3/JobTypeJobFacet.json#/$defs/JobTypeJobFacet");
    kind.put("processingType", "STREAMING").put("integration", "SOTTO").put("jobType", "MODEL");
    return event;
  }

  private void inputs(ObjectNode event, List<OffsetRange> ranges) {
    ArrayNode inputs = event.putArray("inputs");
    ObjectNode slots = dataset(inputs, names.slots());
    if (!ranges.isEmpty()) {
      ArrayNode partitions = facet(
              slots.putObject("inputFacets"), "sotto_offsets", CORE + "InputDatasetFacet")
          .putArray("partitions");
      ranges.forEach(each -> partitions
          .addObject()
          .put("partition", each.partition())
          .put("from", each.from())
          .put("to", each.to()));
    }
    names.sources().forEach(each -> dataset(inputs, each));
  }

  private ObjectNode outputs(ObjectNode event) {
    return dataset(event.putArray("outputs"), names.snapshots());
  }

  private ObjectNode dataset(ArrayNode into, String topic) {
    return into.addObject().put("namespace", names.cluster()).put("name", topic);
  }

  private void version(ObjectNode model, LedgerEntry entry) {
    facet(
            model.putObject("facets"),
            "version",
            SPEC + "facets/1-0-1/DatasetVersionDatasetFacet.json#/$defs/DatasetVersionDatasetFacet")
        .put("datasetVersion", entry.modelId() + "@" + entry.round());
    facet(model.putObject("outputFacets"), "sotto_model", CORE + "OutputDatasetFacet")
        .put("model", entry.modelId())
        .put("version", entry.round())
        .put("firstRound", entry.firstRound())
        .put("slots", entry.slots())
        .put("algorithm", entry.algorithm())
        .put("digest", HEX.formatHex(entry.snapshotDigest()))
        .put("fingerprint", HEX.formatHex(entry.fingerprint()));
  }

  private void privacy(ObjectNode event, LedgerEntry entry) {
    Guarantee guarantee = entry.guarantee();
    ObjectNode privacy = facet(runFacets(event), "sotto_privacy", CORE + "RunFacet");
    privacy.put("unit", guarantee.unit().configName());
    privacy.put("adjacency", guarantee.adjacency().configName());
    privacy.put("mechanism", guarantee.mechanism());
    figure(privacy, "mu", guarantee.mu());
    figure(privacy, "epsilon", guarantee.epsilon());
    figure(privacy, "delta", guarantee.delta());
    figure(privacy, "muLimit", guarantee.muLimit());
    figure(privacy, "epsilonLimit", guarantee.epsilonLimit());
    figure(privacy, "budgetEpsilon", entry.budgetEpsilon());
    figure(privacy, "epsilonLeft", entry.epsilonLeft());
    privacy.put("last", entry.last());
  }

  /** JSON has no infinity: null stands for it. */
  private static void figure(ObjectNode into, String name, double value) {
    if (Double.isFinite(value)) {
      into.put(name, value);
    } else {
      into.putNull(name);
    }
  }

  private static ObjectNode runFacets(ObjectNode event) {
    return (ObjectNode) event.get("run").get("facets");
  }

  private ObjectNode facet(ObjectNode into, String name, String schema) {
    return into.putObject(name).put("_producer", producer()).put("_schemaURL", schema);
  }

  private String producer() {
    return LineagePlaces.PRODUCER + names.version();
  }

  private static String text(ObjectNode event) {
    try {
      return JSON.writeValueAsString(event);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}

package dev.sotto.serdes.record;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import java.util.List;

/**
 * The codec of every record that is stored or published whole; slots and examples have their own.
 */
public final class Codecs {
  public static final RecordCodec<LedgerEntry> LEDGER = RecordCodec.of(LedgerEntry.class)
      .asBefore(entry -> entry.terms().rangeWindow().isEmpty());

  public static final RecordCodec<ModelSnapshot> SNAPSHOT = RecordCodec.of(ModelSnapshot.class);

  public static final RecordCodec<WeightsChunk> CHUNK = RecordCodec.of(WeightsChunk.class);

  public static final RecordCodec<ModelAlias> ALIAS = RecordCodec.of(ModelAlias.class);

  public static final RecordCodec<PartitionHead> PARTITION_HEAD = RecordCodec.of(
      PartitionHead.class,
      new RecordMapping.Names()
          .field("order.nextAnnouncement", "orderNext")
          .field("order.at", "orderAt")
          .field("order.partitions", "orderPartitions")
          .absent(
              "order",
              OrderPlace.class,
              new OrderPlace(-1, 0, List.of()),
              place -> place.nextAnnouncement() < 0));

  public static final RecordCodec<Announcement> ANNOUNCEMENT = RecordCodec.of(Announcement.class);

  public static final RecordCodec<ModelHead> MODEL_HEAD = RecordCodec.of(ModelHead.class);

  public static final RecordCodec<StateIndex> STATE_INDEX = RecordCodec.of(
      StateIndex.class,
      new RecordMapping.Names()
          .field("version.firstRound", "versionRound")
          .field("version.keyId", "versionKeyId"));

  public static final RecordCodec<OpenRound> OPEN_ROUND = RecordCodec.of(OpenRound.class);

  public static final RecordCodec<StartingModel> STARTING_MODEL = RecordCodec.of(
      StartingModel.class,
      new RecordMapping.Names()
          .field("records.newOnly", "newRecords")
          .encoded(ModelSnapshot.class, SNAPSHOT)
          .encoded(LedgerEntry.class, LEDGER));

  public static final RecordCodec<ModelMetrics> METRICS = RecordCodec.of(
      ModelMetrics.class, new RecordMapping.Names().part("noisy.sums", new MetricSums()));

  private Codecs() {}
}

package dev.sotto.evaluation.volume;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionState;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.record.OpenRound;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.serdes.record.StateIndex;
import dev.sotto.serdes.record.StoredArray;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelMemory;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Bytes of the records that one version of a model leaves: records with the settings of the plan
 * and large positions are written by the serializers that the learner uses.
 */
final class RecordBytes {
  /** Weights in one record of the snapshots. */
  static final int CHUNK_WEIGHTS = 65_536;

  /** What a producer collects before it sends: larger records travel alone. */
  private static final long BATCHED = 16_384;

  /** A position far into a stream: its digits are those of a trillion. */
  private static final long FAR = 1L << 40;

  /** A topic's id as text. */
  private static final String TOPIC_ID = "x".repeat(22);

  /** Of a model whose id comes with the events. */
  private static final String ANY_ID = "x".repeat(16);

  private static final int ANY_PARTITION = 100;

  private static final byte[] HASH = new byte[32];
  private static final byte[] RUN = new byte[16];

  private final LearnerSettings settings;
  private final Plan plan;
  private final String model;
  private final List<OffsetRange> ranges;
  private final int partitions;
  private final long rounds;

  /** Of a learner, after a year under its load. */
  static RecordBytes of(VolumeScenario scenario) {
    double year =
        365 * VolumeScenario.DAY * scenario.modelRate() / scenario.plan().batch();
    return new RecordBytes(
        scenario.learner(), scenario.load().partitions(), (long) Math.max(1, year));
  }

  /**
   * Of a learner.
   *
   * @param partitions of the event topic
   * @param rounds after which sizes are asked for; they grow little with it
   */
  RecordBytes(LearnerSettings settings, int partitions, long rounds) {
    this.settings = settings;
    this.plan = settings.largestPlan();
    this.rounds = rounds;
    this.model = settings.modelIds().idAt(ANY_PARTITION).orElse(ANY_ID);
    this.partitions = partitions;
    int held = settings.layout().spansPartitions() ? partitions : 1;
    this.ranges = Collections.nCopies(held, new OffsetRange(partitions, FAR, 2 * FAR));
  }

  /** The value of a ledger entry. */
  long entryValue() {
    return Codecs.LEDGER.encode(new LedgerEntry(
            FAR,
            HASH,
            model,
            RUN,
            100,
            FAR,
            2 * FAR,
            plan.algorithm(),
            plan.clip(),
            plan.sensitivity(),
            plan.sigma(),
            1,
            plan.guarantee(1),
            plan.budget().epsilon(),
            1,
            false,
            FAR,
            FAR,
            ranges,
            HASH,
            HASH,
            settings.key().id(),
            Releaser.SEMANTICS,
            plan.terms()))
        .length;
  }

  /** A ledger entry in its log, without the marker. */
  long entry() {
    return LogBytes.BATCH
        + LogBytes.record(
            model, entryValue(), Names.EVENT_TOPIC_ID, TOPIC_ID, Names.RANGES_TOPIC_ID, TOPIC_ID);
  }

  /** The value of a snapshot's manifest. */
  long manifestValue() {
    return Codecs.SNAPSHOT.encode(new ModelSnapshot(
            model,
            RUN,
            100,
            FAR,
            plan.dimension(),
            chunks(),
            HASH,
            features(),
            plan.lossName(),
            plan.algorithm(),
            false,
            plan.guarantee(1),
            HASH,
            ranges,
            HASH))
        .length;
  }

  /** The feature map, with ranges of as many digits as they may have. */
  private String features() {
    NumberRange longest = NumberRange.of(-0x1.fffffffffffffp-40, 0x1.fffffffffffffp-40);
    return plan.ranges()
        .measuring()
        .map(window -> FeatureMapText.measured(
            plan.features(),
            window,
            plan.batch(),
            Collections.nCopies(plan.ranges().numbers().ranges(), longest)))
        .orElse(plan.features());
  }

  /** The value of a snapshot's chunk. */
  long chunkValue(int weights) {
    return Codecs.CHUNK.encode(
            new WeightsChunk(model, FAR, chunks(), new byte[Double.BYTES * weights]))
        .length;
  }

  int chunks() {
    return (plan.dimension() - 1) / CHUNK_WEIGHTS + 1;
  }

  /** A snapshot in its log, without the marker. */
  long snapshot() {
    int last = plan.dimension() - (chunks() - 1) * CHUNK_WEIGHTS;
    long whole = chunks() == 1 ? 0 : LogBytes.record(model + "/00", chunkValue(CHUNK_WEIGHTS));
    long records = (chunks() - 1) * whole
        + LogBytes.record(model + "/0", chunkValue(last))
        + LogBytes.record(model + "/manifest", manifestValue());
    return records + LogBytes.BATCH * (records <= BATCHED ? 1 : chunks() + 1);
  }

  /** The metrics of one window in their log, without the marker; 0 where there are none. */
  long metrics() {
    if (plan.metrics() == null) {
      return 0;
    }
    NoisyMetrics sums =
        new NoisyMetrics(FAR, 2 * FAR, FAR, 1, new double[plan.metrics().figures()], 1);
    long value = Codecs.METRICS.encode(new ModelMetrics(model, RUN, sums, HASH)).length;
    return LogBytes.BATCH + LogBytes.record(model, value);
  }

  /** {@link StateBytes} of the model. */
  StateBytes state() {
    return StateBytes.of(plan, rounds);
  }

  /** The pages of a model's state in their changelog, without the marker. */
  long statePages() {
    return sumPages() + noisePages();
  }

  /** Those of what the mechanism keeps. */
  long noisePages() {
    return pages(state().noise());
  }

  /** All others. */
  long sumPages() {
    StateBytes state = state();
    return pages(state.prefix())
        + pages(state.window())
        + pages(state.iterates())
        + pages(state.refused());
  }

  /** The pages of an open round's exact sum at a checkpoint, at most. */
  long openPages() {
    return pages((long) Double.BYTES * plan.dimension() * points())
        + LogBytes.BATCH
        + LogBytes.record("open-mark/" + model, HASH.length);
  }

  /** What leads from noise that is not written again to the state's round. */
  long redrawnPages() {
    return pages(Long.BYTES + (long) HASH.length * (ModelMemory.REDRAWN_ROUNDS + 1));
  }

  /** The same pages once they are removed, with their mark. */
  long openRemoved() {
    long each = LogBytes.BATCH + LogBytes.record("open-mark/" + model, 0);
    return each * (pageCount((long) Double.BYTES * plan.dimension() * points()) + 1);
  }

  private int points() {
    return plan.block().sampling().points();
  }

  private long pages(long bytes) {
    long count = pageCount(bytes);
    return count == 0
        ? 0
        : bytes + count * (LogBytes.BATCH + LogBytes.record("iterates/00/" + model, 0) + SEAL);
  }

  /** A page is encrypted, with what that takes, and the length of its record has digits. */
  private static final long SEAL = 64;

  private static long pageCount(long bytes) {
    return bytes == 0 ? 0 : (bytes - 1) / PagedBytes.PAGE_BYTES + 1;
  }

  /** The index of a state's pages in the changelog of the heads. */
  long index() {
    StateBytes state = state();
    List<StoredArray> arrays = new ArrayList<>();
    array("prefix", state.prefix(), arrays);
    array("noise", state.noise(), arrays);
    array("window", state.window(), arrays);
    array("iterates", state.iterates(), arrays);
    array("refused", state.refused(), arrays);
    VersionState version = new VersionState(FAR, FAR, settings.key().id(), FAR, FAR);
    StateIndex index = new StateIndex(FAR, FAR, FAR, FAR, 100, HASH, version, FAR, true, arrays);
    return LogBytes.BATCH
        + LogBytes.record("state/" + model, Codecs.STATE_INDEX.encode(index).length);
  }

  private static void array(String name, long bytes, List<StoredArray> into) {
    if (bytes > 0) {
      int hashes = HASH.length * Math.toIntExact(pageCount(bytes));
      into.add(new StoredArray(name, bytes, new byte[hashes]));
    }
  }

  /** The value of a partition's head. */
  long partitionHeadValue() {
    boolean ordered = settings.layout().keepsOrder();
    PartitionHead partition = new PartitionHead(
        FAR,
        FAR,
        FAR,
        FAR,
        HASH,
        TOPIC_ID,
        settings.modelIds().describe(partitions),
        FAR,
        FAR,
        Releaser.SEMANTICS,
        ordered ? TOPIC_ID : "",
        ordered ? FAR : -1,
        ordered ? place() : null);
    return Codecs.PARTITION_HEAD.encode(partition).length;
  }

  /** The heads of partition and model in the changelog of the heads. */
  long heads() {
    ModelHead head =
        new ModelHead(RUN, HASH, settings.key().id(), FAR, FAR, settings.key().id());
    return 2 * LogBytes.BATCH
        + LogBytes.record("partition", partitionHeadValue())
        + LogBytes.record("model/" + model, Codecs.MODEL_HEAD.encode(head).length);
  }

  /** A place in the order of all partitions, with a version open in each. */
  private OrderPlace place() {
    List<OrderPlace.Reached> reached = new ArrayList<>();
    for (OffsetRange each : ranges) {
      reached.add(new OrderPlace.Reached(each.partition(), each.from(), each.to()));
    }
    return new OrderPlace(FAR, FAR, reached);
  }

  /** What of an open round lies in the changelog of the heads. */
  long openRound() {
    long pages = pageCount((long) Double.BYTES * plan.dimension());
    byte[] stored = new byte[(int) (pages / Byte.SIZE + 1)];
    OpenRound open = new OpenRound(FAR, FAR, FAR, FAR, FAR, FAR, new byte[4 * HASH.length], stored);
    return LogBytes.BATCH + LogBytes.record("open/" + model, Codecs.OPEN_ROUND.encode(open).length);
  }

  /** The history of a unit, with its name, in the changelog of the units; 0 where none is kept. */
  long history() {
    return plan.account()
        .admission()
        .map(rule -> LogBytes.record(UNIT_NAME, rule.admit(null, 1).length))
        .orElse(0L);
  }

  /** 128 bits as text. */
  private static final String UNIT_NAME = "x".repeat(22);
}

package dev.sotto.topology.log;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.GradientQuery;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The records of the control topic of the rounds layout. Each carries its logical time in a header:
 * the opening of round r at 4r, its closing at 4r + 2; events of its slice lie between them at 4r +
 * 1. Keys come round again every few rounds, so that compaction keeps the newest.
 */
public final class ControlRecords {
  /** Rounds that compaction keeps at least; a worker that starts needs three. */
  private static final int KEPT = 8;

  private static final int PIECE = 64 * 1024; // doubles: 512 KiB
  private static final String TIME = "time";
  private static final String GENESIS = "genesis";

  /** One record to be written to every partition. */
  public record Entry(byte[] key, byte[] value, Headers headers) {}

  private ControlRecords() {}

  static long openTime(long round) {
    return 4 * round;
  }

  public static long eventTime(long round) {
    return 4 * round + 1;
  }

  static long closeTime(long round) {
    return 4 * round + 2;
  }

  /** The logical time of a record. */
  public static long time(Headers headers) {
    Header header = headers.lastHeader(TIME);
    return header == null ? 0 : ByteBuffer.wrap(header.value()).getLong();
  }

  /** The round that a record closes, or 0 where it closes none. */
  public static long closes(Headers headers) {
    long time = time(headers);
    return time % 4 == 2 ? time / 4 : 0;
  }

  public static boolean isGenesis(byte[] key) {
    return GENESIS.equals(new String(key, StandardCharsets.UTF_8));
  }

  /** The opening of a round, in pieces, and its closing. */
  public static List<Entry> round(GradientQuery query, String keyId, TopicCipher cipher) {
    long round = query.round();
    double[] point = withRanges(query);
    List<Entry> entries = new ArrayList<>();
    int pieces = Math.max(1, (point.length + PIECE - 1) / PIECE);
    for (int i = 0; i < pieces; i++) {
      int from = i * PIECE;
      byte[] weights = PackedDoubles.pack(point, from, Math.min(PIECE, point.length - from));
      byte[] value = RoundCodecs.POINT.encode(new RoundPoint(round, keyId, i, pieces, weights));
      entries.add(new Entry(
          key("open/" + round % KEPT + "/" + i), cipher.seal(value), at(openTime(round))));
    }
    entries.add(new Entry(key("close/" + round % KEPT), new byte[0], at(closeTime(round))));
    return entries;
  }

  /** What workers need of a query: its point, and behind it the ranges of numbers. */
  private static double[] withRanges(GradientQuery query) {
    double[] point = query.point();
    double[] ranges = NumberRange.pack(query.ranges());
    if (ranges.length == 0) {
      return point;
    }
    double[] all = Arrays.copyOf(point, point.length + ranges.length);
    System.arraycopy(ranges, 0, all, point.length, ranges.length);
    return all;
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Headers at(long time) {
    return new RecordHeaders()
        .add(TIME, ByteBuffer.allocate(Long.BYTES).putLong(time).array());
  }

  /** What is opened before any round is closed: as many rounds as the lag bears, and the budget. */
  public static List<Entry> openings(Plan plan, String keyId, TopicCipher cipher) {
    double[] start = plan.optimizer().start(plan.start()).point();
    List<Entry> entries = new ArrayList<>();
    for (long round = 1; round <= 1 + plan.lag() && plan.allows(round); round++) {
      GradientQuery query =
          GradientQuery.of(plan, round, start, new double[0]).with(plan.ranges().beginning());
      entries.addAll(round(query, keyId, cipher));
    }
    return entries;
  }

  /** The beginning of a model whose first slices are known. */
  public static RoundGenesis genesis(
      LearnerSettings settings, String eventTopicId, List<OffsetRange> firstSlices) {
    return genesis(settings, eventTopicId, firstSlices, settings.key());
  }

  /**
   * The same of a model that began under a certain noise key.
   *
   * @param origin the settings' key, or one of its earlier ones
   */
  public static RoundGenesis genesis(
      LearnerSettings settings,
      String eventTopicId,
      List<OffsetRange> firstSlices,
      NoiseKey origin) {
    byte[] fingerprint = settings.plan().fingerprint();
    return new RoundGenesis(
        eventTopicId,
        firstSlices,
        origin.runId(settings.modelIds().name(), fingerprint, settings.runName()),
        fingerprint,
        origin.id());
  }

  /**
   * The first records of every control partition: the beginning, and the opening of the first
   * rounds.
   */
  public static List<Record<byte[], byte[]>> beginning(
      LearnerSettings settings, RoundGenesis genesis) {
    return entries(settings, genesis).stream()
        .map(each -> new Record<>(each.key(), each.value(), 0, each.headers()))
        .toList();
  }

  /** The same, to be written to every partition. */
  public static List<Entry> entries(LearnerSettings settings, RoundGenesis genesis) {
    TopicCipher cipher = settings.controlCipher();
    List<Entry> entries = new ArrayList<>();
    byte[] value = cipher.seal(RoundCodecs.GENESIS.encode(genesis));
    entries.add(new Entry(key(GENESIS), value, at(0)));
    entries.addAll(openings(settings.plan(), genesis.keyId(), cipher));
    return entries;
  }

  /**
   * The piece of an opening that a record of the control topic holds; empty for every other record.
   */
  public static Optional<RoundPoint> point(
      byte[] key, byte[] value, Headers headers, TopicCipher cipher) {
    return isGenesis(key) || closes(headers) != 0
        ? Optional.empty()
        : Optional.of(RoundCodecs.POINT.decode(cipher.open(value)));
  }
}

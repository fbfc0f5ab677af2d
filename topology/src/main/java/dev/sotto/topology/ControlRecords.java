package dev.sotto.topology;

import dev.sotto.serdes.record.PackedDoubles;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.encryption.TopicCipher;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The records of the control topic of the rounds layout. Each carries its logical time in a header: the opening of round r
 * at 4r, its closing at 4r + 2; events of its slice lie between them at 4r + 1. Keys come round again every few rounds, so
 * that compaction keeps the newest.
 */
final class ControlRecords {
  /** Rounds that compaction keeps at least; a worker that starts needs three. */
  private static final int KEPT = 8;

  private static final int PIECE = 64 * 1024; // doubles: 512 KiB
  private static final String TIME = "time";
  private static final String GENESIS = "genesis";

  /** One record to be written to every partition. */
  record Entry(byte[] key, byte[] value, Headers headers) {}

  private ControlRecords() {}

  static long openTime(long round) {
    return 4 * round;
  }

  static long eventTime(long round) {
    return 4 * round + 1;
  }

  static long closeTime(long round) {
    return 4 * round + 2;
  }

  /** The logical time of a record. */
  static long time(Headers headers) {
    Header header = headers.lastHeader(TIME);
    return header == null ? 0 : ByteBuffer.wrap(header.value()).getLong();
  }

  /** The round that a record closes, or 0 where it closes none. */
  static long closes(Headers headers) {
    long time = time(headers);
    return time % 4 == 2 ? time / 4 : 0;
  }

  static boolean isGenesis(byte[] key) {
    return GENESIS.equals(new String(key, StandardCharsets.UTF_8));
  }

  static Entry genesis(byte[] value) {
    return new Entry(GENESIS.getBytes(StandardCharsets.UTF_8), value, at(0));
  }

  /** The opening of a round, in pieces, and its closing. */
  static List<Entry> round(long round, String keyId, double[] point, TopicCipher cipher) {
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

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Headers at(long time) {
    return new RecordHeaders()
        .add(TIME, ByteBuffer.allocate(Long.BYTES).putLong(time).array());
  }
}

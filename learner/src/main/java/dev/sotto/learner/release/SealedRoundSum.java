package dev.sotto.learner.release;

import dev.sotto.learner.key.Sha256;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The exact sum of one open round, encrypted page by page: a checkpoint writes the pages that have
 * changed since the one before, and none for zeros. It remembers hashes only.
 *
 * <p>The head of a checkpoint, closed for its place in the log, names the hash of every page that
 * belongs to it, so that pages of two checkpoints never pass for one sum.
 */
final class SealedRoundSum {
  private static final String HEAD = "open-head";
  private static final String PAGE = "open-page";
  private static final byte VERSION = 1;
  private static final int HASH = 32;
  private static final byte[] NO_PAGE = new byte[HASH];

  private final StateSeal seal;
  private final int perPage;
  private final byte[][]
      plain; // hashes of what the pages hold, null for zeros; they never leave the heap
  private final byte[][] closed; // hashes of the pages as they are stored

  private SealedRoundSum(StateSeal seal, int dimension, int perPage) {
    this.seal = seal;
    this.perPage = perPage;
    int pages = (dimension + perPage - 1) / perPage;
    this.plain = new byte[pages][];
    this.closed = new byte[pages][];
  }

  /** A round of which nothing is stored; whatever lies in the table goes. */
  static SealedRoundSum start(StateSeal seal, int dimension, int pageBytes, PageTable table) {
    SealedRoundSum round =
        new SealedRoundSum(seal, dimension, Math.max(1, pageBytes / Double.BYTES));
    for (int page = 0; page < round.plain.length; page++) {
      if (table.get(page) != null) {
        table.delete(page);
      }
    }
    return round;
  }

  boolean isOf(int pageBytes) {
    return perPage == Math.max(1, pageBytes / Double.BYTES);
  }

  /** Writes the pages that changed, and gives the head of the checkpoint. */
  byte[] write(
      OpenSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts,
      byte[] content,
      byte[] place,
      PageTable table) {
    double[] values = sum.numbers();
    for (int page = 0; page < plain.length; page++) {
      int from = page * perPage;
      byte[] now = SumPage.encode(values, from, Math.min(values.length, from + perPage));
      byte[] hash = now == null ? null : Sha256.sha256(now);
      if (Arrays.equals(hash, plain[page])) {
        continue;
      }
      if (now == null) {
        table.delete(page);
        closed[page] = null;
      } else {
        byte[] sealed = seal.close(now, SealedPages.place(PAGE, page, plain.length));
        table.put(page, sealed);
        closed[page] = Sha256.sha256(sealed);
      }
      plain[page] = hash;
    }
    return seal.close(head(sum, metrics, counts, content), headPlace(place));
  }

  private byte[] head(
      OpenSum sum, Optional<ClippedSum> metrics, Optional<RangeCounts> counts, byte[] content) {
    double[] figures = metrics.map(each -> each.sum).orElseGet(() -> new double[0]);
    byte[] ofRanges = counts.map(RangeCounts::bytes).orElseGet(() -> new byte[0]);
    ByteBuffer head = ByteBuffer.allocate(1
        + 8
        + ContentDigest.BYTES
        + 4
        + 8 * figures.length
        + 4
        + HASH * closed.length
        + ofRanges.length);
    head.put(VERSION).putLong(sum.slots()).put(content).putInt(figures.length);
    for (double figure : figures) {
      head.putDouble(figure);
    }
    head.putInt(perPage);
    for (byte[] hash : closed) {
      head.put(hash == null ? NO_PAGE : hash);
    }
    head.put(ofRanges); // with nothing there, as before there were ranges
    return head.array();
  }

  private static byte[] headPlace(byte[] place) {
    byte[] name = SealedPages.place(HEAD, 0, 1);
    byte[] whole = Arrays.copyOf(name, name.length + place.length);
    System.arraycopy(place, 0, whole, name.length, place.length);
    return whole;
  }

  /** What was read, and what later checkpoints of the same round build on. */
  record Opened(SealedRoundSum round, byte[] content) {}

  /**
   * Fills sums from a checkpoint.
   *
   * @throws IllegalStateException where head or pages are not those of one checkpoint of this round
   *     and place
   */
  static Opened read(
      StateSeal seal,
      byte[] closedHead,
      byte[] place,
      PageTable table,
      OpenSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts) {
    ByteBuffer head = ByteBuffer.wrap(seal.open(closedHead, headPlace(place)));
    int version = head.get();
    if (version != VERSION) {
      throw new IllegalStateException(
          "a checkpoint must have version " + VERSION + ", but had " + version);
    }
    long slots = head.getLong();
    byte[] content = new byte[ContentDigest.BYTES];
    head.get(content);
    double[] figures = new double[head.getInt()];
    for (int i = 0; i < figures.length; i++) {
      figures[i] = head.getDouble();
    }
    int perPage = head.getInt();
    double[] values = new double[sum.numbers().length];
    SealedRoundSum round = new SealedRoundSum(seal, values.length, perPage);
    for (int page = 0; page < round.plain.length; page++) {
      byte[] hash = new byte[HASH];
      head.get(hash);
      byte[] sealed = table.get(page);
      if (!Arrays.equals(hash, sealed == null ? NO_PAGE : Sha256.sha256(sealed))) {
        throw new IllegalStateException("the state stores do not agree on page " + page
            + " of an open round: one of them was restored to an earlier commit,"
            + " or was changed. If this stays,"
            + " remove the state folder, so that both are restored again");
      }
      if (sealed != null) {
        byte[] now = seal.open(sealed, SealedPages.place(PAGE, page, round.plain.length));
        int from = page * perPage;
        SumPage.decode(now, values, from, Math.min(values.length, from + perPage));
        round.plain[page] = Sha256.sha256(now);
        round.closed[page] = hash;
      }
    }
    if (head.hasRemaining() != counts.isPresent()) {
      throw new IllegalStateException(
          "a checkpoint must have counts of ranges inside of a window," + " and nowhere else");
    }
    counts.ifPresent(each -> each.restore(head));
    sum.restore(values, slots);
    metrics.ifPresent(each -> each.restore(figures, slots));
    return new Opened(round, content);
  }
}

package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rounds by which a mechanism's state may be older than the sums that are stored beside it.
 * Their noise follows from the key and the running digests, so that it is drawn again where the
 * state is read: a few rounds of draws cost less than writing the state of a large model each time.
 *
 * <p>As bytes: the round of the mechanism's state, then the running digest after that round and
 * after each one since; nothing where the state is as old as the sums.
 */
final class RedrawnRounds {
  private static final int LEAST = 8;
  /** Normal variables that are drawn in less than a second. */
  private static final long DRAWS = 1L << 25;
  /** Digests of as many rounds are an eighth of the smallest state that is large at all. */
  private static final int COORDINATES = 32;

  private static final int DIGEST = 32;

  private final int most;
  private final List<byte[]> digests = new ArrayList<>(); // the first one sealed the state
  private long round = -1;
  private String keyId = ""; // under which all of it was drawn

  /** Of noise of a number of coordinates. */
  RedrawnRounds(int dimension) {
    most = most(dimension);
  }

  /** Most rounds that are ever drawn again. */
  static int most(int dimension) {
    int few = Math.max(1, dimension);
    return (int) Math.max(LEAST, Math.min(DRAWS / few, few / COORDINATES));
  }

  /** A mechanism's state was given out whole, or is that of the beginning. */
  void begin(long ofRound, byte[] digest, String ofKeyId) {
    digests.clear();
    digests.add(digest.clone());
    round = ofRound;
    keyId = ofKeyId;
  }

  /** Another round was released. */
  void released(byte[] digest, String ofKeyId) {
    if (digests.isEmpty() || digests.size() > most || !keyId.equals(ofKeyId)) {
      forget();
    } else {
      digests.add(digest.clone());
    }
  }

  /** What was given out is of no use any more. */
  void forget() {
    digests.clear();
    round = -1;
  }

  /** Whether what was given out and the rounds since then lead to a round. */
  boolean leadTo(long latest) {
    return !digests.isEmpty() && round + digests.size() - 1 == latest;
  }

  /** The rounds since, as bytes. */
  PagedBytes bytes() {
    if (digests.size() < 2) {
      return PagedBytes.of(new byte[0]);
    }
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + DIGEST * digests.size());
    bytes.putLong(round);
    digests.forEach(bytes::put);
    return PagedBytes.of(bytes.array());
  }

  /**
   * What lies beside a stored state.
   *
   * @param latest the round of the sums
   * @param digest the running digest after it
   * @param dimension coordinates of the noise
   */
  static RedrawnRounds of(PagedBytes stored, long latest, byte[] digest, int dimension) {
    RedrawnRounds rounds = new RedrawnRounds(dimension);
    byte[] bytes = stored.join();
    if (bytes.length == 0) {
      rounds.begin(latest, digest, "");
      return rounds;
    }
    int count = (bytes.length - Long.BYTES) / DIGEST;
    ByteBuffer from = ByteBuffer.wrap(bytes);
    boolean whole =
        bytes.length == Long.BYTES + DIGEST * count && count >= 2 && count <= rounds.most + 1;
    if (whole) {
      rounds.round = from.getLong();
      for (int i = 0; i < count; i++) {
        byte[] each = new byte[DIGEST];
        from.get(each);
        rounds.digests.add(each);
      }
    }
    if (!whole || !rounds.leadTo(latest) || !Arrays.equals(rounds.digests.get(count - 1), digest)) {
      throw new IllegalArgumentException("what leads from a mechanism's state to round " + latest
          + " takes 8 bytes and 32 for each of 2 to " + (rounds.most + 1)
          + " digests, the last one that of the round, but had " + bytes.length);
    }
    return rounds;
  }

  /** Whether all of it was drawn under a key. */
  boolean isUnder(String id) {
    return keyId.equals(id);
  }

  /** The round of the mechanism's state. */
  long first() {
    return round;
  }

  /** The running digest after a round, of those from {@link #first} on. */
  byte[] digest(long ofRound) {
    return digests.get(Math.toIntExact(ofRound - round));
  }

  /** Names the key under which all of it was drawn. */
  void drawnUnder(String id) {
    keyId = id;
  }
}

package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.participation.ContributionBound;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;

/**
 * The worked example of docs/development/adding.md: noise of a tree of two levels, one draw for
 * each round and one for each block of four. A block's draw replaces those of its rounds.
 */
final class BlockNoise extends PrefixMechanism {
  private static final int BLOCK = 4;
  private static final String PURPOSE = "block";
  private static final int KEY_BYTES = 8;
  private static final int DRAW_BYTES = 8 + KEY_BYTES + 32;

  @Override
  public String name() {
    return "block";
  }

  /** A round enters its own row and that of its block. */
  @Override
  public double sensitivity(long rounds) {
    return rounds < BLOCK ? 1 : Math.sqrt(2);
  }

  @Override
  public double sensitivityLimit() {
    return Math.sqrt(2);
  }

  /** Of n rounds at most m in one block: n rows of their own, and blocks' squares of m n in all. */
  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    double count = bound.within(rounds);
    return Math.sqrt(count * (1 + (rounds < BLOCK ? 0 : bound.within(BLOCK))));
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return bound.most() == Long.MAX_VALUE
        ? Double.POSITIVE_INFINITY
        : sensitivity(Long.MAX_VALUE, bound);
  }

  @Override
  public double prefixVariance(long rounds) {
    return rounds / BLOCK + rounds % BLOCK;
  }

  /** Three rounds add a draw; the fourth adds one and takes three away. */
  @Override
  public double incrementVariance() {
    return (3 + BLOCK) / (double) BLOCK;
  }

  @Override
  public double[][] matrix(int rounds) {
    double[][] rows = new double[rounds][];
    for (int t = 1; t <= rounds; t++) {
      rows[t - 1] = new double[t];
      Arrays.fill(rows[t - 1], t % BLOCK == 0 ? t - BLOCK : t - 1, t, 1);
    }
    return rows;
  }

  @Override
  public NoiseState start() {
    return new State(new ArrayDeque<>());
  }

  @Override
  public NoiseState resume(PagedBytes state) {
    Deque<Draw> open = new ArrayDeque<>();
    for (ByteBuffer buffer = ByteBuffer.wrap(state.join()); buffer.hasRemaining(); ) {
      long round = buffer.getLong();
      byte[] key = new byte[KEY_BYTES];
      byte[] digest = new byte[32];
      buffer.get(key).get(digest);
      open.add(new Draw(round, HexFormat.of().formatHex(key), digest));
    }
    return new State(open);
  }

  private record Draw(long round, String keyId, byte[] digest) {}

  private static final class State extends NoiseState {
    private final Deque<Draw> open; // of the rounds of an open block

    State(Deque<Draw> open) {
      this.open = open;
    }

    @Override
    public void advance(
        long round, byte[] digest, KeyedNoise noise, long[] into, CoordinateRanges.Use after) {
      noise.add(digest, PURPOSE, round, 1, into);
      if (round % BLOCK != 0) {
        open.add(new Draw(round, noise.keyId(), digest.clone()));
      } else {
        for (Draw draw : open) {
          noise.under(draw.keyId()).add(draw.digest(), PURPOSE, draw.round(), -1, into);
        }
        open.clear();
      }
      CoordinateRanges.each(into.length, after);
    }

    @Override
    public PagedBytes state(int pageBytes) {
      ByteBuffer buffer = ByteBuffer.allocate(open.size() * DRAW_BYTES);
      for (Draw draw : open) {
        buffer.putLong(draw.round()).put(HexFormat.of().parseHex(draw.keyId())).put(draw.digest());
      }
      return PagedBytes.of(buffer.array());
    }
  }
}

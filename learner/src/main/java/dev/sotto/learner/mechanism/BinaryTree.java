package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;
import dev.sotto.learner.participation.ContributionBound;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Iterator;

/**
 * Noise from a binary tree over the rounds, redrawn by address rather than stored. Node m is born
 * in round m and covers the rounds (m - lowbit(m), m]; the noise of a prefix of t rounds sums the
 * nodes of the binary decomposition of t, at most floor(log2 t) + 1 of them.
 *
 * <p>Promises: each node's noise is drawn from digest and key of the round of its birth, for ever,
 * never from a later one (then every prefix would carry fresh noise and the cost would grow with
 * t); a restart at any round goes on with the same bits. State: the living nodes' digests and names
 * of keys, no vectors. Source: Private FTRL, Algorithm 1, with the nodes of docs/privacy.md, "Noise
 * mechanisms".
 */
final class BinaryTree extends PrefixMechanism {
  private static final String PURPOSE = "tree-node";
  private static final int KEY_BYTES = 8;
  private static final int NODE_BYTES = 8 + KEY_BYTES + 32;

  @Override
  public String name() {
    return "binary-tree";
  }

  @Override
  public double sensitivity(long rounds) {
    // A record's round lies under one node of each size up to the largest that is born by then.
    return Math.sqrt(64 - Long.numberOfLeadingZeros(rounds));
  }

  @Override
  public double sensitivityLimit() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double sensitivity(long rounds, ContributionBound bound) {
    return TreeSensitivity.of(rounds, bound);
  }

  @Override
  public double sensitivityLimit(ContributionBound bound) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double prefixVariance(long rounds) {
    return Long.bitCount(rounds);
  }

  /** That of the number itself, or of one with a bit cleared and all below it set. */
  @Override
  public double largestPrefixVariance(long rounds) {
    double largest = rounds == 0 ? 0 : prefixVariance(rounds);
    for (long left = rounds; left != 0; left -= Long.lowestOneBit(left)) {
      long filled = left - 1; // the bit cleared, the bits below it set
      largest = filled == 0 ? largest : Math.max(largest, prefixVariance(filled));
    }
    return largest;
  }

  @Override
  public double incrementVariance() {
    return 2; // one node is born in every round, and in the long run one dies
  }

  @Override
  public double[][] matrix(int rounds) {
    double[][] rows = new double[rounds][];
    for (int t = 1; t <= rounds; t++) {
      rows[t - 1] = new double[t];
      Arrays.fill(rows[t - 1], t - Integer.lowestOneBit(t), t, 1);
    }
    return rows;
  }

  @Override
  public NoiseState start() {
    return new State(new ArrayDeque<>());
  }

  @Override
  public NoiseState resume(PagedBytes paged) {
    byte[] state = paged.join();
    if (state.length % NODE_BYTES != 0) {
      throw new IllegalArgumentException("the state of a binary tree takes a multiple of "
          + NODE_BYTES + " bytes, but had " + state.length);
    }
    Deque<Node> nodes = new ArrayDeque<>();
    for (ByteBuffer buffer = ByteBuffer.wrap(state); buffer.hasRemaining(); ) {
      long birth = buffer.getLong();
      byte[] key = new byte[KEY_BYTES];
      buffer.get(key);
      byte[] digest = new byte[32];
      buffer.get(digest);
      nodes.push(new Node(birth, HexFormat.of().formatHex(key), digest));
    }
    return new State(nodes);
  }

  private record Node(long birth, String keyId, byte[] digest) {}

  private static final class State extends NoiseState {
    private final Deque<Node> living; // the youngest first

    State(Deque<Node> living) {
      this.living = living;
    }

    @Override
    public void advance(
        long round, byte[] digest, KeyedNoise noise, long[] into, CoordinateRanges.Use after) {
      long covered = round - Long.lowestOneBit(round);
      while (!living.isEmpty() && living.peek().birth() > covered) {
        Node dead = living.pop();
        noise.under(dead.keyId()).add(dead.digest(), PURPOSE, dead.birth(), -1, into);
      }
      living.push(new Node(round, noise.keyId(), digest.clone()));
      noise.add(digest, PURPOSE, round, 1, into, after);
    }

    @Override
    public PagedBytes state(int pageBytes) {
      ByteBuffer buffer = ByteBuffer.allocate(living.size() * NODE_BYTES);
      for (Iterator<Node> oldest = living.descendingIterator(); oldest.hasNext(); ) {
        Node node = oldest.next();
        buffer.putLong(node.birth()).put(HexFormat.of().parseHex(node.keyId())).put(node.digest());
      }
      return PagedBytes.of(buffer.array());
    }
  }
}

package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The running digest holds every part that docs/privacy.md, "Where the noise comes from", lists.
 */
class RunningDigestTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final NoiseKey OTHER_KEY = NoiseKey.of(bytes(32, 9));
  private static final double SIGMA = 4;
  private static final Lattice LATTICE = Lattice.fit(1, SIGMA, 3, 2);
  private static final Lattice FIGURES = Lattice.fit(1, SIGMA, 2, 2);

  private static byte[] bytes(int length, int first) {
    byte[] bytes = new byte[length];
    bytes[0] = (byte) first;
    return bytes;
  }

  /** Everything that leads to the first two releases of a run. */
  private static final class History {
    NoiseKey key = KEY;
    NoiseKey secondKey = KEY;
    byte[] runId = bytes(16, 1);
    byte[] fingerprint = bytes(32, 2);
    double[] start = {0.5, 0, 0};
    double[] gradient = {0.25, -0.5, 0.125};
    double[] figures = {0.5, 0.25};
    double[][] points = {{0.5, 0, 0}, {0.25, 1, 0}};
    byte[] content = bytes(16, 3);
    int generation = 0;
    int rounds = 2;

    Releaser released() {
      Releaser releaser = Releaser.start(
          LATTICE,
          Mechanisms.INDEPENDENT.make(),
          SIGMA,
          Optional.of(new MetricsNoise(FIGURES, SIGMA)),
          key,
          runId,
          fingerprint,
          start);
      for (int round = 1; round <= rounds; round++) {
        if (round == 2 && secondKey != key) {
          releaser.use(secondKey);
        }
        releaser
            .answer(new FullQuery(
                full(LATTICE, gradient),
                Optional.of(full(FIGURES, figures)),
                points,
                content,
                FullQuery.Place.ofRound(generation)))
            .orElseThrow();
      }
      return releaser;
    }
  }

  private static ClippedSum full(Lattice lattice, double[] gradient) {
    ClippedSum sum = new ClippedSum(lattice);
    sum.add(gradient);
    sum.addNothing();
    return sum;
  }

  private static byte[] doubles(double[] values) {
    ByteBuffer buffer = ByteBuffer.allocate(8 + 8 * values.length).putLong(values.length);
    Arrays.stream(values).forEach(buffer::putDouble);
    return buffer.array();
  }

  private static byte[] number(long value, int size) {
    ByteBuffer buffer = ByteBuffer.allocate(size);
    return (size == 4 ? buffer.putInt((int) value) : buffer.putLong(value)).array();
  }

  /** Written out part by part: what is left out of the product's digest makes it another one. */
  @Test
  void isTheChainOfThePage() {
    History history = new History();
    history.generation = 1;
    history.secondKey = OTHER_KEY;
    byte[] digest = KeyDerivation.hmac(
        KEY.chainKey(), history.runId, number(Releaser.SEMANTICS, 4), doubles(history.start));
    for (NoiseKey key : List.of(KEY, OTHER_KEY)) {
      long round = key == KEY ? 1 : 2;
      digest = KeyDerivation.hmac(
          key.chainKey(),
          digest,
          history.fingerprint,
          key.id().getBytes(StandardCharsets.US_ASCII),
          number(history.generation, 4),
          number(round, 8),
          history.content,
          doubles(full(LATTICE, history.gradient).sum),
          doubles(full(FIGURES, history.figures).sum),
          doubles(history.points[0]),
          doubles(history.points[1]));
    }
    assertThat(history.released().digest()).isEqualTo(digest);
  }

  static Stream<Consumer<History>> changes() {
    double unit = LATTICE.unit();
    return Stream.of(
        h -> h.key = OTHER_KEY,
        h -> h.secondKey = OTHER_KEY,
        h -> h.runId[15]++,
        h -> h.fingerprint[31]++,
        h -> h.start[2] = Double.MIN_VALUE,
        h -> h.content[15]++,
        h -> h.generation = 1,
        h -> h.gradient[0] += unit,
        h -> h.gradient[1] += unit,
        h -> h.gradient[2] += unit,
        h -> h.figures[0] += FIGURES.unit(),
        h -> h.figures[1] += FIGURES.unit(),
        h -> h.points[0][0] = Math.nextUp(0.5),
        h -> h.points[0][2] = Double.MIN_VALUE,
        h -> h.points[1][1] = Math.nextUp(1.0),
        h -> h.points = new double[][] {h.points[1], h.points[0]},
        h -> h.points = new double[][] {h.points[0]},
        h -> h.points = new double[][] {{0.5, 0, 0, 0.25, 1, 0}},
        h -> h.points = new double[0][]);
  }

  /** What differs in one part, however little, has another digest and so independent noise. */
  @ParameterizedTest
  @MethodSource("changes")
  void changesWithEveryPart(Consumer<History> change) {
    History changed = new History();
    change.accept(changed);
    Releaser one = new History().released();
    Releaser other = changed.released();
    assertThat(other.digest()).isNotEqualTo(one.digest());
    assertThat(noise(other, changed)).isNotEqualTo(noise(one, new History()));
    assertThat(other.window()).isNotEqualTo(one.window());
  }

  /** The noise of the published prefix, in lattice units. */
  private static long[] noise(Releaser releaser, History history) {
    double[] prefix = new double[3];
    releaser.latest().orElseThrow().mean(prefix);
    double[] sum = full(LATTICE, history.gradient).sum;
    long[] noise = new long[3];
    for (int i = 0; i < 3; i++) {
      noise[i] = Math.round((prefix[i] * LATTICE.batch() * history.rounds - history.rounds * sum[i])
          / LATTICE.unit());
    }
    return noise;
  }

  private static byte[] next(double[] sum) {
    RunningDigest.Round facts = new RunningDigest.Round(bytes(32, 2), 0, 1, bytes(16, 3));
    return RunningDigest.next(
        KEY, KeyDerivation.mac(KEY.chainKey()), bytes(32, 1), facts, List.of(sum));
  }

  /** Long vectors are taken in piece by piece; every piece counts. */
  @Test
  void changesWithEveryCoordinateOfALongVector() {
    double[] sum = new double[2500];
    byte[] plain = next(sum);
    for (int i : new int[] {0, 1, 1022, 1023, 1024, 1025, 2047, 2048, 2499}) {
      sum[i] = 1;
      assertThat(next(sum)).as("coordinate %s", i).isNotEqualTo(plain);
      sum[i] = 0;
    }
    assertThat(next(sum)).isEqualTo(plain);
    assertThat(next(new double[2501])).isNotEqualTo(plain);
  }

  /** Which zero a sum ends with depends on the order of its summands. */
  @Test
  void takesBothZerosAsOneSum() {
    assertThat(next(new double[] {-0.0})).isEqualTo(next(new double[] {0.0}));
  }
}

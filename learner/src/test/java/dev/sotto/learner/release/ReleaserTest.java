package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReleaserTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final Lattice LATTICE = Lattice.fit(1, 4, 3, 2);
  private static final double[] POINT = {0, 0, 0};
  private static final byte[] CONTENT = new byte[16];
  private static final byte[] PLACE = {1, 2, 3};

  private static Releaser releaser(NoiseKey key, int fingerprint) {
    return Releaser.start(
        LATTICE,
        Mechanisms.BINARY_TREE.make(),
        4,
        key,
        new byte[16],
        new byte[] {(byte) fingerprint},
        POINT);
  }

  private static double[] release(Releaser releaser, double... first) {
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(first);
    sum.addNothing();
    double[] mean = new double[3];
    releaser.release(sum, POINT, CONTENT, 0).mean(mean);
    return mean;
  }

  /** Noise that two sums share would give out their difference. */
  @Test
  void hidesTheSumAtEachPointOfAQueryByNoiseOfItsOwn() {
    int points = 4;
    QuerySchedule schedule = QuerySchedule.sampled(2, 3, new QuerySchedule.Sampling(points, 1));
    Releaser releaser =
        Releaser.start(LATTICE, new QueryNoise(schedule), 4, KEY, new byte[16], new byte[1], POINT);
    double[][] asked = new double[points][3];
    Set<Double> noise = new HashSet<>();
    for (int query = 1; query <= 3; query++) {
      ClippedSum sum = ClippedSum.atPoints(LATTICE, points);
      sum.addNothing(2);
      double[] answer = new double[3 * points];
      releaser
          .answer(new FullQuery(
              sum, Optional.empty(), asked, CONTENT, new FullQuery.Place(0, query, query == 3)))
          .orElseThrow()
          .lastMean(answer);
      Arrays.stream(answer).forEach(noise::add);
    }
    assertThat(noise).as("numbers in answers of noise alone").hasSize(3 * 3 * points);
  }

  /** Other figures of the same examples are another history. */
  @Test
  void bindsTheNoiseToTheSumOfTheMetrics() {
    double[] noise = releaseWithMetrics(0);
    assertThat(releaseWithMetrics(0)).containsExactly(noise);
    assertThat(releaseWithMetrics(1)).isNotEqualTo(noise);
  }

  private static double[] releaseWithMetrics(double figure) {
    MetricsNoise metering = new MetricsNoise(Lattice.fit(2, 4, 2, 2), 4);
    Releaser releaser = Releaser.start(
        LATTICE,
        Mechanisms.BINARY_TREE.make(),
        4,
        Optional.of(metering),
        KEY,
        new byte[16],
        new byte[1],
        POINT);
    ClippedSum metrics = new ClippedSum(metering.lattice());
    metrics.add(new double[] {figure, 0});
    metrics.addNothing();
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.addNothing(2);
    double[] mean = new double[3];
    releaser
        .answer(new FullQuery(
            sum, Optional.of(metrics), new double[][] {POINT}, CONTENT, FullQuery.Place.ofRound(0)))
        .orElseThrow()
        .mean(mean);
    return mean;
  }

  private static double[] minus(double[] a, double[] b) {
    double[] difference = new double[a.length];
    Arrays.setAll(difference, i -> a[i] - b[i]);
    return difference;
  }

  @Test
  void givesTheSameBitsForTheSameHistory() {
    Releaser one = releaser(KEY, 0);
    Releaser two = releaser(KEY, 0);
    for (int t = 0; t < 20; t++) {
      assertThat(release(one, t, 1, 0)).containsExactly(release(two, t, 1, 0));
    }
    assertThat(one.digest()).isEqualTo(two.digest());
  }

  @Test
  void goesOnWithTheSameBitsFromItsState() {
    Releaser whole = releaser(KEY, 0);
    Releaser parts = releaser(KEY, 0);
    for (int t = 0; t < 20; t++) {
      double[] expected = release(whole, t, 1, 0);
      assertThat(release(parts, t, 1, 0)).containsExactly(expected);
      parts = Releaser.resume(
          LATTICE, Mechanisms.BINARY_TREE.make(), 4, KEY, new byte[] {0}, parts.state());
      double[] again = new double[3];
      parts.latest().orElseThrow().mean(again);
      assertThat(again).containsExactly(expected);
    }
  }

  /** The difference of two releases whose sums differ must not be the difference of the sums. */
  @Test
  void neverPutsTheSameNoiseOnAnotherSum() {
    double[] difference =
        minus(release(releaser(KEY, 0), 1, 0, 0), release(releaser(KEY, 0), 0, 1, 0));
    // With shared noise the third coordinate would cancel exactly.
    assertThat(difference[2]).isNotZero();
    assertThat(Math.abs(difference[0] - 0.5) + Math.abs(difference[1] + 0.5)).isGreaterThan(0.01);
  }

  /** Two histories that differ in round 1 and agree in round 2 share no noise in round 2. */
  @Test
  void bindsTheNoiseToEverythingBefore() {
    Releaser one = releaser(KEY, 0);
    Releaser two = releaser(KEY, 0);
    double[] a1 = release(one, 1, 0, 0);
    double[] b1 = release(two, 0.5, 0, 0);
    double[] a2 = release(one, 0, 1, 0);
    double[] b2 = release(two, 0, 1, 0);
    assertThat(minus(minus(a2, a1), minus(b2, b1))[2]).isNotZero();
  }

  @Test
  void bindsTheNoiseToKeyConfigurationAndContent() {
    double[] base = release(releaser(KEY, 0), 1, 0, 0);
    byte[] other = new byte[32];
    other[5] = 1;
    assertThat(release(releaser(NoiseKey.of(other), 0), 1, 0, 0)[2]).isNotEqualTo(base[2]);
    assertThat(release(releaser(KEY, 1), 1, 0, 0)[2]).isNotEqualTo(base[2]);
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(new double[] {1, 0, 0});
    sum.addNothing();
    double[] mean = new double[3];
    byte[] content = CONTENT.clone();
    content[3] = 1;
    releaser(KEY, 0).release(sum, POINT, content, 0).mean(mean);
    assertThat(mean[2]).isNotEqualTo(base[2]);
  }

  @Test
  void releasesWholeRoundsOfItsOwnLatticeOnly() {
    ClippedSum open = new ClippedSum(LATTICE);
    open.addNothing();
    assertThatThrownBy(() -> releaser(KEY, 0).release(open, POINT, CONTENT, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("released whole");
    ClippedSum foreign = new ClippedSum(Lattice.fit(2, 4, 3, 2));
    foreign.addNothing();
    foreign.addNothing();
    assertThatThrownBy(() -> releaser(KEY, 0).release(foreign, POINT, CONTENT, 0))
        .hasMessageContaining("must lie on the lattice");
  }

  @Test
  void releasesMetricsOfWholeRoundsOfTheirOwnLatticeOnly() {
    Lattice figures = Lattice.fit(1, 2, 1, 2);
    Releaser metered = Releaser.start(
        LATTICE,
        Mechanisms.BINARY_TREE.make(),
        4,
        Optional.of(new MetricsNoise(figures, 2)),
        KEY,
        new byte[16],
        new byte[] {0},
        POINT);
    ClippedSum open = new ClippedSum(figures);
    open.addNothing();
    assertThatThrownBy(() -> metered
            .answer(new FullQuery(
                full(LATTICE), Optional.of(open), points(), CONTENT, FullQuery.Place.ofRound(0)))
            .orElseThrow())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("released whole");
    ClippedSum foreign = full(Lattice.fit(2, 2, 1, 2));
    assertThatThrownBy(() -> metered
            .answer(new FullQuery(
                full(LATTICE), Optional.of(foreign), points(), CONTENT, FullQuery.Place.ofRound(0)))
            .orElseThrow())
        .hasMessageContaining("must lie on the lattice");
    assertThat(metered
            .answer(new FullQuery(
                full(LATTICE),
                Optional.of(full(figures)),
                points(),
                CONTENT,
                FullQuery.Place.ofRound(0)))
            .orElseThrow()
            .round())
        .isEqualTo(1);
  }

  private static ClippedSum full(Lattice lattice) {
    ClippedSum sum = new ClippedSum(lattice);
    sum.addNothing(lattice.batch());
    return sum;
  }

  private static double[][] points() {
    return new double[][] {POINT};
  }

  /** Its first prefix is that of one round, with the noise of one round: nothing of before. */
  @Test
  void beginsANewPrefixWithEachGeneration() {
    Releaser releaser = releaser(KEY, 0);
    release(releaser, 1, 0, 0);
    release(releaser, 1, 0, 0);
    byte[] before = releaser.digest();
    NoisySum fresh = releaser.release(full(LATTICE), POINT, CONTENT, 1);
    assertThat(fresh.round()).isEqualTo(1);
    double[] mean = new double[3];
    fresh.mean(mean);
    long[] noise = new long[3];
    double sigma = 4 / LATTICE.unit();
    new KeyedNoise(KEY, sigma).add(releaser.digest(), "tree-node", 1, 1, noise);
    assertThat(mean)
        .containsExactly(
            Arrays.stream(noise).mapToDouble(n -> n * LATTICE.unit() / 2).toArray());
    assertThat(releaser.digest()).isNotEqualTo(before);
    double[] again = new double[3];
    NoisySum latest = releaser.latest().orElseThrow();
    latest.mean(again);
    assertThat(again).containsExactly(mean);
    assertThat(latest.round()).isEqualTo(1);
    assertThatThrownBy(() -> releaser.release(full(LATTICE), POINT, CONTENT, 0))
        .hasMessageContaining("generation 0 cannot follow generation 1");
  }

  /** A round's own noisy mean is what the prefix grew by; after a restart nobody knows it. */
  @Test
  void givesTheLastRoundAtItsReleaseOnly() {
    Releaser releaser = releaser(KEY, 0);
    double[] before = release(releaser, 1, 0, 0);
    NoisySum second = releaser.release(full(LATTICE), POINT, CONTENT, 0);
    assertThat(second.round()).isEqualTo(2);
    double[] mean = new double[3];
    second.mean(mean);
    double[] last = new double[3];
    second.lastMean(last);
    double[] grown = minus(mean, before);
    for (int i = 0; i < 3; i++) {
      assertThat(last[i]).isCloseTo(grown[i], within(1e-9)).isNotZero();
    }
    assertThatThrownBy(() -> releaser.latest().orElseThrow().lastMean(last))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void emptiesTheSumThatItReleases() {
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(new double[] {1, 0, 0});
    sum.addNothing();
    releaser(KEY, 0).release(sum, POINT, CONTENT, 0);
    assertThat(sum.slots()).isZero();
    assertThat(sum.sum).containsOnly(0);
  }

  /** A rotation takes effect with the next round: the open one keeps the key that sealed it. */
  @Test
  void goesOnWithAnOpenRoundUnderTheKeyThatSealedIt() {
    Releaser releaser = releaser(KEY, 0);
    ClippedSum open = new ClippedSum(LATTICE);
    open.add(new double[] {0.25, -0.5, 0.125});
    HeapTable table = new HeapTable();
    byte[] sealed =
        releaser.seal(open, Optional.empty(), Optional.empty(), CONTENT, PLACE, table, 16);
    byte[] secret = new byte[32];
    secret[0] = 1;
    NoiseKey rotated = NoiseKey.of(secret).withEarlier(List.of(KEY));
    Releaser restarted = Releaser.resume(
        LATTICE, Mechanisms.BINARY_TREE.make(), 4, rotated, new byte[] {0}, releaser.state());
    assertThat(restarted.key().id()).isEqualTo(rotated.id());
    ClippedSum back = new ClippedSum(LATTICE);
    restarted.unseal(sealed, PLACE, table, back, Optional.empty(), Optional.empty());
    assertThat(restarted.key().id()).isEqualTo(KEY.id());
    open.addNothing();
    back.addNothing();
    double[] expected = new double[3];
    double[] mean = new double[3];
    releaser.release(open, POINT, CONTENT, 0).mean(expected);
    restarted.release(back, POINT, CONTENT, 0).mean(mean);
    assertThat(mean).containsExactly(expected);
  }

  @Test
  void takesNoNoiseForAReferenceOnly() {
    double[] mean = new double[3];
    ClippedSum sum = full(LATTICE);
    Releaser.start(
            LATTICE, Mechanisms.noneForPublicData(), 0, KEY, new byte[16], new byte[1], POINT)
        .release(sum, POINT, CONTENT, 0)
        .mean(mean);
    assertThat(mean).containsOnly(0);
    for (double sigma : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> Releaser.start(
              LATTICE, Mechanisms.BINARY_TREE.make(), sigma, KEY, new byte[16], new byte[1], POINT))
          .hasMessageContaining("sigma must be finite and not negative");
    }
  }

  @Test
  void sealsAnOpenRoundForItsOwnHistoryOnly() {
    Releaser releaser = releaser(KEY, 0);
    ClippedSum open = new ClippedSum(LATTICE);
    open.add(new double[] {0.25, -0.5, 0.125});
    HeapTable table = new HeapTable();
    byte[] sealed =
        releaser.seal(open, Optional.empty(), Optional.empty(), CONTENT, PLACE, table, 16);
    ClippedSum back = new ClippedSum(LATTICE);
    releaser.unseal(sealed, PLACE, table, back, Optional.empty(), Optional.empty());
    assertThat(back.sum).containsExactly(open.sum);
    assertThat(back.slots()).isEqualTo(1);
    Releaser later = releaser(KEY, 0);
    release(later, 1, 0, 0);
    assertThatThrownBy(
            () -> later.unseal(sealed, PLACE, table, back, Optional.empty(), Optional.empty()))
        .hasMessageContaining("another key or history");
    assertThatThrownBy(() -> releaser.unseal(
            sealed, new byte[] {1, 2, 4}, table, back, Optional.empty(), Optional.empty()))
        .as("stored beside another position")
        .isInstanceOf(IllegalStateException.class);
    sealed[20] ^= 1;
    assertThatThrownBy(
            () -> releaser.unseal(sealed, PLACE, table, back, Optional.empty(), Optional.empty()))
        .isInstanceOf(IllegalStateException.class);
  }
}

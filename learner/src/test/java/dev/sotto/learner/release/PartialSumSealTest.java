package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.NoiseKey;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartialSumSealTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final Lattice LATTICE = Lattice.fit(1, 4, 3, 4);
  private static final byte[] PLACE = {1};
  private static final double[] NONE = {}; // ranges of numbers
  private static final PartialSumSeal SEAL = new PartialSumSeal(KEY, new byte[16]);

  private static byte[] asked(double... point) {
    return PartialSumSeal.asked(new double[] {1}, new double[][] {point}, NONE);
  }

  private static byte[] closed(double first) {
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(new double[] {first, 0, 0});
    return closed(sum, Optional.empty(), asked(0));
  }

  private static byte[] closed(ClippedSum sum, Optional<RangeCounts> counts, byte[] asked) {
    byte[] content = new byte[ContentDigest.BYTES];
    return SEAL.close(KEY.id(), sum, Optional.empty(), counts, content, asked, PLACE);
  }

  private static byte[] open(PartialSumSeal seal, byte[] part, ClippedSum into, byte[] asked) {
    return seal.open(part, into, Optional.empty(), Optional.empty(), asked, PLACE);
  }

  /** A part that is made again may hold other records: no nonce may serve twice under its key. */
  @Test
  void encryptsEveryPartUnderANonceOfItsOwn() {
    byte[] one = closed(0.5);
    byte[] two = closed(0.5);
    assertThat(Arrays.copyOf(one, 8)).isEqualTo(Arrays.copyOf(two, 8)); // the name of the key
    assertThat(Arrays.copyOfRange(one, 8, 20)).isNotEqualTo(Arrays.copyOfRange(two, 8, 20));
    assertThat(Arrays.copyOfRange(one, 20, one.length))
        .isNotEqualTo(Arrays.copyOfRange(two, 20, two.length));
    for (byte[] each : new byte[][] {one, two}) {
      ClippedSum back = new ClippedSum(LATTICE);
      open(SEAL, each, back, asked(0));
      assertThat(back.sum).containsExactly(0.5, 0, 0);
      assertThat(back.slots()).isEqualTo(1);
    }
  }

  @Test
  void opensAPartForItsOwnQueryAndPlaceOnly() {
    byte[] part = closed(0.5);
    ClippedSum back = new ClippedSum(LATTICE);
    assertThatThrownBy(() -> open(SEAL, part, back, asked(1)))
        .hasMessageContaining("at other points");
    assertThatThrownBy(() ->
            SEAL.open(part, back, Optional.empty(), Optional.empty(), asked(0), new byte[] {2}))
        .hasMessageContaining("for another place");
    PartialSumSeal otherRun = new PartialSumSeal(KEY, new byte[] {1});
    assertThatThrownBy(() -> open(otherRun, part, back, asked(0)))
        .hasMessageContaining("under another key");
    assertThatThrownBy(() -> open(SEAL, Arrays.copyOf(part, 19), back, asked(0)))
        .hasMessageContaining("cut short: 19 bytes");
    assertThat(back.slots()).isZero();
  }

  /** A part whose slots were asked otherwise: of an attempt before, or made up. */
  @Test
  void opensAPartOfItsOwnQueryOnly() {
    double[][] point = {{0}};
    byte[] mine = PartialSumSeal.asked(new double[] {1}, point, NONE);
    byte[] stale = PartialSumSeal.asked(new double[] {1, 0}, point, NONE);
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(new double[] {0.5, 0, 0});
    byte[] part = closed(sum, Optional.empty(), stale);
    ClippedSum back = new ClippedSum(LATTICE);
    assertThatThrownBy(() -> open(SEAL, part, back, mine))
        .isInstanceOf(IllegalStateException.class);
    assertThat(back.slots()).isZero();
    open(SEAL, part, back, stale);
    assertThat(back.slots()).isEqualTo(1);
  }

  /** Parts are of one length, whatever is in them. */
  @Test
  void hidesHowManyCoordinatesAreZero() {
    ClippedSum full = ClippedSum.atPoints(LATTICE, 2);
    full.addNothing();
    ClippedSum empty = ClippedSum.atPoints(LATTICE, 2);
    empty.addNothing();
    Example example = new Example(3);
    example.add(0, 1);
    full.addAt(1, example, 0.5);
    assertThat(closed(full, Optional.empty(), asked(0)))
        .hasSameSizeAs(closed(empty, Optional.empty(), asked(0)));
  }

  /** Long points are taken in piece by piece; every piece counts. */
  @Test
  void bindsAPartToEveryCoordinateOfALongPoint() {
    double[] point = new double[2500];
    byte[] plain = asked(point);
    for (int i : new int[] {0, 1, 1022, 1023, 1024, 1025, 2047, 2048, 2499}) {
      point[i] = 1;
      assertThat(asked(point)).as("coordinate %s", i).isNotEqualTo(plain);
      point[i] = -0.0;
      assertThat(asked(point)).isEqualTo(plain);
    }
    double[][] points = {point};
    assertThat(PartialSumSeal.asked(new double[] {2}, points, NONE)).isNotEqualTo(plain);
    double[] ranges = {2, 0, 1};
    byte[] around = PartialSumSeal.asked(new double[] {1}, points, ranges);
    assertThat(around).isNotEqualTo(plain);
    ranges[2] = Math.nextUp(1);
    assertThat(PartialSumSeal.asked(new double[] {1}, points, ranges)).isNotEqualTo(around);
  }

  private static RangeCounts counts(int bins) {
    RangeCounts counts = new RangeCounts(2, 5);
    counts.open(bins, 8);
    return counts;
  }

  private static ClippedSum oneSlot() {
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.addNothing();
    return sum;
  }

  /** Counts of a part come with its sum, once: whoever sent them has them no more. */
  @Test
  void carriesTheCountsOfItsSlots() {
    RangeCounts own = counts(3);
    own.add(new int[] {2, -1});
    byte[] part = closed(oneSlot(), Optional.of(own), asked(0));
    assertThat(own.isOpen()).isFalse();
    assertThat(own.sum).containsOnly(0);
    RangeCounts all = counts(3);
    for (int i = 1; i <= 2; i++) {
      ClippedSum back = new ClippedSum(LATTICE);
      SEAL.open(part, back, Optional.empty(), Optional.of(all), asked(0), PLACE);
      assertThat(all.sum).containsExactly(0, 0, i, 0, 0, 0);
    }
    ClippedSum back = new ClippedSum(LATTICE);
    assertThatThrownBy(() -> open(SEAL, part, back, asked(0)))
        .hasMessageContaining("under this configuration");
    assertThatThrownBy(
            () -> SEAL.open(part, back, Optional.empty(), Optional.of(counts(4)), asked(0), PLACE))
        .hasMessageContaining("under this configuration");
    RangeCounts more = counts(3);
    more.addNothing(2);
    byte[] unequal = closed(oneSlot(), Optional.of(more), asked(0));
    assertThatThrownBy(() ->
            SEAL.open(unequal, back, Optional.empty(), Optional.of(counts(3)), asked(0), PLACE))
        .hasMessageContaining("a part of 1 slots must have counts of as many");
  }
}

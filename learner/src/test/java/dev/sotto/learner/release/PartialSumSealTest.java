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
  private static final PartialSumSeal SEAL = new PartialSumSeal(KEY, new byte[16]);

  private static byte[] asked(double... point) {
    return PartialSumSeal.asked(new double[] {1}, new double[][] {point});
  }

  private static byte[] closed(double first) {
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(new double[] {first, 0, 0});
    return SEAL.close(
        KEY.id(), sum, Optional.empty(), new byte[ContentDigest.BYTES], asked(0), PLACE);
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
      SEAL.open(each, back, Optional.empty(), asked(0), PLACE);
      assertThat(back.sum).containsExactly(0.5, 0, 0);
      assertThat(back.slots()).isEqualTo(1);
    }
  }

  @Test
  void opensAPartForItsOwnQueryAndPlaceOnly() {
    byte[] part = closed(0.5);
    ClippedSum back = new ClippedSum(LATTICE);
    assertThatThrownBy(() -> SEAL.open(part, back, Optional.empty(), asked(1), PLACE))
        .hasMessageContaining("at other points");
    assertThatThrownBy(() -> SEAL.open(part, back, Optional.empty(), asked(0), new byte[] {2}))
        .hasMessageContaining("for another place");
    PartialSumSeal otherRun = new PartialSumSeal(KEY, new byte[] {1});
    assertThatThrownBy(() -> otherRun.open(part, back, Optional.empty(), asked(0), PLACE))
        .hasMessageContaining("under another key");
    assertThatThrownBy(
            () -> SEAL.open(Arrays.copyOf(part, 19), back, Optional.empty(), asked(0), PLACE))
        .hasMessageContaining("cut short: 19 bytes");
    assertThat(back.slots()).isZero();
  }

  /** A part whose slots were asked otherwise: of an attempt before, or made up. */
  @Test
  void opensAPartOfItsOwnQueryOnly() {
    double[][] point = {{0}};
    byte[] mine = PartialSumSeal.asked(new double[] {1}, point);
    byte[] stale = PartialSumSeal.asked(new double[] {1, 0}, point);
    ClippedSum sum = new ClippedSum(LATTICE);
    sum.add(new double[] {0.5, 0, 0});
    byte[] part =
        SEAL.close(KEY.id(), sum, Optional.empty(), new byte[ContentDigest.BYTES], stale, PLACE);
    ClippedSum back = new ClippedSum(LATTICE);
    assertThatThrownBy(() -> SEAL.open(part, back, Optional.empty(), mine, PLACE))
        .isInstanceOf(IllegalStateException.class);
    assertThat(back.slots()).isZero();
    SEAL.open(part, back, Optional.empty(), stale, PLACE);
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
    byte[] content = new byte[ContentDigest.BYTES];
    assertThat(SEAL.close(KEY.id(), full, Optional.empty(), content, asked(0), PLACE))
        .hasSameSizeAs(SEAL.close(KEY.id(), empty, Optional.empty(), content, asked(0), PLACE));
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
    assertThat(PartialSumSeal.asked(new double[] {2}, new double[][] {point})).isNotEqualTo(plain);
  }
}

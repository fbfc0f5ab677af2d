package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checkpoints of an open round of 64 coordinates in pages of eight. */
class SealedRoundSumTest {
  private static final int DIMENSION = 64;
  private static final int PAGE = 8 * Double.BYTES;
  private static final Lattice LATTICE = new Lattice(0x1p-20, 1, DIMENSION, 1000);
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final byte[] CONTENT = new byte[ContentDigest.BYTES];
  private static final byte[] FIRST = {1};
  private static final byte[] SECOND = {2};

  private final Releaser releaser = releaser();
  private final ClippedSum sum = new ClippedSum(LATTICE);
  private final HeapTable table = new HeapTable();

  private static Releaser releaser() {
    return Releaser.start(
        LATTICE,
        Mechanisms.BINARY_TREE.make(),
        4,
        KEY,
        new byte[16],
        new byte[32],
        new double[DIMENSION]);
  }

  private byte[] seal(byte[] place) {
    return releaser.seal(sum, Optional.empty(), Optional.empty(), CONTENT, place, table, PAGE);
  }

  private void touch(int coordinate) {
    double[] gradient = new double[DIMENSION];
    gradient[coordinate] = 0.5;
    sum.add(gradient);
  }

  private double[] unsealed(byte[] head, byte[] place) {
    ClippedSum back = new ClippedSum(LATTICE);
    releaser().unseal(head, place, table, back, Optional.empty(), Optional.empty());
    assertThat(back.slots()).isEqualTo(sum.slots());
    return back.sum;
  }

  @Test
  void writesOnlyWhatChangedAndNoZeros() {
    touch(3);
    touch(60);
    seal(FIRST);
    assertThat(table.pages).containsOnlyKeys(0, 7);
    assertThat(table.puts).isEqualTo(2);
    touch(61);
    touch(20);
    byte[] head = seal(SECOND);
    assertThat(table.pages).containsOnlyKeys(0, 2, 7);
    assertThat(table.puts).isEqualTo(4);
    assertThat(unsealed(head, SECOND)).containsExactly(sum.sum);
    assertThat(seal(SECOND)).as("a fresh nonce").isNotEqualTo(head);
    assertThat(table.puts).isEqualTo(4);
  }

  @Test
  void goesOnWritingOnlyWhatChangedAfterARestart() {
    touch(3);
    touch(60);
    byte[] head = seal(FIRST);
    Releaser restarted = releaser();
    ClippedSum back = new ClippedSum(LATTICE);
    restarted.unseal(head, FIRST, table, back, Optional.empty(), Optional.empty());
    double[] gradient = new double[DIMENSION];
    gradient[60] = -0.5; // back to zero
    back.add(gradient);
    restarted.seal(back, Optional.empty(), Optional.empty(), CONTENT, SECOND, table, PAGE);
    assertThat(table.pages).containsOnlyKeys(0);
    assertThat(table.puts).isEqualTo(2);
    assertThat(table.deletes).isEqualTo(1);
  }

  @Test
  void costsWhatWasTouched() {
    touch(3);
    byte[] head = seal(FIRST);
    assertThat(table.pages.get(0)).hasSizeLessThan(1 + 12 + StateSeal.OVERHEAD + 1);
    for (int coordinate = 0; coordinate < DIMENSION; coordinate++) {
      touch(coordinate);
    }
    head = seal(FIRST);
    assertThat(table.pages.get(0)).hasSize(1 + PAGE + StateSeal.OVERHEAD);
    assertThat(unsealed(head, FIRST)).containsExactly(sum.sum);
  }

  @Test
  void noticesPagesOfAnotherCheckpoint() {
    touch(3);
    touch(11);
    byte[] head = seal(FIRST);
    Map<Integer, byte[]> old = new HashMap<>(table.pages);
    touch(4);
    touch(12);
    touch(30);
    byte[] newHead = seal(SECOND);
    Map<Integer, byte[]> now = new HashMap<>(table.pages);
    assertThat(unsealed(newHead, SECOND)).containsExactly(sum.sum);

    table.pages.put(0, old.get(0)); // an older page of the same place
    requireNoticed(newHead, SECOND);
    table.pages.putAll(now);
    table.pages.remove(3); // a page less
    requireNoticed(newHead, SECOND);
    table.pages.putAll(now);
    table.pages.put(5, now.get(1)); // a page more
    requireNoticed(newHead, SECOND);
    table.pages.remove(5);
    table.pages.put(0, now.get(1)); // two pages in each other's place
    table.pages.put(1, now.get(0));
    requireNoticed(newHead, SECOND);
    table.pages.putAll(now);
    requireNoticed(head, FIRST); // an older head over newer pages
    assertThatThrownBy(() -> unsealed(head, SECOND)) // beside another position
        .hasMessageContaining("another key or history");
    assertThat(unsealed(newHead, SECOND)).containsExactly(sum.sum);
  }

  private void requireNoticed(byte[] head, byte[] place) {
    assertThatThrownBy(() -> unsealed(head, place))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("do not agree on page");
  }

  /** The hash in the head is not all: the page itself is bound to round and number. */
  @Test
  void bindsEachPageToItsNumberAndRound() {
    StateSeal seal = new StateSeal(KEY, new byte[32], 1);
    byte[] page = seal.close(new byte[5], SealedPages.place("p", 0, 2));
    assertThat(seal.open(page, SealedPages.place("p", 0, 2))).containsOnly(0).hasSize(5);
    for (byte[] place : new byte[][] {
      SealedPages.place("p", 1, 2), SealedPages.place("p", 0, 1), SealedPages.place("q", 0, 2)
    }) {
      assertThatThrownBy(() -> seal.open(page, place)).hasMessageContaining("damaged");
    }
    byte[] digest = new byte[32];
    digest[0] = 1;
    assertThatThrownBy(() -> new StateSeal(KEY, digest, 1).open(page, SealedPages.place("p", 0, 2)))
        .hasMessageContaining("damaged");
  }

  @Test
  void leavesNothingOfAnEarlierRoundInTheTable() {
    touch(3);
    touch(30);
    seal(FIRST);
    while (!sum.isFull()) {
      sum.addNothing();
    }
    releaser.release(sum, new double[DIMENSION], CONTENT, 0);
    touch(9);
    seal(SECOND);
    assertThat(table.pages).containsOnlyKeys(1);
  }

  @Test
  void takesPagesOfAnotherSizeForNoneOfItsOwn() {
    touch(3);
    touch(30);
    seal(FIRST);
    byte[] head =
        releaser.seal(sum, Optional.empty(), Optional.empty(), CONTENT, FIRST, table, 2 * PAGE);
    assertThat(table.pages).containsOnlyKeys(0, 1);
    assertThat(unsealed(head, FIRST)).containsExactly(sum.sum);
  }

  /** Their length tells how many coordinates are not zero, and nothing else. */
  @Test
  void writesPagesAsShortAsTheyCanBe() {
    double[] values = {0, 0, 0, 0, 1, 2, 0, 3};
    assertThat(SumPage.encode(values, 0, 4)).isNull();
    assertThat(SumPage.encode(values, 2, 5)).hasSize(1 + 12);
    assertThat(SumPage.encode(values, 4, 8)).hasSize(1 + 4 * 8); // three take 36 bytes
    double[] back = new double[8];
    SumPage.decode(SumPage.encode(values, 2, 5), back, 2, 5);
    SumPage.decode(SumPage.encode(values, 5, 8), back, 5, 8);
    assertThat(back).containsExactly(values);
  }

  @Test
  void opensWhatIsEmptyToo() {
    StateSeal seal = new StateSeal(KEY, new byte[32], 1);
    assertThat(seal.open(seal.close(new byte[0], FIRST), FIRST)).isEmpty();
    assertThat(StateSeal.keyId(seal.close(new byte[0], FIRST))).isEqualTo(KEY.id());
    assertThatThrownBy(() -> seal.open(new byte[StateSeal.OVERHEAD - 1], FIRST))
        .hasMessageContaining("the checkpoint of round 1 was written under another key");
    assertThat(StateSeal.keyId(new byte[StateSeal.OVERHEAD - 1])).isEmpty();
  }
}

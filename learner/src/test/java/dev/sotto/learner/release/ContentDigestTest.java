package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentDigestTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int DIMENSION = 6; // one step of four values, and a rest of two

  private static Slot slot(boolean sparse, int seed) {
    Slot slot = new Slot(DIMENSION);
    Random random = new Random(seed); // the same under every seed: stored digests are of these
    if (sparse) {
      slot.example().add(4, random.nextGaussian());
      slot.example().add(1, random.nextGaussian());
    } else {
      double[] values = slot.example().dense();
      for (int i = 0; i < DIMENSION; i++) {
        values[i] = random.nextGaussian();
      }
    }
    slot.status(RecordStatus.USED);
    return slot;
  }

  private static List<Slot> slots(boolean sparse) {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      slots.add(slot(sparse, i));
    }
    return slots;
  }

  private static String digest(List<Slot> slots) {
    ContentDigest digest = new ContentDigest(KEY, new byte[16]);
    slots.forEach(digest::add);
    return HexFormat.of().formatHex(digest.state());
  }

  private static List<Consumer<Slot>> changes(boolean sparse) {
    List<Consumer<Slot>> changes = new ArrayList<>();
    for (RecordStatus status : RecordStatus.values()) {
      if (status != RecordStatus.USED) {
        changes.add(slot -> slot.status(status));
      }
    }
    for (double other : new double[] {-0.0, 1, Double.MIN_VALUE, Double.NaN, -1e300}) {
      changes.add(slot -> slot.example().label(other));
    }
    for (double other : new double[] {0, -1, Math.nextUp(1.0), Double.POSITIVE_INFINITY}) {
      changes.add(slot -> slot.example().weight(other));
    }
    for (int i = 0; i < (sparse ? 2 : DIMENSION); i++) {
      int place = i;
      for (double factor : new double[] {1 + 0x1p-52, -1, 0, 2}) {
        changes.add(slot -> slot.example().values()[place] *= factor);
      }
    }
    if (sparse) {
      for (int other : new int[] {0, 2, 3, 5}) {
        changes.add(slot -> slot.example().indices()[0] = other);
      }
      changes.add(slot -> slot.example().add(0, 0)); // a stored zero
    }
    return changes;
  }

  /** Every single change at every place gives a digest of its own, and none the old one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void changesWithAnySingleChange(boolean sparse) {
    Set<String> seen = new HashSet<>(Set.of(digest(slots(sparse))));
    int tried = 1;
    for (int place = 0; place < 4; place++) {
      for (Consumer<Slot> change : changes(sparse)) {
        List<Slot> changed = slots(sparse);
        change.accept(changed.get(place));
        seen.add(digest(changed));
        tried++;
      }
    }
    assertThat(seen).hasSize(tried);
  }

  /** Bytes of version 1: what is stored must be found again. */
  @Test
  void hasTheBytesOfBefore() {
    Slot dense = new Slot(3);
    System.arraycopy(new double[] {1, -2, .5}, 0, dense.example().dense(), 0, 3);
    dense.example().label(1);
    dense.example().weight(.25);
    dense.status(RecordStatus.USED);
    Slot unreadable = new Slot(DIMENSION);
    unreadable.status(RecordStatus.UNREADABLE);
    assertThat(List.of(
            digest(List.of(dense)),
            digest(List.of(slot(true, 1))),
            digest(List.of(slot(false, 1))),
            digest(List.of(unreadable)),
            digest(List.of(dense, unreadable, unreadable))))
        .containsExactly(
            "69b643d3c30e3b6613d1acd7d1659e97",
            "e399ba9b81143da16b312d958d9b3a8c",
            "a75d198893f6d94ea60acbdb7b4c91c9",
            "8029d3b4baa3c41698732d288012934b",
            "6a09eb3d3855c39244b80728d18ac52d");
  }

  /**
   * Whoever sums which slots of a round, and in which order: the fingerprint is that of the slots
   * together.
   */
  @Test
  void doesNotChangeWithOrderOrGrouping() {
    List<Slot> slots = slots(true);
    slots.addAll(slots(false));
    Slot absent = new Slot(DIMENSION);
    absent.status(RecordStatus.ABSENT);
    slots.addAll(List.of(absent, absent));
    String whole = digest(slots);
    Random random = Seed.random(3);
    for (int i = 0; i < 20; i++) {
      Collections.shuffle(slots, random);
      assertThat(digest(slots)).isEqualTo(whole);
      ContentDigest parts = new ContentDigest(KEY, new byte[16]);
      ContentDigest other = new ContentDigest(KEY, new byte[16]);
      int absents = 0;
      for (Slot slot : slots) {
        if (slot.status() == RecordStatus.ABSENT) {
          absents++;
        } else {
          (random.nextBoolean() ? parts : other).add(slot);
        }
      }
      other.addAbsent(absents);
      parts.merge(other.state());
      assertThat(HexFormat.of().formatHex(parts.state())).isEqualTo(whole);
    }
  }

  @Test
  void changesWithTheNumberOfSlots() {
    Set<String> seen = new HashSet<>();
    seen.add(digest(slots(false)));
    seen.add(digest(slots(false).subList(0, 3)));
    List<Slot> longer = slots(false);
    longer.add(slot(false, 3));
    seen.add(digest(longer));
    longer.add(slot(false, 3));
    seen.add(digest(longer));
    longer.add(slot(true, 3));
    seen.add(digest(longer));
    seen.add(digest(List.of()));
    assertThat(seen).hasSize(6);
  }

  /** The same vector written down in another order: equal sums, but another record. */
  @Test
  void changesWithTheOrderOfCoordinates() {
    Slot one = new Slot(DIMENSION);
    one.example().add(1, 5);
    one.example().add(2, 6);
    one.status(RecordStatus.USED);
    Slot two = new Slot(DIMENSION);
    two.example().add(2, 6);
    two.example().add(1, 5);
    two.status(RecordStatus.USED);
    assertThat(digest(List.of(one))).isNotEqualTo(digest(List.of(two)));
  }

  @Test
  void tellsSparseFromDense() {
    Slot dense = new Slot(DIMENSION);
    Slot sparse = new Slot(DIMENSION);
    double[] values = dense.example().dense();
    for (int i = 0; i < DIMENSION; i++) {
      values[i] = i + 1;
      sparse.example().add(i, i + 1);
    }
    dense.status(RecordStatus.USED);
    sparse.status(RecordStatus.USED);
    assertThat(digest(List.of(sparse))).isNotEqualTo(digest(List.of(dense)));
  }

  @Test
  void readsNothingBesideTheSlot() {
    Slot used = slot(false, 0);
    Slot withStale = new Slot(DIMENSION);
    withStale.example().add(3, 9);
    System.arraycopy(used.example().values(), 0, withStale.example().dense(), 0, DIMENSION);
    withStale.status(RecordStatus.USED);
    withStale.unit(new byte[] {1, 2}, 0, 2); // coordinates stay out
    assertThat(digest(List.of(withStale))).isEqualTo(digest(List.of(used)));
    used.status(RecordStatus.UNREADABLE);
    Slot empty = new Slot(DIMENSION);
    empty.status(RecordStatus.UNREADABLE);
    assertThat(digest(List.of(used))).isEqualTo(digest(List.of(empty)));
  }

  @Test
  void goesOnFromItsState() {
    List<Slot> slots = slots(true);
    for (int stop = 0; stop <= 4; stop++) {
      ContentDigest first = new ContentDigest(KEY, new byte[16]);
      slots.subList(0, stop).forEach(first::add);
      ContentDigest second = new ContentDigest(KEY, new byte[16]);
      second.add(slot(false, 99)); // forgotten
      second.resume(first.state());
      slots.subList(stop, 4).forEach(second::add);
      assertThat(HexFormat.of().formatHex(second.state())).isEqualTo(digest(slots));
      second.clear();
      assertThat(HexFormat.of().formatHex(second.state())).isEqualTo(digest(List.of()));
    }
  }

  @Test
  void isKeyedForOneRun() {
    byte[] otherRun = new byte[16];
    otherRun[15] = 1;
    byte[] otherSecret = new byte[32];
    otherSecret[0] = 1;
    Set<String> seen = new HashSet<>();
    for (ContentDigest digest : List.of(
        new ContentDigest(KEY, new byte[16]),
        new ContentDigest(KEY, otherRun),
        new ContentDigest(NoiseKey.of(otherSecret), new byte[16]))) {
      digest.add(slot(false, 0));
      seen.add(HexFormat.of().formatHex(digest.state()));
    }
    assertThat(seen).hasSize(3);
  }

  /**
   * Slots that differ in one or two bits; 12,480 fingerprints of 64 bits collide by chance once in
   * 2e11 runs.
   */
  @Test
  void findsNoCollisionAmongNearlyEqualSlots() {
    ContentDigest digest = new ContentDigest(KEY, new byte[16]);
    Slot slot = slot(false, 0);
    Example example = slot.example();
    Set<Long> seen = new HashSet<>();
    int tried = 0;
    for (int i = 0; i < DIMENSION; i++) {
      double before = example.values()[i];
      for (int bit = 0; bit < 64; bit++) {
        for (int other = bit; other < 64; other++) {
          long flipped = 1L << bit | 1L << other;
          example.values()[i] =
              Double.longBitsToDouble(Double.doubleToRawLongBits(before) ^ flipped);
          digest.clear();
          digest.add(slot);
          ByteBuffer state = ByteBuffer.wrap(digest.state());
          seen.add(state.getLong() ^ Long.rotateLeft(state.getLong(), 17)); // half of the bits
          tried++;
        }
      }
      example.values()[i] = before;
    }
    assertThat(seen).hasSize(tried);
  }
}

package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.avro.Mutations;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged bytes never do more than be refused, and cost no more memory than a good record of their
 * size.
 */
class HostileBytesTest {
  private static final int MUTATIONS = 1_000;
  private static final int DIMENSION = 40;

  /**
   * What reading a small record and a stack trace may take; a claimed length of 2^30 takes far
   * more.
   */
  private static final long MODEST = 256 * 1024;

  @ParameterizedTest
  @MethodSource("dev.sotto.serdes.record.Samples#kinds")
  void breaksNoRecordCodec(Samples.Kind<?> kind) {
    breaksNothing(kind, MUTATIONS);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("dev.sotto.serdes.record.Samples#kinds")
  void breaksNoRecordCodecByManyMutations(Samples.Kind<?> kind) {
    breaksNothing(kind, 50 * MUTATIONS);
  }

  private static void breaksNothing(Samples.Kind<?> kind, int mutations) {
    Random random = Seed.random(11);
    int[] read = {0, 0};
    kind.codec().decode(kind.bytes(random)); // loads classes, outside the count of bytes
    for (int i = 0; i < mutations; i++) {
      byte[] bytes = Mutations.of(kind.bytes(random), random);
      measured(bytes, value -> {
        try {
          kind.codec().decode(value);
          read[0]++;
        } catch (UnreadableRecordException e) {
          read[1]++;
        }
      });
    }
    // Damage in the middle of a long field goes unseen, the rest must not.
    assertThat(read[0]).isPositive();
    assertThat(read[1]).isGreaterThan(mutations / 4);
  }

  @ParameterizedTest
  @EnumSource
  void breaksNoExampleCodec(UnitSource unitSource) throws IOException {
    breaksNothing(unitSource, MUTATIONS);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void breaksNoExampleCodecByManyMutations(UnitSource unitSource) throws IOException {
    breaksNothing(unitSource, 50 * MUTATIONS);
  }

  private static void breaksNothing(UnitSource unitSource, int mutations) throws IOException {
    Random random = Seed.random(13);
    var codec = new ExampleCodec(DIMENSION, 10_000, unitSource);
    Slot into = new Slot(DIMENSION);
    int[] seen = new int[RecordStatus.values().length];
    for (int i = 0; i < mutations; i++) {
      byte[] good = example(random);
      byte[] key = random.nextBoolean() ? null : Samples.bytes(random, random.nextInt(3));
      measured(Mutations.of(good, random), value -> codec.decode(key, value, into));
      seen[into.status().ordinal()]++;
      assertSound(into);
    }
    assertThat(seen[RecordStatus.UNREADABLE.ordinal()]).isGreaterThan(mutations / 4);
    assertThat(seen[RecordStatus.USED.ordinal()]).isPositive();
    assertThat(seen[RecordStatus.NOT_FINITE.ordinal()]).isPositive();
    assertThat(seen[RecordStatus.WRONG_TYPE.ordinal()]).isPositive();
  }

  @Test
  void spendsNothingOnAClaimedLength() {
    byte[] good = Codecs.CHUNK.encode(new WeightsChunk("m", 1, 0, new byte[0]));
    byte[] huge = Arrays.copyOf(good, good.length + 4);
    byte[] length = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x08};
    System.arraycopy(length, 0, huge, good.length - 1, 5);
    measured(
        huge,
        value -> assertThatThrownBy(() -> Codecs.CHUNK.decode(value))
            .isInstanceOf(UnreadableRecordException.class));
  }

  private static byte[] example(Random random) {
    byte[] unit = random.nextBoolean() ? null : Samples.bytes(random, random.nextInt(20));
    String id = random.nextBoolean() ? null : Samples.text(random);
    if (random.nextBoolean()) {
      double[] values = Samples.gaussians(random, DIMENSION);
      return ExampleCodec.encodeDense(id, unit, values, random.nextGaussian(), 1);
    }
    int[] indices = Samples.indices(random, DIMENSION);
    double[] values = Samples.gaussians(random, indices.length);
    return ExampleCodec.encodeSparse(id, unit, indices, values, random.nextGaussian(), 1);
  }

  private static void measured(byte[] value, Consumer<byte[]> reading) {
    long before = Allocation.ofThisThread();
    reading.accept(value);
    assertThat(Allocation.ofThisThread() - before).isLessThan(MODEST);
  }

  private static void assertSound(Slot slot) {
    if (slot.status() == RecordStatus.USED) {
      assertThat(slot.example().isFinite()).isTrue();
      assertThat(slot.example().norm()).isLessThanOrEqualTo(1);
      assertThat(slot.example().weight()).isNotNegative();
      assertThat(
              java.util.stream.IntStream.range(0, slot.example().size()).map(slot.example()::index))
          .doesNotHaveDuplicates()
          .allMatch(index -> index >= 0 && index < DIMENSION);
    } else {
      assertThat(slot.example().isSparse()).isTrue();
      assertThat(slot.example().size()).isZero();
    }
  }
}

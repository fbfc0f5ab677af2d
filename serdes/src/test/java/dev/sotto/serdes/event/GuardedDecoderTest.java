package dev.sotto.serdes.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Vectors;
import dev.sotto.serdes.event.GuardedDecoder.Rules;
import dev.sotto.serdes.event.GuardedDecoder.Unit;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GuardedDecoderTest {
  private static final int DIMENSION = 4;
  private static final Rules CLIP = new Rules(NormRule.CLIP, Unit.NONE, 100);
  private static final byte[] VALUE = "v".getBytes(UTF_8);
  private static final byte[] KEY = "k".getBytes(UTF_8);

  /** A user's decoding. */
  private interface Way {
    RecordStatus decode(byte[] key, byte[] value, Slot into) throws Exception;
  }

  private static EventDecoderProvider provider(int dimension, Way way) {
    EventDecoder decoder = new EventDecoder() {
      @Override
      public int dimension() {
        return dimension;
      }

      @Override
      public RecordStatus decode(byte[] key, byte[] value, Slot into) {
        try {
          return way.decode(key, value, into);
        } catch (Exception thrown) {
          throw new IllegalStateException(thrown);
        }
      }
    };
    return new EventDecoderProvider() {
      @Override
      public String name() {
        return "mine";
      }

      @Override
      public String version() {
        return "7";
      }

      @Override
      public EventDecoder create(Map<String, String> parameters) {
        return decoder;
      }
    };
  }

  private static GuardedDecoder guarded(Rules rules, Way way) {
    return GuardedDecoder.of(provider(DIMENSION, way), Map.of(), rules);
  }

  private static Slot decoded(Rules rules, Way way) {
    Slot slot = new Slot(DIMENSION);
    slot.example().add(2, 9); // of the record before
    slot.unit(VALUE, 0, 1);
    RecordStatus status = guarded(rules, way).decode(KEY, VALUE, slot);
    assertThat(slot.status()).isEqualTo(status);
    if (status == RecordStatus.USED) {
      assertThat(slot.example().isFinite()).isTrue();
      double[] values = Arrays.copyOf(slot.example().values(), slot.example().size());
      assertThat(slot.example().norm())
          .isLessThanOrEqualTo(1)
          .isEqualTo(Vectors.norm(values, values.length));
      assertThat(slot.example().isSound()).isTrue();
    } else {
      assertThat(slot.example().norm()).isZero();
      assertThat(slot.unitLength()).isEqualTo(-1);
    }
    return slot;
  }

  private static RecordStatus sparse(Slot into, double label, double... values) {
    into.example().label(label);
    for (int i = 0; i < values.length; i++) {
      into.example().add(i, values[i]);
    }
    return RecordStatus.USED;
  }

  private static RecordStatus dense(Slot into, double... values) {
    System.arraycopy(values, 0, into.example().dense(), 0, values.length);
    return RecordStatus.USED;
  }

  @Test
  void passesOnAGoodExample() {
    Slot slot = decoded(CLIP, (key, value, into) -> {
      into.example().weight(0.5);
      into.unit(KEY, 0, 1);
      return sparse(into, 3, 0.25, -0.5);
    });
    assertThat(slot.example().isSparse()).isTrue();
    assertThat(slot.example().value(1)).isEqualTo(-0.5);
    assertThat(slot.example().label()).isEqualTo(3);
    assertThat(slot.example().weight()).isEqualTo(0.5);
    assertThat(slot.unitLength()).as("nobody asked for a unit").isEqualTo(-1);
    Slot full = decoded(CLIP, (key, value, into) -> dense(into, 0.1, 0.2, 0.3, 0.4));
    assertThat(full.example().isSparse()).isFalse();
    assertThat(Arrays.copyOf(full.example().values(), 4)).containsExactly(0.1, 0.2, 0.3, 0.4);
  }

  @Test
  void bringsEveryVectorToNormOneByTheRule() {
    Slot clipped = decoded(CLIP, (key, value, into) -> sparse(into, 0, 3, 4));
    assertThat(clipped.example().value(0)).isCloseTo(0.6, within(1e-15));
    Rules scale = new Rules(NormRule.SCALE, Unit.NONE, 100);
    Slot scaled = decoded(scale, (key, value, into) -> dense(into, 0, 0.03, 0.04, 0));
    assertThat(scaled.example().norm()).isCloseTo(1, within(1e-15));
    Slot zero = decoded(scale, (key, value, into) -> sparse(into, 1));
    assertThat(zero.example().size()).isZero();
  }

  /**
   * The inverse of such a norm is infinite: what follows from it must neither be infinite nor take
   * for ever.
   */
  @Test
  @Timeout(300)
  void bringsTheSmallestVectorsToNormOne() {
    Rules scale = new Rules(NormRule.SCALE, Unit.NONE, 100);
    Slot one = decoded(scale, (key, value, into) -> sparse(into, 1, Double.MIN_VALUE));
    assertThat(one.status()).isEqualTo(RecordStatus.USED);
    assertThat(one.example().value(0)).isEqualTo(1);
    Slot two = decoded(scale, (key, value, into) -> dense(into, 3e-320, 0, -4e-320, 0));
    assertThat(two.example().value(0)).isCloseTo(0.6, within(1e-3));
    assertThat(two.example().value(2)).isCloseTo(-0.8, within(1e-3));
    Slot clipped = decoded(CLIP, (key, value, into) -> sparse(into, 1, Double.MIN_VALUE));
    assertThat(clipped.example().value(0)).isEqualTo(Double.MIN_VALUE);
  }

  /**
   * A record whose decoding writes where it must not, and tidies up, leaves no seat for the records
   * behind it.
   */
  @Test
  void carriesNothingOverFromARecordThatWroteWhereItMustNot() {
    GuardedDecoder decoder = guarded(CLIP, (key, value, into) -> {
      if (value.length == 0) {
        into.example().add(3, 1);
        into.example().indices()[0] = 1;
        into.example().clear();
        return sparse(into, 0, 0.1);
      }
      into.example().add(0, 0.1);
      into.example().add(3, 0.5);
      return RecordStatus.USED;
    });
    Slot slot = new Slot(DIMENSION);
    decoder.decode(KEY, new byte[0], slot);
    decoder.decode(KEY, VALUE, slot);
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().size()).isEqualTo(2);
    assertThat(slot.example().value(0)).isEqualTo(0.1);
    assertThat(slot.example().index(1)).isEqualTo(3);
  }

  static Stream<Arguments> broken() {
    return Stream.of(
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> {
          throw new IllegalArgumentException("secret");
        }),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> {
          throw new AssertionError();
        }),
        way(RecordStatus.DECODER_FAILED, GuardedDecoderTest::endless),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> null),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> RecordStatus.NO_MODEL),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> RecordStatus.NOT_ADMITTED),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> RecordStatus.ABSENT),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> {
          into.example().add(DIMENSION, 1);
          return RecordStatus.USED;
        }),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> {
          sparse(into, 0, 0.1, 0.1);
          into.example().indices()[1] = 0; // one coordinate twice: its norm would be hidden
          return RecordStatus.USED;
        }),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> {
          sparse(into, 0, 0.1, 0.1);
          into.example().indices()[0] = -1;
          return RecordStatus.USED;
        }),
        way(RecordStatus.DECODER_FAILED, (key, value, into) -> {
          into.example().reserve(2);
          into.example().indices()[1] = 1;
          into.example().ascending(2);
          into.example().indices()[0] = 1;
          return RecordStatus.USED;
        }),
        way(RecordStatus.NOT_FINITE, (key, value, into) -> sparse(into, Double.NaN, 0.1)),
        way(RecordStatus.NOT_FINITE, (key, value, into) -> sparse(into, 1, Double.NaN)),
        way(RecordStatus.NOT_FINITE, (key, value, into) -> dense(into, Double.NEGATIVE_INFINITY)),
        way(RecordStatus.NOT_FINITE, (key, value, into) -> dense(into, 1.7e308, 1.7e308, 1.7e308)),
        way(RecordStatus.NOT_FINITE, (key, value, into) -> {
          into.example().weight(Double.POSITIVE_INFINITY);
          return sparse(into, 1, 0.1);
        }),
        way(RecordStatus.WRONG_TYPE, (key, value, into) -> {
          into.example().weight(-1);
          return sparse(into, 1, 0.1);
        }),
        way(RecordStatus.UNREADABLE, (key, value, into) -> {
          sparse(into, 1, 0.1);
          return RecordStatus.UNREADABLE;
        }),
        way(RecordStatus.MISSING_FIELD, (key, value, into) -> RecordStatus.MISSING_FIELD));
  }

  private static Arguments way(RecordStatus status, Way way) {
    return Arguments.of(status, way);
  }

  private static RecordStatus endless(byte[] key, byte[] value, Slot into) {
    return endless(key, value, into);
  }

  @ParameterizedTest
  @MethodSource("broken")
  void setsAsideWhatBreaksTheContract(RecordStatus status, Way way) {
    assertThat(decoded(CLIP, way).status()).isEqualTo(status);
  }

  /** Whatever a decoder did to its buffers, the next record is decoded as if it were the first. */
  @ParameterizedTest
  @MethodSource("broken")
  void leavesNothingOfOneRecordToTheNext(RecordStatus status, Way way) {
    Way[] now = {way};
    GuardedDecoder decoder = guarded(CLIP, (key, value, into) -> now[0].decode(key, value, into));
    Slot slot = new Slot(DIMENSION);
    assertThat(decoder.decode(KEY, VALUE, slot)).isEqualTo(status);
    now[0] = (key, value, into) -> sparse(into, 1, 0.1, 0.2, 0.3, 0.4);
    assertThat(decoder.decode(KEY, VALUE, slot)).isEqualTo(RecordStatus.USED);
    for (int i = 0; i < DIMENSION; i++) {
      assertThat(slot.example().index(i)).isEqualTo(i);
      assertThat(slot.example().value(i)).isCloseTo(0.1 * (i + 1), within(1e-15));
    }
    now[0] = (key, value, into) -> {
      into.example().dense(); // fills in nothing, as if all were zero
      return RecordStatus.USED;
    };
    decoder.decode(KEY, VALUE, slot);
    assertThat(slot.example().norm()).isZero();
    now[0] = (key, value, into) -> {
      into.example().reserve(1);
      into.example().ascending(1);
      return RecordStatus.USED;
    };
    decoder.decode(KEY, VALUE, slot);
    assertThat(slot.example().norm()).isZero();
  }

  @Test
  void asksForNoMoreThanItShould() {
    Way never = (key, value, into) -> {
      throw new IllegalStateException("asked");
    };
    Slot slot = new Slot(DIMENSION);
    assertThat(guarded(CLIP, never).decode(KEY, null, slot)).isEqualTo(RecordStatus.EMPTY);
    assertThat(guarded(CLIP, never).decode(KEY, new byte[101], slot))
        .isEqualTo(RecordStatus.TOO_LARGE);
  }

  @Test
  void handsOutCopiesOfTheRecord() {
    byte[] value = VALUE.clone();
    byte[] key = KEY.clone();
    guarded(CLIP, (k, v, into) -> {
          v[0] = 0;
          k[0] = 0;
          return RecordStatus.UNREADABLE;
        })
        .decode(key, value, new Slot(DIMENSION));
    assertThat(value).isEqualTo(VALUE);
    assertThat(key).isEqualTo(KEY);
  }

  @Test
  void takesUnitsFromWhereTheyAreToCome() {
    Way named = (key, value, into) -> {
      into.unit("user".getBytes(UTF_8), 0, 4);
      return sparse(into, 1, 0.1);
    };
    Way nameless = (key, value, into) -> sparse(into, 1, 0.1);
    Rules decoder = new Rules(NormRule.CLIP, Unit.DECODER, 100);
    Rules ofKey = new Rules(NormRule.CLIP, Unit.KEY, 100);
    assertThat(unit(decoded(decoder, named))).isEqualTo("user");
    assertThat(unit(decoded(ofKey, named))).isEqualTo("k");
    assertThat(decoded(decoder, nameless).status()).isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(guarded(ofKey, named).decode(null, VALUE, new Slot(DIMENSION)))
        .isEqualTo(RecordStatus.MISSING_FIELD);
    Way long1025 = (key, value, into) -> {
      into.unit(new byte[FeatureMap.MAX_UNIT_BYTES + 1], 0, FeatureMap.MAX_UNIT_BYTES + 1);
      return sparse(into, 1, 0.1);
    };
    assertThat(decoded(decoder, long1025).status()).isEqualTo(RecordStatus.TOO_LARGE);
  }

  private static String unit(Slot slot) {
    return new String(slot.unit(), 0, slot.unitLength(), UTF_8);
  }

  @Test
  void isNotMadeWhereAClassIsMissing() {
    assertThatThrownBy(() -> guarded(CLIP, (key, value, into) -> {
          throw new NoClassDefFoundError("org/example/Parser");
        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the decoder mine cannot be run")
        .hasMessageContaining("org/example/Parser");
  }

  /**
   * Otherwise whoever sends such a record would end learning, and the end would tell that it was
   * sent.
   */
  @Test
  void setsAsideARecordThatNeedsAMissingClass() {
    GuardedDecoder decoder = guarded(CLIP, (key, value, into) -> {
      if (value.length == 1) {
        throw new NoClassDefFoundError("org/example/Rare");
      }
      return sparse(into, 1, 0.1);
    });
    assertThat(decoder.decode(KEY, new byte[1], new Slot(DIMENSION)))
        .isEqualTo(RecordStatus.DECODER_FAILED);
    assertThat(decoder.decode(KEY, new byte[2], new Slot(DIMENSION))).isEqualTo(RecordStatus.USED);
  }

  @Test
  void refusesDimensionsThatNoModelHas() {
    for (int dimension : new int[] {0, -1, (1 << 24) + 1}) {
      assertThatThrownBy(() -> GuardedDecoder.of(
              provider(dimension, (key, value, into) -> RecordStatus.USED), Map.of(), CLIP))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("dimension() must be 1 to 2^24, but is " + dimension);
    }
  }

  @Test
  void describesAllThatDecides() {
    EventDecoderProvider provider = provider(DIMENSION, (key, value, into) -> RecordStatus.USED);
    String text = GuardedDecoder.describe(provider, Map.of("a", "b"), CLIP, DIMENSION);
    assertThat(text)
        .isEqualTo("events own mine(version=\"7\" \"a\"=\"b\")\ndimension 4\nnorm clip\n"
            + "unit none\nmax-bytes 100\n");
  }

  /** Random writes into every buffer that a decoder is given. */
  @Test
  void keepsTheContractWhateverIsDoneToTheBuffers() {
    Random random = Seed.random(5);
    int[] seen = new int[RecordStatus.values().length];
    GuardedDecoder decoder = guarded(CLIP, (key, value, into) -> {
      Example example = into.example();
      for (int i = 0; i < 6; i++) {
        double any = random.nextInt(9) == 0 ? Double.NaN : random.nextGaussian();
        switch (random.nextInt(9)) {
          case 0 -> example.dense()[random.nextInt(DIMENSION)] = any;
          case 1 -> example.reserve(random.nextInt(DIMENSION + 1));
          case 2 -> example.indices()[random.nextInt(2)] = random.nextInt(DIMENSION + 2) - 1;
          case 3 -> example.values()[random.nextInt(2)] = any;
          case 4 -> example.ascending(random.nextInt(DIMENSION));
          case 5 -> example.label(any);
          case 6 -> into.clear();
          default -> example.add(random.nextInt(DIMENSION), any);
        }
      }
      return random.nextInt(20) == 0 ? RecordStatus.WRONG_TYPE : RecordStatus.USED;
    });
    Slot slot = new Slot(DIMENSION);
    for (int i = 0; i < 20_000; i++) {
      seen[decoder.decode(KEY, VALUE, slot).ordinal()]++;
      assertThat(slot.example().isFinite()).isTrue();
      assertThat(slot.example().norm()).isLessThanOrEqualTo(1);
      assertThat(slot.example().isSound()).isTrue();
    }
    assertThat(seen[RecordStatus.USED.ordinal()]).isGreaterThan(2_000);
    assertThat(seen[RecordStatus.DECODER_FAILED.ordinal()]).isGreaterThan(2_000);
    assertThat(seen[RecordStatus.NOT_FINITE.ordinal()]).isGreaterThan(200);
  }
}

package dev.sotto.learner.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleTest {
  private static Example ascending(int dimension, int[] indices, double... values) {
    Example example = new Example(dimension);
    example.reserve(indices.length);
    System.arraycopy(indices, 0, example.indices(), 0, indices.length);
    System.arraycopy(values, 0, example.values(), 0, values.length);
    assertThat(example.ascending(indices.length)).isTrue();
    return example;
  }

  @Test
  void mergesEntriesOfOneCoordinate() {
    Example example = new Example(10);
    example.add(7, 3);
    example.add(2, 1);
    example.add(7, 1);
    assertThat(example.size()).isEqualTo(2);
    assertThat(example.index(0)).isEqualTo(7);
    assertThat(example.value(0)).isEqualTo(4);
    // Two entries of 3 and 1 would have hidden a part of the norm: sqrt 11 where sqrt 17 is true.
    assertThat(example.norm()).isEqualTo(Math.sqrt(17));
    assertThat(example.l1Norm()).isEqualTo(5);
  }

  @Test
  void mergesIntoEntriesThatCameInAscendingOrder() {
    Example example = ascending(10, new int[] {1, 5, 9}, 1, 2, 3);
    example.add(5, 0.5);
    example.add(0, 4);
    assertThat(example.size()).isEqualTo(4);
    assertThat(example.value(1)).isEqualTo(2.5);
    assertThat(example.index(3)).isZero();
  }

  @Test
  void appendsInWhateverOrder() {
    Example example = new Example(10);
    for (int index : new int[] {1, 5, 5, 3, 9, 1}) {
      example.append(index, 1);
    }
    assertThat(example.isSound()).isTrue();
    assertThat(example.size()).isEqualTo(4);
    assertThat(example.norm()).isEqualTo(Math.sqrt(4 + 4 + 1 + 1));
    for (int outside : new int[] {-1, 10}) {
      assertThatThrownBy(() -> new Example(10).append(outside, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void startsAsAZeroVectorOfWeightOne() {
    Example example = new Example(3);
    assertThat(example.isSparse()).isTrue();
    assertThat(example.size()).isZero();
    assertThat(example.label()).isZero();
    assertThat(example.weight()).isEqualTo(1);
    assertThat(example.norm()).isZero();
    assertThat(example.dot(new double[] {1, 2, 3})).isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Example(0))
        .withMessage("dimension must be at least 1, but was 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4})
  void reservesNoMoreThanItsDimension(int room) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Example(3).reserve(room))
        .withMessage("room must be between 0 and the dimension 3, but was " + room);
  }

  @Test
  void takesAscendingCoordinatesOnly() {
    int[][] wrong = {{2, 1}, {1, 1}, {-1, 0}, {3, 10}, {Integer.MIN_VALUE, 4}};
    Example example = new Example(10);
    for (int[] indices : wrong) {
      example.reserve(2);
      System.arraycopy(indices, 0, example.indices(), 0, 2);
      example.values()[0] = 5;
      assertThat(example.ascending(2)).isFalse();
      assertThat(example.size()).isZero();
      assertThat(example.norm()).isZero();
    }
    example.dense();
    assertThatIllegalStateException().isThrownBy(() -> example.ascending(1));
    assertThatIllegalStateException()
        .isThrownBy(() -> ascending(10, new int[] {1}, 1).ascending(1));
  }

  @Test
  void extendsWithAscendingCoordinatesOnly() {
    int[][] wrong = {{2, 4}, {3, 4}, {5, 5}, {7, 100}, {-1, 5}};
    Example example = new Example(100);
    example.append(3, 1);
    for (int[] indices : wrong) {
      example.makeRoom(2);
      System.arraycopy(indices, 0, example.indices(), 1, 2);
      assertThat(example.extend(2)).isFalse();
      assertThat(example.size()).isEqualTo(1);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> example.extend(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> example.extend(99));
    example.makeRoom(90);
    assertThat(example.measure()).isEqualTo(1);
    for (int i = 1; i <= 90; i++) {
      example.indices()[i] = 3 + i;
      example.values()[i] = 1;
    }
    assertThat(example.extend(90)).isTrue();
    assertThat(example.isSound()).isTrue();
    assertThat(example.norm()).isEqualTo(Math.sqrt(91));
    example.add(93, 1);
    assertThat(example.size()).isEqualTo(91);
    example.makeRoom(1); // others have their places noted now
    example.indices()[91] = 99;
    assertThat(example.extend(1)).isFalse();
  }

  @Test
  void countsAnythingNotFinite() {
    for (double broken : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
      Example features = ascending(5, new int[] {1, 3}, 1, broken);
      assertThat(features.isFinite()).isFalse();
      assertThat(features.norm()).isNotFinite();
      assertThat(features.l1Norm()).isNotFinite();
      Example label = new Example(5);
      label.label(broken);
      assertThat(label.isFinite()).isFalse();
      Example weight = new Example(5);
      weight.weight(broken);
      assertThat(weight.isFinite()).isFalse();
      assertThat(new Example(5).isFinite()).isTrue();
    }
  }

  @Test
  void ignoresStaleValuesBeyondItsSize() {
    Example example = new Example(4);
    example.dense()[3] = Double.NaN;
    example.clear();
    example.add(0, 3);
    assertThat(example.isFinite()).isTrue();
    assertThat(example.norm()).isEqualTo(3);
  }

  /** One buffer through thousands of records of every kind, beside a map that cannot go wrong. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 40, 300})
  void staysEqualToAMapUnderAnySequenceOfCalls(int dimension) {
    Random random = Seed.random(dimension);
    Example example = new Example(dimension);
    Map<Integer, Double> model = new HashMap<>();
    for (int step = 0; step < 5000; step++) {
      switch (random.nextInt(9)) {
        case 8 -> {
          int from = random.nextInt(dimension);
          for (int index = from; index < Math.min(dimension, from + 40); index += 2) {
            example.append(index, 1);
            model.merge(index, 1.0, Double::sum);
          }
        }
        case 0 -> {
          example.clear();
          model.clear();
        }
        case 1 -> fillDense(example, model, random);
        case 2 -> fillAscending(example, model, random);
        case 3 -> {
          example.scale(0.5);
          model.replaceAll((index, value) -> 0.5 * value);
        }
        default -> {
          int index = random.nextInt(dimension);
          double value = random.nextInt(-8, 9); // sums are exact
          example.add(index, value);
          model.merge(index, value, Double::sum);
        }
      }
      assertEqual(example, model, random);
    }
  }

  private static void fillDense(Example example, Map<Integer, Double> model, Random random) {
    double[] values = example.dense();
    model.clear();
    for (int i = 0; i < example.dimension(); i++) {
      values[i] = random.nextInt(-8, 9);
      model.put(i, values[i]);
    }
  }

  private static void fillAscending(Example example, Map<Integer, Double> model, Random random) {
    int[] chosen =
        random.ints(0, example.dimension()).limit(5).distinct().sorted().toArray();
    example.reserve(chosen.length);
    model.clear();
    for (int i = 0; i < chosen.length; i++) {
      example.indices()[i] = chosen[i];
      example.values()[i] = random.nextInt(-8, 9);
      model.put(chosen[i], example.values()[i]);
    }
    assertThat(example.ascending(chosen.length)).isTrue();
  }

  private static void assertEqual(Example example, Map<Integer, Double> model, Random random) {
    int dimension = example.dimension();
    double[] vector = random.doubles(dimension, -1, 1).toArray();
    Map<Integer, Double> stored = new HashMap<>();
    for (int place = 0; place < example.size(); place++) {
      Double twice = stored.put(example.index(place), example.value(place));
      assertThat(twice).isNull();
    }
    assertThat(stored).isEqualTo(model);
    double squares = 0;
    double inner = 0;
    double size = 0;
    for (Map.Entry<Integer, Double> entry : model.entrySet()) {
      squares += entry.getValue() * entry.getValue();
      inner += entry.getValue() * vector[entry.getKey()];
      size += Math.abs(entry.getValue());
    }
    assertThat(example.norm()).isCloseTo(Math.sqrt(squares), within(1e-14 * size));
    assertThat(example.l1Norm()).isCloseTo(size, within(1e-14 * size));
    assertThat(example.dot(vector)).isCloseTo(inner, within(1e-13 * size));
  }

  @Test
  void keepsTheCopyOfAUnitAndForgetsItWhenCleared() {
    Slot slot = new Slot(2);
    assertThat(slot.unitLength()).isEqualTo(-1);
    byte[] source = new byte[100];
    source[50] = 7;
    slot.unit(source, 50, 40);
    source[50] = 8;
    assertThat(slot.unitLength()).isEqualTo(40);
    assertThat(slot.unit()[0]).isEqualTo((byte) 7);
    slot.example().add(1, 3);
    slot.status(RecordStatus.USED);
    slot.clear();
    assertThat(slot.unitLength()).isEqualTo(-1);
    assertThat(slot.status()).isEqualTo(RecordStatus.EMPTY);
    assertThat(slot.example().size()).isZero();
  }

  @Test
  void keepsTheCodesOfStatuses() {
    String codes = "";
    for (RecordStatus status : RecordStatus.values()) {
      assertThat(RecordStatus.ofCode(status.code())).isEqualTo(status);
      codes += status.code() + status.name() + " ";
    }
    assertThat(codes)
        .isEqualTo("0USED 1UNREADABLE 2EMPTY 3MISSING_FIELD 4WRONG_TYPE 5NOT_FINITE 6TOO_LARGE"
            + " 7NO_MODEL 8NO_UNIT 9NOT_ADMITTED 10ABSENT 11DECODER_FAILED"
            + " 12TOO_MANY_MODELS 13UNKNOWN_SCHEMA 14NO_LABEL 15NOT_JOINED 16RETIRED ");
    assertThat(RecordStatus.ofCode(99)).isEqualTo(RecordStatus.UNREADABLE);
  }

  /** The clip of a gradient rests on the norm: a kept one must not outlive a change. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forgetsTheMeasuredNormWithEveryChange(boolean sparse) {
    List<Consumer<Example>> changes = List.of(
        example -> example.add(1, 3),
        example -> example.scale(2),
        Example::clear,
        Example::wipe,
        example -> example.dense()[2] = 7,
        example -> {
          example.reserve(2);
          assertThat(example.measure()).isZero();
          example.indices()[0] = 3;
          example.values()[0] = 5;
          assertThat(example.ascending(1)).isTrue();
        },
        example -> example.restore(null, new double[] {1, 2, 3, 4, 5}),
        example -> example.restore(new int[] {4, 0}, new double[] {6, 8}));
    for (Consumer<Example> change : changes) {
      Example example = new Example(5);
      if (!sparse) {
        Arrays.fill(example.dense(), 1);
      }
      example.add(1, 4);
      double before = example.measure();
      assertThat(before).isEqualTo(Vectors.norm(example.values(), example.size()));
      change.accept(example);
      assertThat(example.norm())
          .isEqualTo(Vectors.norm(example.values(), example.size()))
          .isNotEqualTo(before);
    }
  }

  @Test
  void keepsAMeasuredNormAndNoOther() {
    Example example = new Example(2);
    double[] values = example.dense();
    values[0] = 3;
    values[1] = 4;
    assertThat(example.norm()).isEqualTo(5);
    values[1] = 0;
    assertThat(example.norm()).isEqualTo(3);
    assertThat(example.measure()).isEqualTo(3);
    values[1] = 4; // what nobody may do: it shows that the norm is kept
    assertThat(example.norm()).isEqualTo(3);
    assertThat(example.isFinite()).isTrue();
    example.dense()[0] = Double.NaN;
    assertThat(example.measure()).isNaN();
    assertThat(example.isFinite()).isFalse();
    values[0] = 1;
    assertThat(example.norm()).isEqualTo(Math.sqrt(17));
  }
}

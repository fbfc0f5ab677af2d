package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.Example;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bulk way into an example, which decoders use, against the slow one. */
class AscendingExampleTest {

  @Test
  void agreesWithAddingOneByOne() {
    Random random = Seed.random(1);
    Example bulk = new Example(50);
    Example slow = new Example(50);
    for (int i = 0; i < 3000; i++) {
      int[] indices = Samples.indices(random, 50);
      double[] values = Samples.gaussians(random, indices.length);
      assertThat(fill(bulk, indices, values)).isTrue();
      slow.clear();
      for (int j = 0; j < indices.length; j++) {
        slow.add(indices[j], values[j]);
      }
      for (int more = random.nextInt(4) * 3; more > 0; more--) { // the seats must be right by then
        int index = random.nextInt(50);
        bulk.add(index, more);
        slow.add(index, more);
      }
      assertThat(bulk.size()).isEqualTo(slow.size());
      assertThat(bulk.isSparse()).isEqualTo(slow.isSparse());
      for (int j = 0; j < slow.size(); j++) {
        assertThat(bulk.index(j)).isEqualTo(slow.index(j));
        assertThat(bulk.value(j)).isEqualTo(slow.value(j));
      }
      if (random.nextInt(5) == 0) {
        bulk.dense();
      }
    }
  }

  @Test
  void staysZeroWhenCoordinatesDoNotAscend() {
    Example example = new Example(5);
    double[] values = {1, 1};
    for (int[] wrong : new int[][] {{1, 1}, {2, 1}, {-1, 1}, {0, 5}, {Integer.MIN_VALUE, 0}}) {
      assertThat(fill(example, wrong, values)).isFalse();
      assertThat(example.size()).isZero();
      assertThat(example.norm()).isZero();
    }
    assertThat(fill(example, new int[] {0, 4}, values)).isTrue();
  }

  @Test
  void refusesMoreRoomThanTheDimension() {
    Example example = new Example(5);
    assertThatThrownBy(() -> example.reserve(6))
        .hasMessage("room must be between 0 and the dimension 5, but was 6");
    example.reserve(5);
    example.add(1, 1);
    assertThatThrownBy(() -> example.ascending(1)).isInstanceOf(IllegalStateException.class);
  }

  private static boolean fill(Example example, int[] indices, double[] values) {
    example.reserve(indices.length);
    System.arraycopy(indices, 0, example.indices(), 0, indices.length);
    System.arraycopy(values, 0, example.values(), 0, indices.length);
    return example.ascending(indices.length);
  }
}

package dev.sotto.learner.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SpareArraysTest {
  private final SpareArrays<long[]> spare = SpareArrays.ofLongs(2);

  @Test
  void givesWhatWasGivenUp() {
    long[] old = {1, 2, 3};
    spare.give(old);
    assertThat(spare.any(3)).isSameAs(old).containsExactly(1, 2, 3);
    assertThat(spare.any(3)).isNotSameAs(old).containsExactly(0, 0, 0);
  }

  @Test
  void givesZerosWhereTheyAreAskedFor() {
    long[] old = {1, 2, 3};
    spare.give(old);
    assertThat(spare.zeros(3)).isSameAs(old).containsExactly(0, 0, 0);
    assertThat(SpareArrays.ofDoubles(1).zeros(2)).containsExactly(0, 0);
  }

  @Test
  void copiesAPart() {
    long[] old = {7, 8};
    spare.give(old);
    assertThat(spare.copy(new long[] {1, 2, 3}, 1, 3)).isSameAs(old).containsExactly(2, 3);
    assertThat(spare.copy(new long[] {1, 2, 3}, 1, 1)).isEmpty();
  }

  @Test
  void refusesAnArrayThatWouldBeGivenToTwo() {
    long[] old = new long[3];
    spare.give(new long[3]);
    spare.give(old);
    assertThatIllegalStateException()
        .isThrownBy(() -> spare.give(old))
        .withMessageContaining("twice");
  }

  @Test
  void keepsFewAndOfOneLength() {
    long[][] given = {new long[3], new long[3], new long[3]};
    for (long[] each : given) {
      spare.give(each);
    }
    assertThat(spare.any(3)).isSameAs(given[1]);
    assertThat(spare.any(3)).isSameAs(given[0]);
    assertThat(spare.any(3)).isNotSameAs(given[2]);

    spare.give(given[0]);
    long[] longer = new long[4];
    spare.give(longer);
    assertThat(spare.any(4)).isSameAs(longer);
    assertThat(spare.any(3)).isNotSameAs(given[0]);

    spare.give(given[0]);
    spare.any(4);
    assertThat(spare.any(3)).isNotSameAs(given[0]);
  }

  @Test
  void sharesEmptyOnes() {
    long[] none = {};
    spare.give(none);
    spare.give(none);
    long[] some = new long[3];
    spare.give(some);
    assertThat(spare.any(0)).isEmpty();
    assertThat(spare.any(3)).isSameAs(some);
  }

  @Test
  void leavesOtherThreadsAlone() throws InterruptedException {
    long[] old = new long[3];
    spare.give(old);
    var theirs = new AtomicReference<long[]>();
    Thread other = new Thread(() -> theirs.set(spare.any(3)));
    other.start();
    other.join();
    assertThat(theirs.get()).isNotNull().isNotSameAs(old);
  }
}

package dev.sotto.app.quality;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the gate moves an alias. */
class ModelWindowsTest {
  private static final byte[] RUN = new byte[16];
  private static final long SLOTS = 1_000_000;

  private static AliasTarget version(long version) {
    return new AliasTarget("m", RUN, version);
  }

  private static ModelMetrics window(long first, long last, double loss) {
    double[] sums = {loss * SLOTS, 0.9 * SLOTS, 0.1 * SLOTS};
    NoisyMetrics noisy = new NoisyMetrics(first, last, SLOTS, 1, sums, 30);
    return new ModelMetrics("m", RUN, noisy, new byte[32]);
  }

  private static ModelWindows windows(ModelMetrics... all) {
    ModelWindows windows = new ModelWindows();
    List.of(all).forEach(windows::add);
    return windows;
  }

  private static ModelAlias at(long version) {
    return ModelAlias.first("champion", version(version), "", "");
  }

  private static final ModelWindows BETTER = windows(window(1, 10, 0.5), window(11, 20, 0.4));

  @Test
  void movesToTheVersionOfABetterWindow() {
    assertThat(BETTER.move(at(10)))
        .hasValueSatisfying(move -> assertThat(move.target()).isEqualTo(version(20)));
    assertThat(BETTER.move(at(3))).isPresent(); // a version within the first window
  }

  @Test
  void staysWhereTheNewestIsNotBetterBeyondNoise() {
    assertThat(windows(window(1, 10, 0.5), window(11, 20, 0.4999)).move(at(10))).isEmpty();
    assertThat(windows(window(1, 10, 0.4), window(11, 20, 0.5)).move(at(10))).isEmpty();
    assertThat(windows(window(1, 10, 0.5), window(11, 20, 0.4), window(21, 30, 0.5))
            .move(at(10)))
        .isEmpty();
    assertThat(BETTER.move(at(20))).isEmpty();
  }

  @Test
  void staysWhereTheLossOfThePresentVersionIsNotKnown() {
    assertThat(BETTER.move(at(25))).isEmpty();
    assertThat(windows(window(11, 20, 0.5), window(21, 30, 0.4)).move(at(10))).isEmpty();
  }

  @Test
  void leavesRollbacksAndDeletionsAlone() {
    ModelAlias moved = at(10).set(version(20), "gate", "");
    ModelAlias back = moved.rollback(moved.back().orElseThrow(), "ann", "");
    assertThat(BETTER.move(back)).isEmpty();
    assertThat(windows(window(1, 10, 0.5), window(11, 20, 0.4), window(21, 30, 0.2))
            .move(back))
        .isEmpty();
    assertThat(BETTER.move(at(10).delete("", ""))).isEmpty();
    // Somebody sets it: the gate goes on, but never to what the rollback has left behind.
    ModelAlias set = back.set(version(10), "ann", "");
    assertThat(BETTER.move(set)).isEmpty();
    assertThat(windows(window(1, 10, 0.5), window(11, 20, 0.4), window(21, 30, 0.2))
            .move(set))
        .hasValueSatisfying(move -> assertThat(move.target()).isEqualTo(version(30)));
  }

  @Test
  void forgetsAnEarlierRun() {
    ModelWindows windows = windows(window(1, 10, 0.5), window(11, 20, 0.4));
    NoisyMetrics first = window(1, 10, 0.3).noisy();
    windows.add(new ModelMetrics("m", new byte[] {1}, first, new byte[32]));
    assertThat(windows.move(at(10))).isEmpty();
  }
}

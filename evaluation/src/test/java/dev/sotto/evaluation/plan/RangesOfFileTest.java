package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.training.Plan;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RangesOfFileTest {
  private static final String[] NUMBER = {"features.numeric.free.field=free"};

  private static Plan plan(String... more) {
    return Configured.plan(
        Stream.concat(Arrays.stream(NUMBER), Arrays.stream(more)).toArray(String[]::new));
  }

  @Test
  void areMeasuredInATenthOfTheRecordsWhereTheNoiseAsksForMore() {
    Plan plan = plan();
    long usual = RangesOfFile.usual(plan);
    assertThat(usual).isEqualTo(768);
    assertThat(RangesOfFile.most(10 * usual - 1, plan)).isEqualTo(usual - 1);
    assertThat(RangesOfFile.most(10 * usual, plan)).as("as usual").isZero();
    assertThat(RangesOfFile.most(1, plan)).as("never fewer").isEqualTo(192);
  }

  @Test
  void areMeasuredInATenthOfTheRecordsOfUnitsToo() {
    Plan plan = plan("privacy.unit=key", "unit.from=key");
    assertThat(RangesOfFile.most(4_000, plan)).isEqualTo(400);
  }

  /** A label's range must be found. */
  @Test
  void keepTheirWindowWhereALabelIsMeasured() {
    assertThat(RangesOfFile.most(1_000, plan("loss=squared"))).isZero();
    assertThat(RangesOfFile.most(1_000, Configured.plan()))
        .as("no range at all")
        .isZero();
  }
}

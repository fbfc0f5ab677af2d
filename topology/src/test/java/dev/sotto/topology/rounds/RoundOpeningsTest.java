package dev.sotto.topology.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.training.GradientQuery;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.log.ControlRecords;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a coordinator asks is what its workers read, also where it takes several records. */
class RoundOpeningsTest {
  private static final int PIECE = 64 * 1024; // numbers

  private static RoundOpenings opened(int dimension, GradientQuery query) {
    RoundOpenings openings = new RoundOpenings(0, 0, dimension);
    for (ControlRecords.Entry each :
        ControlRecords.round(query, "key", Encryption.none().topic(null))) {
      if (ControlRecords.closes(each.headers()) == 0) {
        RoundPoint piece = RoundCodecs.POINT.decode(each.value());
        openings.put(piece);
      }
    }
    return openings;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PIECE - 4, PIECE, PIECE + 1})
  void tellThePointAndTheRanges(int dimension) {
    double[] point = new double[dimension];
    Arrays.setAll(point, i -> i + 0.25);
    GradientQuery plain = new GradientQuery(7, 1, point, 0, new double[0]);
    RoundOpenings without = opened(dimension, plain);
    assertThat(without.of(7).point()).isEqualTo(point);
    assertThat(without.of(7).ranges()).isEmpty();

    List<NumberRange> ranges =
        List.of(NumberRange.UNKNOWN, NumberRange.of(-0.5, 1e9), NumberRange.ATOM);
    RoundOpenings with = opened(dimension, plain.with(ranges));
    assertThat(with.of(7).point()).isEqualTo(point);
    assertThat(with.of(7).ranges()).isEqualTo(ranges);
    assertThat(with.point(7)).isEqualTo(point);
  }
}

package dev.sotto.learner.optimizer.resque;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Points that every machine draws alike. Seeds are fixed: a false alarm is impossible. */
class PerturbationsTest {
  private static final double[] GOLDEN = {
    -0.06545985797713788, 0.2219146724611101, 0.2091319858589551
  };

  @Test
  void drawsTheSameBitsEverywhere() {
    double[] drawn = new double[3];
    new Perturbations(3, 0.25, 42).draw(7, 2, drawn);
    assertThat(drawn).containsExactly(GOLDEN);
  }

  @Test
  void drawsStandardNormals() {
    int d = 5;
    Perturbations perturbations = new Perturbations(d, 2, 9);
    double[] xi = new double[d];
    double sum = 0;
    double squares = 0;
    double fourths = 0;
    double products = 0;
    int draws = 40_000;
    Set<Double> first = new HashSet<>();
    for (int i = 0; i < draws; i++) {
      perturbations.draw(1 + i / 8, i % 8, xi);
      first.add(xi[0]);
      products += xi[0] * xi[1] / 4;
      for (double each : xi) {
        double z = each / 2;
        sum += z;
        squares += z * z;
        fourths += z * z * z * z;
      }
    }
    double n = (double) draws * d;
    assertThat(first).hasSize(draws);
    // 4 standard errors of each.
    assertThat(sum / n).isCloseTo(0, within(4 / Math.sqrt(n)));
    assertThat(squares / n).isCloseTo(1, within(4 * Math.sqrt(2 / n)));
    assertThat(fourths / n).isCloseTo(3, within(4 * Math.sqrt(96 / n)));
    assertThat(products / draws).isCloseTo(0, within(4 / Math.sqrt(draws)));
  }

  @Test
  void addsThemToACenter() {
    Perturbations perturbations = new Perturbations(2, 1, 1);
    double[] xi = new double[2];
    double[] point = new double[2];
    perturbations.draw(3, 1, xi);
    perturbations.point(3, 1, new double[] {10, 20}, point);
    assertThat(point).containsExactly(10 + xi[0], 20 + xi[1]);
  }
}

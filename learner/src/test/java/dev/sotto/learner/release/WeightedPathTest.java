package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.CallNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Reweighted steps, and how far one slot moves their average. Seeds and keys are fixed. */
class WeightedPathTest {
  private static final int D = 20;
  private static final double CLIP = 0.8;
  private static final double RADIUS = 0.01;
  private static final double PULL = 0.02;
  private static final int STEPS = 512;
  private static final double STEP = RADIUS / CLIP / (4 * Math.sqrt(1024)); // as of check 13
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final Lattice LATTICE = new Lattice(0x1p-40, CLIP, D, 1);
  private static final CallNoise NOISE = noise(20, STEP, 1e-9);

  private static CallNoise noise(double ratio, double step, double failure) {
    CallNoise.Shape shape = new CallNoise.Shape(D, RADIUS / CLIP, ratio, 1 / CLIP, PULL, failure);
    List<Phase> phases = List.of(new Phase(STEPS, step), new Phase(4, step / 4));
    return new CallNoise(shape, List.of(phases), List.of(0));
  }

  /** A slot as numbers; null features for a null slot. */
  private record Record(double[] features, double label) {
    Example example() {
      Example example = new Example(D);
      System.arraycopy(features, 0, example.dense(), 0, D);
      example.label(label);
      return example;
    }
  }

  /** What would void the guarantee. */
  private enum Fault {
    NONE,
    NO_WEIGHTS,
    CUT_WEIGHTS,
    NO_CLIP
  }

  private static byte[] seed(int run) {
    byte[] seed = new byte[32];
    seed[0] = (byte) run;
    seed[1] = (byte) (run >> 8);
    return seed;
  }

  private static double[] computed(
      Losses loss, double[] center, double[] from, List<Record> records, int run) {
    WeightedPath path = new WeightedPath(LATTICE, NOISE, Objective.of(loss.make()));
    path.open(1, center, from);
    path.perturb(KEY, seed(run));
    for (Record each : records) {
      if (each.features() == null) {
        path.addNothing();
      } else {
        path.add(each.example());
      }
    }
    assertThat(path.isFull()).isTrue();
    double[] average = new double[D];
    Arrays.setAll(average, i -> path.numbers()[D + i] / STEPS);
    return average;
  }

  /** The same from its definition, for any rho, with a fault. */
  private static double[] plain(
      Losses name, double rho, double[] center, List<Record> records, int run, Fault fault) {
    Loss loss = name.make();
    double[] y = new double[D];
    double[] average = new double[D];
    for (int j = 0; j < STEPS; j++) {
      Record each = records.get(j);
      for (int i = 0; i < D; i++) {
        average[i] += y[i] / STEPS;
      }
      double lambda = PULL * CLIP / RADIUS;
      double[] a = each.features();
      if (a != null) {
        double[] xi = new double[D];
        new KeyedNoise(KEY, rho)
            .draw(
                seed(run),
                "perturbation",
                j + 1,
                D,
                (from, z, n) -> System.arraycopy(z, 0, xi, from, n));
        double[] point = new double[D];
        Arrays.setAll(point, i -> center[i] + xi[i]);
        double norm = Math.sqrt(OrderedPathTest.dot(a, a));
        double most = fault == Fault.NO_CLIP ? 1e300 : CLIP / norm;
        double c = Math.max(
            -most, Math.min(most, loss.slope(OrderedPathTest.dot(a, point), each.label())));
        double factor = STEP * c * weight(y, xi, rho, fault);
        for (int i = 0; i < D; i++) {
          y[i] -= factor * a[i];
        }
      }
      double shrink = 1 + STEP * lambda;
      for (int i = 0; i < D; i++) {
        y[i] /= shrink;
      }
      double length = Math.sqrt(OrderedPathTest.dot(y, y));
      for (int i = 0; length > RADIUS && i < D; i++) {
        y[i] *= RADIUS / length;
      }
    }
    return average;
  }

  private static double weight(double[] y, double[] xi, double rho, Fault fault) {
    double log = (OrderedPathTest.dot(y, xi) - OrderedPathTest.dot(y, y) / 2) / rho / rho;
    return switch (fault) {
      case NO_WEIGHTS -> 1;
      case CUT_WEIGHTS -> Math.min(1, Math.exp(log));
      default -> Math.exp(log);
    };
  }

  private static double[] direction(Random random, double length) {
    double[] a = new double[D];
    Arrays.setAll(a, i -> random.nextGaussian());
    double norm = Math.sqrt(OrderedPathTest.dot(a, a));
    Arrays.setAll(a, i -> a[i] * length / norm);
    return a;
  }

  private static List<Record> records(Random random, Losses loss) {
    boolean binary = !loss.make().admits(2);
    List<Record> records = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      double label = binary ? random.nextInt(2) : 0.1 * random.nextGaussian();
      boolean nothing = random.nextInt(12) == 0;
      double length = random.nextInt(3) == 0 ? 30 : 1; // some are cut
      records.add(new Record(nothing ? null : direction(random, length), label));
    }
    return records;
  }

  @ParameterizedTest
  @EnumSource(value = Losses.class, mode = Mode.EXCLUDE, names = "POISSON")
  void stepsAsItIsDefined(Losses loss) {
    Random random = Seed.random(3);
    double rho = 20 * RADIUS;
    for (int run = 0; run < Tier.choose(2, 5); run++) {
      List<Record> records = records(random, loss);
      double[] center = direction(random, 0.7);
      double[] average = computed(loss, center, new double[D], records, run);
      assertThat(
              OrderedPathTest.distance(average, plain(loss, rho, center, records, run, Fault.NONE)))
          .isLessThan(1e-10);
      for (Fault each : List.of(Fault.NO_WEIGHTS, Fault.CUT_WEIGHTS, Fault.NO_CLIP)) {
        assertThat(OrderedPathTest.distance(average, plain(loss, rho, center, records, run, each)))
            .isGreaterThan(1e-7);
      }
    }
  }

  private static double[] first(double[] numbers, int count) {
    return Arrays.copyOf(numbers, count);
  }

  /** Acceptance check 13, on the path that is released: one slot is another in the second run. */
  @Test
  void movesItsAverageByNoMoreThanItsNoiseHides() {
    Random random = Seed.random(7);
    double[] worst = new double[2];
    double narrow = 0;
    double parted = 0;
    for (int run = 0; run < Tier.choose(30, 200); run++) {
      List<Record> one = records(random, Losses.ABSOLUTE);
      int place = random.nextInt(1 + run % STEPS);
      double[] a = direction(random, 3);
      one.set(place, new Record(a, 1e6));
      double[] center = new double[D];
      double[] average = computed(Losses.ABSOLUTE, center, new double[D], one, run);
      double[] moved = new double[2];
      for (int side = 0; side < 2; side++) {
        List<Record> other = new ArrayList<>(one);
        other.set(place, side == 0 ? new Record(null, 0) : new Record(a, -1e6));
        double[] second = computed(Losses.ABSOLUTE, center, new double[D], other, run);
        moved[side] = OrderedPathTest.distance(average, second) / ((1 + side) * CLIP);
        worst[side] = Math.max(worst[side], moved[side] / NOISE.noise(1));
        if (side == 1 && run < 10) {
          // The twins: perturbations smaller than the ball, and others in the second run.
          double rho = RADIUS / 8;
          double[] near = plain(Losses.ABSOLUTE, rho, center, one, run, Fault.NONE);
          double[] far = plain(Losses.ABSOLUTE, rho, center, other, run, Fault.NONE);
          narrow =
              Math.max(narrow, OrderedPathTest.distance(near, far) / (2 * CLIP * NOISE.noise(1)));
          double[] fresh = computed(Losses.ABSOLUTE, center, new double[D], other, run + 1000);
          parted = Math.max(
              parted, OrderedPathTest.distance(average, fresh) / (2 * CLIP * NOISE.noise(1)));
        }
      }
    }
    assertThat(worst[0]).isBetween(0.2, 1.0);
    assertThat(worst[1]).isBetween(0.2, 1.0);
    assertThat(parted).isGreaterThan(1.2);
    assertThat(narrow).isGreaterThan(1.0);
  }

  @Test
  void countsItsConstantWithItsNoise() {
    // c of a phase is that of the table, and rounding hardly adds to it.
    double c = NOISE.constant(1);
    double exact = dev.sotto.learner.mechanism.Stability.constant(
        STEP / (20 * RADIUS / CLIP), 1.0 / 20, STEPS, 1e-9);
    assertThat(c).isBetween(exact, exact * 1.001);
    assertThat(NOISE.noise(1)).isBetween(STEP * c / 2, STEP * c / 2 * 1.001);
    assertThat(noise(20, STEP, 1e-12).noise(1)).isGreaterThan(NOISE.noise(1));
    assertThat(noise(50, STEP, 1e-9).noise(1)).isLessThan(NOISE.noise(1));
    assertThat(NOISE.failure()).isEqualTo(1e-9);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise(3, STEP, 1e-9))
        .withMessageContaining("rho / r must be from 10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> noise(20, STEP, 1e-20))
        .withMessageContaining("2^-71");
  }

  @Test
  void drawsWhatNobodyKnowsBeforeAndAllSlotsApart() {
    List<Record> records = records(Seed.random(5), Losses.HINGE);
    double[] none = new double[D];
    double[] one = computed(Losses.HINGE, none, none, records, 1);
    assertThat(computed(Losses.HINGE, none, none, records, 1)).containsExactly(one);
    assertThat(OrderedPathTest.distance(computed(Losses.HINGE, none, none, records, 2), one))
        .isGreaterThan(1e-6);
    // A slot that became empty leaves the perturbations of those behind it where they were.
    List<Record> other = new ArrayList<>(records);
    other.set(0, new Record(null, 0));
    assertThat(OrderedPathTest.distance(computed(Losses.HINGE, none, none, other, 1), one))
        .isLessThan(CLIP * NOISE.noise(1));
  }

  /** In 600 dimensions both densities are 0 as doubles, and their quotient is no number. */
  @Test
  void weighsWithoutDensities() {
    int d = 600;
    double radius = 0.05;
    CallNoise.Shape shape = new CallNoise.Shape(d, radius / CLIP, 20, 1 / CLIP, 0.5, 1e-9);
    CallNoise noise =
        new CallNoise(shape, List.of(List.of(new Phase(2, radius / CLIP / 2))), List.of(0));
    Lattice lattice = new Lattice(0x1p-40, CLIP, d, 1);
    WeightedPath path = new WeightedPath(lattice, noise, Objective.of(Losses.ABSOLUTE.make()));
    path.open(1, new double[d], new double[d]);
    path.perturb(KEY, seed(1));
    Example example = new Example(d);
    example.dense()[0] = 1;
    Arrays.fill(example.values(), 1, d, 0);
    example.label(1e3);
    path.add(example);
    double moved = path.numbers()[0];
    assertThat(moved).isBetween(0.39 * radius, 0.41 * radius);
    double[] xi = new double[d];
    new KeyedNoise(KEY, 20 * radius)
        .draw(seed(1), "perturbation", 2, d, (from, z, n) -> System.arraycopy(z, 0, xi, from, n));
    path.add(example);
    // w = exp(y xi_0 - y^2 / 2), as rho is 1.
    double weight = Math.exp(moved * xi[0] - moved * moved / 2);
    double eta = radius / CLIP / 2;
    double expected =
        Math.min(radius, (moved + eta * CLIP * weight) / (1 + eta * 0.5 * CLIP / radius));
    assertThat(path.numbers()[0]).isBetween(expected * (1 - 1e-8), expected * (1 + 1e-8));
    double square = 0;
    for (double each : xi) {
      square += each * each;
    }
    double density = Math.exp(-square / 2) * Math.pow(2 * Math.PI, -d / 2.0);
    assertThat(density / density).isNaN();
  }

  @Test
  void keepsToItsDomain() {
    WeightedPath path = new WeightedPath(LATTICE, NOISE, Objective.of(Losses.LOGISTIC.make()));
    double[] outside = new double[D];
    outside[0] = 1.1;
    assertThatIllegalStateException()
        .isThrownBy(() -> path.open(1, outside, new double[D]))
        .withMessageContaining("a centre must lie within");
    double[] far = new double[D];
    far[3] = 1;
    path.open(2, new double[D], far);
    path.perturb(KEY, seed(1));
    assertThat(first(path.numbers(), D)[3]).isEqualTo(RADIUS);
    path.addNothing(4);
    assertThat(first(path.numbers(), D)[3])
        .isBetween(RADIUS * (1 - STEP * PULL * CLIP / RADIUS), RADIUS * (1 - 1e-6));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WeightedPath(LATTICE, NOISE, Objective.of(Losses.POISSON.make())))
        .withMessageContaining("ordered-calls, whose guarantee rests on their convexity");
  }
}

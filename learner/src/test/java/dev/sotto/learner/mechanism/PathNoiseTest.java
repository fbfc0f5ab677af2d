package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.mechanism.QuerySchedule.Query;
import dev.sotto.learner.participation.ColumnDecay;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What the noise of ordered paths pays for, against the formulas that their pages state. */
class PathNoiseTest {
  private static final double U = 0x1p-53;
  private static final CallNoise.Shape SHAPE = new CallNoise.Shape(5, 0.01, 50, 1, 0.5, 1e-9);
  private static final List<Phase> LONG = List.of(new Phase(64, 1e-4), new Phase(16, 5e-5));
  private static final List<Phase> SHORT = List.of(new Phase(8, 2e-5));
  private static final CallNoise CALLS =
      new CallNoise(SHAPE, List.of(LONG, SHORT), List.of(0, 1, 1, 1, 0));
  private static final PathNoise PATHS = new PathNoise(7, 3, 0.05, LONG);

  private static void refused(ThrowingCallable making, String words) {
    assertThatIllegalArgumentException().isThrownBy(making).withMessageContaining(words);
  }

  /** The table of the class, line by line; all of it is as small as the numbers let it be. */
  private static double step(int d, double r, double eta, double b, double e) {
    double gradient = eta * e;
    double product = 2 * U * eta * b;
    double difference = U * (r + eta * b);
    double projection = (d + 8) * U * r;
    double clip = (d + 8) * U * eta * b;
    double underflow = 0x1p-400 * (1 + r);
    return 1.05 * (gradient + product + difference + projection + clip + underflow);
  }

  @Test
  void countsWhatEachStepRounds() {
    double[][] each = { // d, R, eta, B, E
      {1, 1, 0.1, 1, 1e-13}, {1, 0.01, 3, 2, 0}, {900, 2, 1e-3, 7, 1e-12}, {3, 0x1p-420, 0, 1, 0}
    };
    for (double[] at : each) {
      PathRounding rounding = new PathRounding((int) at[0], at[1], at[2], at[3], at[4]);
      double expected = step((int) at[0], at[1], at[2], at[3], at[4]);
      assertThat(rounding.ofStep()).isCloseTo(expected, within(1e-12 * expected));
      double path = 1.05 * 9 * expected;
      assertThat(rounding.ofPath(9)).isCloseTo(path, within(1e-12 * path));
      double average = path + 1.05 * 10 * U * at[1];
      assertThat(rounding.ofAverage(9)).isCloseTo(average, within(1e-12 * average));
    }
    // With few steps of few weights the mean is a part of it that can be seen.
    PathRounding few = new PathRounding(1, 1, 0, 0, 0);
    assertThat(few.ofAverage(1) / (1.05 * U)).isCloseTo(1.05 * 10 + 2, within(1e-9));
  }

  @Test
  void countsWhatGradientsRound() {
    PathRounding scores = PathRounding.ofScores(6, 3, 0.25);
    assertThat(scores.gradient()).isEqualTo(1);
    assertThat(scores.gradientError())
        .isCloseTo(1.05 * (2 * 6 * U * 3 / 0.25 + PathRounding.SLOPE_ERROR), within(1e-24));
    PathRounding wide = PathRounding.ofScores(1 << 20, 1e6, 1e-3); // scores more than slopes
    double expected = 1.05 * (0x1p21 * U * 1e6 / 1e-3 + PathRounding.SLOPE_ERROR);
    assertThat(wide.gradientError()).isCloseTo(expected, within(1e-12 * expected));
    PathRounding.Weights weights = new PathRounding.Weights(4, 13, 1.5);
    PathRounding weighted = PathRounding.ofWeights(6, 3, 2, 0.25, weights);
    double log = 10 * U * 0.75 * (13 + 0.75);
    assertThat(weighted.gradient()).isEqualTo(3);
    assertThat(weighted.gradientError())
        .isCloseTo(1.05 * 3 * (log + 2 * U), within(1e-12 * 3 * log));
    refused(() -> PathRounding.ofWeights(6, 3, 2, 0.25, new PathRounding.Weights(4, 1e16, 1)), "");
  }

  @Test
  void refusesPathsThatItCannotBound() {
    double infinite = Double.POSITIVE_INFINITY;
    refused(() -> new PathRounding(0, 1, 1, 1, 0), "dimension");
    refused(() -> new PathRounding(1, 0, 1, 1, 0), "radius");
    refused(() -> new PathRounding(1, infinite, 1, 1, 0), "radius");
    refused(() -> new PathRounding(1, 1, -1, 1, 0), "at least 0");
    refused(() -> new PathRounding(1, 1, 1, -1, 0), "at least 0");
    refused(() -> new PathRounding(1, 1, 1, 1, -1), "at least 0");
    refused(() -> new PathRounding(1, 1, 1e200, 1e200, 0), "finite");
    refused(() -> new PathRounding(1, 1, 1e-200, infinite, 0), "finite");
    refused(() -> new PathRounding(1, 1, 1e200, 0, 1e200), "finite");
    refused(() -> new PathNoise(0, 3, 0.05, LONG), "dimension");
    refused(() -> new PathNoise(7, 0x1p-201, 0.05, LONG), "reach must be between 2^-200");
    refused(() -> new PathNoise(7, 3, 0x1p201, LONG), "smoothing must be between 2^-200");
    refused(() -> new Phase(0, 1), "at least one slot");
    refused(() -> new Phase(1, Double.NaN), "a step must be");
    assertThat(new PathNoise(7, 0x1p-200, 0x1p200, List.of(new Phase(1, 0x1p-200))).queries())
        .isEqualTo(1);
  }

  /** c / 2 at one order, from the formulas of the class. */
  private static double distance(int p, double a, double t, long steps, double delta, double[] e) {
    double m2 = ImportanceWeight.differenceFactor(2, t);
    double mp = ImportanceWeight.differenceFactor(p, t);
    double m2p = ImportanceWeight.differenceFactor(2 * p, t);
    double chi = 2 * a * mp + Math.pow(a * m2p, 2);
    double g = Math.pow(a * m2, 2)
        + 2 * a * m2 * e[0]
        + (p - 1) / 2.0 * chi * chi * Math.pow(1 + chi, p - 2);
    double omega = Math.exp((2 * p - 1) * t * t / 2);
    return (omega + e[1]) * Math.pow(1 + g, steps / 2.0) * Math.pow(delta, -1 / (2.0 * p));
  }

  @Test
  void takesTheBestOrderOfStability() {
    for (double a : new double[] {1e-4, 0.01, 0.3}) {
      for (double[] e : new double[][] {{0, 0}, {1e-3, 0.5}}) {
        for (long steps : new long[] {1, 50, 2000}) {
          double best = Double.POSITIVE_INFINITY;
          for (int p = 2; p <= 200; p++) {
            best = Math.min(best, distance(p, a, 0.1, steps, 1e-6, e));
          }
          double stated = Stability.distance(a, 0.1, steps, 1e-6, new Stability.Errors(e[0], e[1]));
          assertThat(stated).isBetween(best * (1 + 0.9e-9), best * (1 + 1.1e-9));
        }
      }
    }
    assertThat(Stability.constant(0.01, 0.1, 50, 1e-6))
        .isEqualTo(2 * Stability.distance(0.01, 0.1, 50, 1e-6, Stability.Errors.NONE));
    for (double[] bad : new double[][] {{-1, 0, 0.5}, {0, -1, 0.5}, {0, 0, 0}, {0, 0, 1}}) {
      refused(() -> Stability.constant(bad[0], bad[1], 1, bad[2]), "delta between 0 and 1");
    }
    assertThat(Stability.constant(0, 0, 1, 0.5)).isBetween(2.0, 2.01);
    assertThat(ImportanceWeight.logAbsoluteMoment(1, 0))
        .isCloseTo(0.5 * Math.log(2 / Math.PI), within(1e-15));
  }

  @Test
  void paysForStepLatticeAndRounding() {
    for (long query = 1; query <= 2; query++) {
      Phase phase = LONG.get((int) query - 1);
      double apart = phase.step() * (1 + 0x1p-14)
          + 2 * PathRounding.ofScores(7, 3, phase.step()).ofAverage(phase.slots());
      assertThat(PATHS.noise(query)).isBetween(apart * (1 + 0x1p-41), apart * (1 + 0x1p-39));
      assertThat(PATHS.step(query)).isEqualTo(phase.step());
      assertThat(PATHS.moves(query)).isEqualTo(phase.step());
      assertThat(PATHS.coarsest(query, 2))
          .isCloseTo(phase.step() * 2 * 0x1p-14 / Math.sqrt(7), within(1e-15))
          .isLessThan(phase.step() * 2 * 0x1p-14 / Math.sqrt(7));
    }
    // Of many weights in a wide ball rounding is most of it.
    PathNoise wide = new PathNoise(1 << 20, 1e6, 0.05, List.of(new Phase(1 << 20, 1e-4)));
    double apart =
        2 * PathRounding.ofScores(1 << 20, 1e6, 1e-4).ofAverage(1 << 20) + 1e-4 * (1 + 0x1p-14);
    assertThat(wide.noise(1)).isBetween(apart, apart * (1 + 0x1p-39)).isGreaterThan(1);
  }

  /** The bound of the class's comment, from its parts. */
  private static double constant(CallNoise.Shape shape, Phase phase) {
    double rho = shape.reach() * shape.ratio();
    PathRounding rounding = rounding(shape, phase);
    double far = shape.domain() / rho + Math.sqrt(shape.dimension()) + 10;
    double h = (shape.dimension() + 4) * U * far + 0x1p-44;
    Stability.Errors errors = new Stability.Errors(
        0x1p-30 + Math.sqrt(4 * h), 2 * rounding.ofPath(phase.slots()) / phase.step());
    return 2
        * Stability.distance(
            phase.step() / rho,
            (1 + 0x1p-20) / shape.ratio(),
            phase.slots(),
            shape.failure() - phase.slots() * 0x1p-72,
            errors);
  }

  private static PathRounding rounding(CallNoise.Shape shape, Phase phase) {
    return PathRounding.ofWeights(
        shape.dimension(),
        shape.reach(),
        1,
        phase.step(),
        new PathRounding.Weights(
            shape.reach() * shape.ratio(),
            Math.sqrt(shape.dimension()) + 10,
            Math.exp(10 / shape.ratio())));
  }

  @Test
  void paysForTheConstantOfACall() {
    for (CallNoise.Shape shape : List.of(
        SHAPE,
        new CallNoise.Shape(300, 0.5, 10, 0.5, 0, 0.01),
        new CallNoise.Shape(1 << 20, 100, 20, 1e6, 0, 1e-15))) {
      for (Phase phase : List.of(new Phase(64, 1e-4), new Phase(700, 0.02), new Phase(3, 1))) {
        CallNoise noise = new CallNoise(shape, List.of(List.of(phase)), List.of(0));
        double c = constant(shape, phase);
        assertThat(noise.constant(1)).isCloseTo(c, within(1e-7 * c));
        double apart = phase.step() * (noise.constant(1) / 2 + 0x1p-14)
            + 2 * rounding(shape, phase).ofAverage(phase.slots());
        assertThat(noise.noise(1)).isBetween(apart * (1 + 0x1p-42), apart * (1 + 0x1p-39));
      }
    }
    refused(
        () -> new CallNoise(
            new CallNoise.Shape(5, 0.01, 50, 1, 0.5, 0x1p-66),
            List.of(List.of(new Phase(64, 1e-4))),
            List.of(0)),
        "the failure must be at least 2^-71 for each step");
  }

  @Test
  void goesThroughTheCallsInTheirOrder() {
    assertThat(CALLS.queries()).isEqualTo(7); // 2, 1, 1, 1, 2
    assertThat(CALLS.schedule().query(7)).isEqualTo(new Query(168, 16, 6, 0));
    assertThat(CALLS.step(3)).isEqualTo(2e-5);
    assertThat(CALLS.step(7)).isEqualTo(5e-5);
    assertThat(CALLS.noise(6)).isEqualTo(CALLS.noise(1));
    assertThat(CALLS.constant(7)).isEqualTo(CALLS.constant(2)).isNotEqualTo(CALLS.constant(1));
    assertThat(CALLS.worstConstant())
        .isEqualTo(Math.max(CALLS.constant(1), Math.max(CALLS.constant(2), CALLS.constant(3))));
    assertThat(CALLS.failure()).isEqualTo(1e-9);
    assertThat(CALLS.smoothing()).isEqualTo(0.01 * 50);
    assertThat(CALLS.order()).containsExactly(0, 1, 1, 1, 0);
    assertThat(CALLS.rows()).containsExactly(LONG, SHORT);
    for (List<Integer> order : List.of(List.of(-1), List.of(2), List.of(0, 3))) {
      refused(() -> new CallNoise(SHAPE, List.of(LONG, SHORT), order), "of one of 2 rows");
    }
    refused(() -> new CallNoise(SHAPE, List.of(List.of()), List.of(0)), "each with phases");
  }

  @Test
  void refusesShapesOfCallsThatItCannotBound() {
    refused(() -> new CallNoise.Shape(0, 1, 50, 1, 0, 0.1), "dimension");
    refused(() -> new CallNoise.Shape(5, 0, 50, 1, 0, 0.1), "reach");
    refused(() -> new CallNoise.Shape(5, 1, 50, 0, 0, 0.1), "domain");
    for (double ratio : new double[] {Math.nextDown(10.0), Math.nextUp(0x1p40), Double.NaN}) {
      refused(() -> new CallNoise.Shape(5, 1, ratio, 1, 0, 0.1), "rho / r must be from 10.0");
    }
    for (double pull : new double[] {-1, Math.nextUp(0x1p40)}) {
      refused(() -> new CallNoise.Shape(5, 1, 50, 1, pull, 0.1), "pull must be");
    }
    for (double failure : new double[] {0, 1}) {
      refused(() -> new CallNoise.Shape(5, 1, 50, 1, 0, failure), "failure must be above 0");
    }
    assertThat(new CallNoise.Shape(1, 1, 10, 1, 0, 0.5).pull()).isZero();
    assertThat(new CallNoise.Shape(1, 1, 0x1p40, 1, 0x1p40, 0.5).dimension()).isEqualTo(1);
  }

  @Test
  void isReadFromItsLineAgain() {
    for (OrderedNoise each : List.of(PATHS, CALLS)) {
      Mechanism read = Mechanisms.of(each.name(), each.parameters());
      assertThat(read.parameters()).isEqualTo(each.parameters());
      assertThat(((OrderedNoise) read).noise(2)).isEqualTo(each.noise(2));
      for (String line : List.of(
          "",
          each.parameters() + " ",
          each.parameters().replace("reach=", "x="),
          each.parameters().replace("@", ":"),
          each.parameters().replace("0x1.", "0x01."),
          each.parameters() + "*2*2")) {
        refused(() -> Mechanisms.of(each.name(), line), "");
      }
    }
    assertThat(CALLS.parameters()).endsWith(" order=0,1*3,0");
    for (OrderedNoise each : List.of(
        new PathNoise(1, 3, 0.05, SHORT), new CallNoise(SHAPE, List.of(SHORT), List.of(0)))) {
      assertThat(Mechanisms.of(each.name(), each.parameters()).parameters())
          .isEqualTo(each.parameters());
    }
    String shared = CALLS.parameters().substring(0, CALLS.parameters().indexOf(" call="));
    refused(() -> Mechanisms.of(CallNoise.NAME, shared), "calls and their order, but was");
    refused(() -> Mechanisms.of(CallNoise.NAME, shared + " order=0"), "calls and their order");
    refused(
        () -> Mechanisms.of(CallNoise.NAME, CALLS.parameters().replace("1*3", "1*0")),
        "calls are row*times");
    refused(
        () -> Mechanisms.of(CallNoise.NAME, CALLS.parameters().replace("1*3", "1*1048577")),
        "calls are row*times");
    assertThat(PATHS.parameters())
        .isEqualTo("dimension=7 reach=0x1.8p1 smoothing=" + Double.toHexString(0.05) + " 64@"
            + Double.toHexString(1e-4) + " 16@" + Double.toHexString(5e-5));
    assertThat(PATHS.ofDimension(9).parameters())
        .isEqualTo(PATHS.parameters().replace("dimension=7", "dimension=9"));
  }

  @Test
  void isNoiseOfAnAverageForEachPhase() {
    assertThat(PATHS.memory()).contains(ColumnDecay.NONE);
    assertThat(PATHS.smoothing()).isEqualTo(0.05);
    assertThat(MomentumTree.endless(0.5, 0.0).kind(new Kind())).isEqualTo("decayed");
    assertThat(new WindowTree(8, 4, 0.25).kind(new Kind())).isEqualTo("windows");
    for (OrderedNoise each : List.of(PATHS, CALLS)) {
      assertThat(each.kind(new Kind())).isEqualTo("answers");
      boolean isPath = each.match(paths -> true, calls -> false);
      assertThat(isPath).isEqualTo(each == PATHS);
      assertThat(each.isPerturbed()).isEqualTo(each == CALLS);
      assertThat(each.audits()).isEqualTo(each == PATHS);
      assertThat(each.rests()).isEqualTo(each == PATHS ? " and smoothness" : "");
      assertThat(each.dimension()).isEqualTo(each == PATHS ? 7 : 5);
      assertThat(each.reach()).isEqualTo(each == PATHS ? 3 : 0.01);
      assertThat(each.answers()).containsSame(each);
      assertThat(each.ordered()).containsSame(each);
      assertThat(each.released()).isEqualTo(Released.AVERAGE);
      assertThat(each.auditTerms().checks()).containsExactly(AuditTerms.SlotCheck.PATHS);
      assertThat(each.divisor(9)).isEqualTo(1);
      assertThat(each.describesQueries()).isTrue();
      assertThat(each.noun() + each.nouns()).isEqualTo("phasephases");
      assertThat(each.noised()).contains("an average");
      assertThat(each.passes()).isEqualTo(1);
      assertThat(each.sensitivity(9)).isEqualTo(1);
      assertThat(each.sensitivityLimit()).isEqualTo(1);
      assertThat(each.fits(Optional.of(each.schedule()))).isTrue();
      assertThat(each.fits(Optional.empty())).isFalse();
      double least = Double.POSITIVE_INFINITY;
      double largest = 0;
      for (long query = 1; query <= each.queries(); query++) {
        least = Math.min(least, each.noise(query));
        largest = Math.max(largest, each.noise(query));
      }
      assertThat(each.leastNoise()).isEqualTo(least);
      assertThat(each.largestNoise()).isEqualTo(largest);
      AnswerRows rows = each.answerRows();
      assertThat(rows.isFresh()).isTrue();
      assertThat(rows.row(2)).containsExactly(1 / each.noise(2));
      assertThat(rows.moved(2, 2)).isEqualTo(1 / each.noise(2));
      assertThat(rows.moved(2, 1)).isZero();
    }
  }

  private static final class Kind implements QueryMechanism.Kinds<String> {
    @Override
    public String answers(AnswerNoise noise) {
      return "answers";
    }

    @Override
    public String decayedSums(MomentumTree tree) {
      return "decayed";
    }

    @Override
    public String windows(WindowTree tree) {
      return "windows";
    }
  }

  private static Section row(Section told, int row) {
    return ((Table) told.parts().get(0)).rows().get(row).facts();
  }

  @Test
  void isToldWithTheNoiseOfAPlan() {
    PlanFigures plan = new PlanFigures(4, 2, 9, 100, 1e-6, failure -> 3 * failure);
    Section paths = PATHS.describe(plan);
    assertThat(paths.title()).isEqualTo("The phases of a block, and their noise");
    assertThat(row(paths, 1).value("slots")).contains("64 to 79");
    assertThat(row(paths, 1).value("std")).contains(4 * PATHS.noise(2));
    assertThat(row(paths, 1).value("ofAll")).contains(12 * PATHS.noise(2));
    Section calls = CALLS.describe(plan);
    assertThat(calls.title()).isEqualTo("The calls of a block, and their noise");
    assertThat(((Table) calls.parts().get(0)).rows()).hasSize(2);
    double largest = Math.max(CALLS.noise(1), CALLS.noise(2));
    assertThat(row(calls, 0).value("std")).contains(4 * largest);
    assertThat(row(calls, 0).value("ofAll")).contains(12 * largest);
    assertThat(row(calls, 1).value("std")).contains(4 * CALLS.noise(3));
    assertThat(row(calls, 1).value("calls")).contains(3);
    CallNoise longFirst = new CallNoise(SHAPE, List.of(LONG, SHORT), List.of(0, 0, 1));
    assertThat(row(longFirst.describe(plan), 1).value("std")).contains(4 * longFirst.noise(5));
    assertThat(calls.parts().toString())
        .contains(
            "5 oracle calls", "within 0.02 (r)", "at points 1 (rho)", "takes (1 + e^epsilon)");
  }
}

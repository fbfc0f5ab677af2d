package dev.sotto.learner.mechanism;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Gaussian noise on the averages of reweighted paths (Algorithms 3 to 7 over disjoint slices, "Form
 * O"; docs/resque.md); a round is a block. Calls of private solvers follow each other, each a row
 * of phases, and every phase takes one step for each of its own slots, in their order. So a slot
 * moves one average, and a block costs {@code s / sigma}, except with probability {@link
 * #failure()}.
 *
 * <p>With the clip L, the step of a slot at the offset y from a public centre is
 *
 * <pre>
 * T(y) = Proj((y - eta w(y) g) / (1 + eta lambda))     onto the ball of radius r = reach L
 * </pre>
 *
 * where g is the gradient of the slot at the centre plus xi, of norm L at most, w the {@link
 * ImportanceWeight} of y, and xi ~ N(0, rho^2 I) fresh for each step and independent of all slots.
 * T is no contraction. It is one in the mean, since the loss is convex; {@link Stability} bounds
 * how far two runs part. Of the failure, 2^-72 for each step of a phase pays for what the bounds of
 * rounding leave out: perturbations longer than {@code rho (sqrt(d) + 10)} and weights above {@code
 * e^(10 t)}, of probability e^-50 and Phi(-10) at most.
 */
public final class CallNoise extends OrderedNoise {
  /** The name in ledgers. */
  public static final String NAME = "ordered-calls";

  /** Below this rho / r the weights vary so much that noise would drown the model. */
  public static final double LEAST_RATIO = 10;

  private static final double TAIL = 10; // in standard deviations
  private static final double OF_TAILS = 0x1p-72;
  private static final double U = 0x1p-53;

  private final Shape shape;
  private final List<List<Phase>> rows;
  private final List<Integer> order;
  private final List<Phase> phases;

  /**
   * The numbers that all phases share.
   *
   * @param dimension d, at least 1
   * @param reach r / L
   * @param ratio rho / r, at least {@link #LEAST_RATIO}
   * @param domain R / L: centres are no longer than R
   * @param pull lambda r / L, at least 0
   * @param failure the probability with which a slot may move an average by more than its noise
   *     counts with, above 0 and below 1
   */
  public record Shape(
      int dimension, double reach, double ratio, double domain, double pull, double failure) {
    public Shape {
      if (dimension < 1) {
        throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
      }
      checkSize("reach", reach);
      checkSize("domain", domain);
      if (!(ratio >= LEAST_RATIO && ratio <= 0x1p40)) {
        throw new IllegalArgumentException(
            "rho / r must be from " + LEAST_RATIO + " to 2^40, but was " + ratio);
      }
      if (!(pull >= 0 && pull <= 0x1p40)) {
        throw new IllegalArgumentException("pull must be from 0 to 2^40, but was " + pull);
      }
      if (!(failure > 0 && failure < 1)) {
        throw new IllegalArgumentException(
            "failure must be above 0 and below 1, but was " + failure);
      }
    }

    /** rho / L. */
    double rho() {
      return reach * ratio;
    }
  }

  /**
   * The noise of calls.
   *
   * @param rows the phases of each kind of call
   * @param order of each call its row, from 0
   */
  public CallNoise(Shape shape, List<List<Phase>> rows, List<Integer> order) {
    super(schedule(shape, rows, order), shape.dimension(), shape.reach());
    this.shape = shape;
    this.rows = rows.stream().map(List::copyOf).toList();
    this.order = List.copyOf(order);
    this.phases = order.stream().flatMap(row -> rows.get(row).stream()).toList();
  }

  private static QuerySchedule schedule(Shape shape, List<List<Phase>> rows, List<Integer> order) {
    if (order.stream()
        .anyMatch(row -> row < 0 || row >= rows.size() || rows.get(row).isEmpty())) {
      throw new IllegalArgumentException("calls must be of one of " + rows.size()
          + " rows, each with phases, but were of " + order);
    }
    Map<Phase, Double> known = new HashMap<>();
    List<QuerySchedule.Segment> segments = new ArrayList<>();
    long first = 0;
    for (int row : order) {
      for (Phase each : rows.get(row)) {
        double noise = known.computeIfAbsent(each, phase -> noise(shape, phase));
        segments.add(QuerySchedule.Segment.whole(first, each.slots(), 1, noise));
        first = Math.addExact(first, each.slots());
      }
    }
    return new QuerySchedule(segments);
  }

  /** How far the average of a phase moves for each unit of s, but for its failures. */
  private static double noise(Shape shape, Phase phase) {
    double apart = phase.step() * (constant(shape, phase) / 2 + LATTICE)
        + 2 * rounding(shape, phase).ofAverage(phase.slots());
    return apart * (1 + 0x1p-40);
  }

  /**
   * c of a phase, the rounding of its steps included: replaced contents move its average by at most
   * {@code c eta L}, but for its failures.
   *
   * @throws IllegalArgumentException where the failure is too small for the number of steps
   */
  private static double constant(Shape shape, Phase phase) {
    double markov = shape.failure() - phase.slots() * OF_TAILS;
    if (!(markov >= shape.failure() / 2)) {
      throw new IllegalArgumentException("the failure must be at least 2^-71 for each step of a"
          + " phase, but was " + shape.failure() + " for " + phase.slots());
    }
    double drift = 2 * rounding(shape, phase).ofPath(phase.slots()) / phase.step();
    double a = phase.step() / shape.rho() * (1 + 0x1p-40);
    double t = (1 + 0x1p-20) / shape.ratio(); // the projection is rounded
    return 2
        * Stability.distance(
            a, t, phase.slots(), markov, new Stability.Errors(gradientError(shape), drift));
  }

  private static PathRounding rounding(Shape shape, Phase phase) {
    double longest = Math.sqrt(shape.dimension()) + TAIL;
    double largest = StrictMath.exp(TAIL / shape.ratio()) * (1 + 0x1p-40);
    return PathRounding.ofWeights(
        shape.dimension(),
        shape.reach(),
        1,
        phase.step(),
        new PathRounding.Weights(shape.rho(), longest, largest));
  }

  /**
   * E of {@link Stability}. A computed score is off by {@code h ||a||}, h being {@code (d + 4) u
   * (||centre|| + ||xi||)} and what the sampler of xi rounds. A cut slope never falls and rises by
   * at most {@code 2 L / ||a||} over all scores, and scores have a density of at most {@code 1 /
   * (rho ||a|| sqrt(2 pi))}: so the mean of its error times ||a|| is at most {@code 1.6 h L / rho},
   * and the root mean square L times the root of {@code 3.2 h / rho}, whatever the slope. Slopes
   * themselves are off by {@link PathRounding#SLOPE_ERROR} at most.
   */
  private static double gradientError(Shape shape) {
    double far = shape.domain() / shape.rho() + Math.sqrt(shape.dimension()) + TAIL;
    double h = (shape.dimension() + 4) * U * far + 0x1p-44;
    return 0x1p-30 + Math.sqrt(4 * h);
  }

  /** The numbers that all phases share. */
  public Shape shape() {
    return shape;
  }

  /** Of each call its row. */
  public List<Integer> order() {
    return order;
  }

  /** The phases of each kind of call. */
  public List<List<Phase>> rows() {
    return rows;
  }

  /** c of a query's phase: replaced contents move its average by {@code c eta L} at most. */
  public double constant(long query) {
    return constant(shape, phases.get(segment(query)));
  }

  /** The largest c. */
  public double worstConstant() {
    double worst = 0;
    for (List<Phase> row : rows) {
      for (Phase each : row) {
        worst = Math.max(worst, constant(shape, each));
      }
    }
    return worst;
  }

  @Override
  public double step(long query) {
    return phases.get(segment(query)).step();
  }

  private int segment(long query) {
    return schedule.query(query).segment();
  }

  @Override
  public <T> T match(Function<PathNoise, T> paths, Function<CallNoise, T> calls) {
    return calls.apply(this);
  }

  @Override
  public Section describe(PlanFigures plan) {
    return CallTable.of(this, plan);
  }

  @Override
  public double smoothing() {
    return shape.rho();
  }

  /** No audit draws its perturbations a second time. */
  @Override
  public boolean audits() {
    return false;
  }

  @Override
  public boolean isPerturbed() {
    return true;
  }

  @Override
  public double failure() {
    return shape.failure();
  }

  @Override
  public String rests() {
    return "";
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String parameters() {
    return CallNoiseLine.of(this);
  }
}

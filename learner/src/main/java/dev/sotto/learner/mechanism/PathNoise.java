package dev.sotto.learner.mechanism;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.participation.ColumnDecay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Gaussian noise on the averages of a path that takes one step for every slot of a block, in their
 * order; a round is a block. Each phase of the block is a path of its own from a public point, so a
 * slot moves the average of one phase alone, and a block costs {@code s / sigma}.
 *
 * <p>With the clip L, the step of a slot is {@code T(y) = Proj(y - eta c(<a, y>) a)} onto the ball
 * of radius {@code R = reach L} around the origin. Where c never falls, {@code ||c a||} is at most
 * L and eta at most the phase's step and at most 2 over the smoothness of the slot's loss,
 *
 * <pre>
 * - T brings no two points further apart;
 * - one slot's T and its replacement end at most 2 eta L apart, T and a null slot eta L;
 * - so all points of two paths that differ in one slot, and their averages, are as near, and by
 *   {@link PathRounding} hardly further as they are computed.
 * </pre>
 *
 * <p>This mechanism and {@link CallNoise} rest on properties of the loss (docs/privacy.md, "What
 * the guarantee rests on"): who steps must keep to them, and takes step and radius from here.
 * Everything is in units of the clip, so that no clip goes with parameters of another.
 */
public final class PathNoise extends OrderedNoise {
  /** The name in ledgers. */
  public static final String NAME = "ordered-path";

  private static final String DIMENSION = "dimension=";
  private static final String REACH = " reach=";
  private static final String SMOOTHING = " smoothing=";

  private final double smoothing;
  private final List<Phase> phases;

  /**
   * A phase: a number of slots in a row.
   *
   * @param slots at least 1
   * @param step the largest eta, in weights per unit of a gradient
   */
  public record Phase(long slots, double step) {
    public Phase {
      if (slots < 1) {
        throw new IllegalArgumentException("a phase must have at least one slot, but had " + slots);
      }
      checkSize("a step", step);
    }
  }

  /**
   * The noise of phases.
   *
   * @param dimension number of weights
   * @param reach R / L
   * @param smoothing rho: kinks of the loss are convolved with a Gaussian of {@code rho ||a||}
   */
  public PathNoise(int dimension, double reach, double smoothing, List<Phase> phases) {
    super(schedule(dimension, reach, smoothing, phases), dimension, reach);
    this.smoothing = smoothing;
    this.phases = List.copyOf(phases);
  }

  private static QuerySchedule schedule(
      int dimension, double reach, double smoothing, List<Phase> phases) {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
    checkSize("reach", reach);
    checkSize("smoothing", smoothing);
    List<QuerySchedule.Segment> segments = new ArrayList<>();
    long first = 0;
    for (Phase each : phases) {
      double noise = noise(dimension, reach, each);
      segments.add(QuerySchedule.Segment.whole(first, each.slots(), 1, noise));
      first = Math.addExact(first, each.slots());
    }
    return new QuerySchedule(segments);
  }

  /** How far the average of a phase moves for each unit of s, rounding included. */
  private static double noise(int dimension, double reach, Phase phase) {
    PathRounding rounding = PathRounding.ofScores(dimension, reach, phase.step());
    // The error of an average parts two runs by twice its bound; s is at least the clip.
    double apart = phase.step() * (1 + LATTICE) + 2 * rounding.ofAverage(phase.slots());
    return apart * (1 + 0x1p-40);
  }

  /** The same phases over another number of weights: only what rounding adds is another. */
  @Override
  public PathNoise ofDimension(int weights) {
    return new PathNoise(weights, reach(), smoothing, phases);
  }

  @Override
  public <T> T match(Function<PathNoise, T> paths, Function<CallNoise, T> calls) {
    return paths.apply(this);
  }

  @Override
  public Section describe(PlanFigures plan) {
    return PathTable.of(this, plan);
  }

  @Override
  public boolean isPerturbed() {
    return false;
  }

  /** rho. */
  @Override
  public double smoothing() {
    return smoothing;
  }

  @Override
  public double step(long query) {
    return phases.get(schedule.query(query).segment()).step();
  }

  @Override
  public String rests() {
    return " and smoothness";
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String parameters() {
    StringBuilder text = new StringBuilder(DIMENSION)
        .append(dimension())
        .append(REACH)
        .append(Double.toHexString(reach()))
        .append(SMOOTHING)
        .append(Double.toHexString(smoothing));
    for (Phase each : phases) {
      text.append(' ').append(each.slots()).append('@').append(Double.toHexString(each.step()));
    }
    return text.toString();
  }

  /**
   * The mechanism of a line that {@link #parameters()} gave.
   *
   * @throws IllegalArgumentException for any other line
   */
  static PathNoise parse(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length < 4) {
      throw new IllegalArgumentException(
          NAME + " has dimension, reach, smoothing and phases, but was: " + line);
    }
    List<Phase> phases = new ArrayList<>();
    for (int i = 3; i < parts.length; i++) {
      String[] phase = parts[i].split("@", -1);
      if (phase.length != 2) {
        throw new IllegalArgumentException("a phase is slots@step, but was " + parts[i]);
      }
      phases.add(new Phase(Long.parseLong(phase[0]), Double.parseDouble(phase[1])));
    }
    PathNoise read = new PathNoise(
        Integer.parseInt(CallNoiseLine.value(parts[0], DIMENSION)),
        Double.parseDouble(CallNoiseLine.value(parts[1], REACH.trim())),
        Double.parseDouble(CallNoiseLine.value(parts[2], SMOOTHING.trim())),
        phases);
    if (!read.parameters().equals(line)) {
      throw new IllegalArgumentException("unknown parameters of mechanism " + NAME + ": " + line);
    }
    return read;
  }

  @Override
  public Optional<ColumnDecay> memory() {
    return Optional.of(ColumnDecay.NONE);
  }
}

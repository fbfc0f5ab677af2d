package dev.sotto.app.audit.canary;

import dev.sotto.app.audit.noise.NoiseLaw;
import dev.sotto.app.audit.noise.NoiseMatrix;
import dev.sotto.app.audit.stat.OneRun;
import dev.sotto.app.audit.subject.Hash;
import dev.sotto.app.audit.subject.PlanVariant;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.round.Plan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Makes canaries, runs a subject with them, and guesses from what it releases which of them were in.
 *
 * <p>Each canary has a coordinate of its own behind those of the plan, so that its gradient is orthogonal to
 * everything else; what the ledger claims does not depend on the number of coordinates. Where one run has no room for
 * all canaries there are several, under keys of their own, and each canary is in one of them only: all runs together
 * then have the guarantee of one (parallel composition).
 */
public final class CanaryAudit {
  /** Coordinates that a run has for canaries, at most. */
  static final int WIDTH = 8192;

  private final Trial trial;
  private final int canaries;
  private final double confidence;
  private final long seed;
  private final Guessing guessing;

  /** How densely rounds are filled with canaries. */
  public enum Density {
    /** Up to half of the slots. */
    HALF_OF_THE_SLOTS,
    /** One slot a round, so that a canary has a batch to itself. */
    ONE_A_ROUND
  }

  /**
   * What to do.
   *
   * @param plan what is claimed
   * @param rounds how many rounds a run has, within the budget
   * @param canaries how many in all, at least 2
   * @param confidence of the lower bound, above 0 and below 1
   */
  public record Settings(
      Plan plan,
      int rounds,
      int canaries,
      double confidence,
      Density density,
      Reading reading,
      Background background) {}

  /** Places the canaries and decides, by a simulation of the noise that is claimed, how many coins to guess. */
  public CanaryAudit(Settings settings, long seed) {
    Plan plan = settings.plan();
    int room = settings.density() == Density.ONE_A_ROUND
        ? 1
        : (int) Math.max(1, Math.min(WIDTH, plan.batch() / 2));
    List<long[]> schedules = Schedules.of(plan, settings.rounds());
    Placement placement = new Placement(
        schedules,
        NoiseMatrix.of(plan),
        settings.rounds(),
        room,
        Math.min(WIDTH, settings.canaries()));
    Plan wide = PlanVariant.of(plan)
        .with("dimension", plan.dimension() + placement.size())
        .make();
    this.trial = new Trial(
        wide,
        new Subject.Window(plan.dimension(), placement.size()),
        Canary.of(plan.loss(), plan.clip()),
        placement,
        settings.reading(),
        settings.background());
    this.canaries = settings.canaries();
    this.confidence = settings.confidence();
    this.seed = seed;
    this.guessing = Guessing.of(imagined(), claimed(), 1 - confidence);
  }

  /** What the most exposed canary costs by clip, schedule and noise: a mu, or of a pure mechanism an epsilon. */
  public double exposure() {
    Plan plan = trial.plan();
    return IntStream.range(0, trial.placement().size())
        .mapToDouble(
            canary -> NoiseLaw.of(plan).cost(trial.placement().moved(canary), plan.sensitivity()))
        .max()
        .orElse(0);
  }

  /** How many runs {@link #run} takes. */
  public int runs() {
    int each = trial.placement().size();
    return (canaries + each - 1) / each;
  }

  /**
   * Runs a subject, on all processors.
   *
   * @param done told after each run, from any thread
   */
  public CanaryResult run(Subject subject, IntConsumer done) {
    int runs = runs();
    List<double[]> evidence = IntStream.range(0, runs)
        .parallel()
        .mapToObj(run -> {
          byte[] secret = Hash.of(seed, "key of " + subject.name(), run);
          Subject.Identity identity = new Subject.Identity(secret, "canaries");
          double[] found = trial.play(subject, identity, coins("coins", run));
          done.accept(run);
          return found;
        })
        .toList();
    return result(pooled(evidence, "coins"));
  }

  private boolean[] coins(String purpose, int run) {
    SplittableRandom random =
        new SplittableRandom(ByteBuffer.wrap(Hash.of(seed, purpose, run)).getLong());
    boolean[] in = new boolean[trial.placement().size()];
    for (int i = 0; i < in.length; i++) {
      in[i] = random.nextBoolean();
    }
    return in;
  }

  private Scores pooled(List<double[]> evidence, String purpose) {
    Scores scores = new Scores(new double[canaries], new double[canaries], new boolean[canaries]);
    int place = 0;
    for (int run = 0; run < evidence.size(); run++) {
      boolean[] in = coins(purpose, run);
      for (int i = 0; i < in.length && place < canaries; i++, place++) {
        scores.evidence()[place] = evidence.get(run)[i];
        scores.separation()[place] = trial.separation(i);
        scores.in()[place] = in[i];
      }
    }
    return scores;
  }

  /** Canaries that nobody ran, under exactly the noise that is claimed. */
  private Scores imagined() {
    NoiseLaw law = trial.law();
    Placement placement = trial.placement();
    List<double[]> evidence = new ArrayList<>();
    for (int run = 0; run < runs(); run++) {
      SplittableRandom random = new SplittableRandom(
          ByteBuffer.wrap(Hash.of(seed, "imagined noise", run)).getLong());
      boolean[] in = coins("imagined coins", run);
      double[] each = new double[in.length];
      for (int i = 0; i < in.length; i++) {
        each[i] = imagined(law, i, in[i], random);
      }
      evidence.add(each);
    }
    return pooled(evidence, "imagined coins");
  }

  private double imagined(NoiseLaw law, int which, boolean in, SplittableRandom random) {
    if (law instanceof NoiseLaw.Gaussian) { // one draw says as much as all rows
      double separation = trial.separation(which);
      return separation * ((in ? separation : -separation) / 2 + random.nextGaussian());
    }
    double evidence = 0;
    for (double moved : trial.placement().moved(which)) {
      if (moved != 0) {
        double row = trial.shift(in) * moved + law.draw(random);
        evidence += trial.evidence(law, row, moved);
      }
    }
    return evidence;
  }

  private Guarantee claimed() {
    return trial.plan().guarantee(trial.placement().horizon());
  }

  private CanaryResult result(Scores scores) {
    Guarantee claimed = claimed();
    int guesses = 2 * guessing.half();
    int right = scores.right(guessing.half());
    boolean gaussian = trial.law() instanceof NoiseLaw.Gaussian;
    return new CanaryResult(
        canaries,
        runs(),
        guesses,
        right,
        OneRun.epsilonLower(canaries, guesses, right, claimed.delta(), 1 - confidence),
        claimed.epsilon(),
        claimed.delta(),
        guessing.falseAlarm(),
        gaussian ? exposure() * scores.ratio() : Double.NaN,
        exposure() * scores.errorOfRatio(),
        exposure());
  }
}

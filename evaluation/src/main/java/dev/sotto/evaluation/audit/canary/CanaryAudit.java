package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.noise.SlotClasses;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.training.Plan;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Makes canaries, runs a subject with them, and guesses from its releases which of them were in.
 *
 * <p>Each canary has a coordinate of its own behind those of the plan, so that its gradient is
 * orthogonal to everything else. The ledger's claim does not depend on the number of coordinates.
 * Where one run cannot hold all canaries there are several runs under keys of their own. Each
 * canary is in one run only, so that all runs together have the guarantee of one (parallel
 * composition). Where mu-GDP is claimed and many runs can be afforded, canaries are spread over as
 * many as can, and each run is guessed apart.
 */
public final class CanaryAudit {
  private static final int FEWEST_RUNS = 64; // that are guessed apart
  private static final int FEWEST_CANARIES = 256; // of such a run
  private static final double MOST_SLOTS = 0x1p25; // of all such runs
  private static final double MOST_DRAWS = 0x1p28; // of noise for the plan's own weights

  private final CanaryTrial trial;
  private final int canaries;
  private final boolean apart; // whether each run is guessed apart
  private final GuessBound bound;
  private final long seed;
  private final Guarantee claimed;
  private final GuessThreshold guessing;

  /** The share of canaries in a round. */
  public enum Density {
    /** Up to half of the slots. */
    HALF_OF_THE_SLOTS,
    /** One slot a round, so that a canary has a batch to itself; blocks do not have it. */
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
      BackgroundExamples background) {}

  /** Places the canaries, and chooses the number of guesses by simulating the claimed noise. */
  public CanaryAudit(Settings settings, long seed) {
    Plan plan = settings.plan();
    ReleaseSchedule releases = ReleaseSchedule.of(plan);
    boolean alone = settings.density() == Density.ONE_A_ROUND;
    this.claimed = plan.guarantee(settings.rounds());
    boolean gaussian = claimsItsMu(plan, claimed);
    int spread = alone || !gaussian ? 0 : runsApart(plan, settings);
    int most = plan.mechanism().auditTerms().canaries().most();
    if (spread > 0) {
      most = Math.min(most, (settings.canaries() + spread - 1) / spread);
    }
    CanaryPlacement placement = releases.isOfQueries()
        ? ofSlots(settings, releases)
        : new CanaryPlacement(
            ParticipationSchedules.of(plan, settings.rounds()),
            NoiseMatrix.of(plan),
            settings.rounds(),
            alone ? 1 : (int) Math.max(1, Math.min(most, plan.batch() / 2)),
            Math.min(most, settings.canaries()));
    Plan wide = ReleaseSchedule.wide(plan, plan.dimension() + placement.size());
    this.trial = new CanaryTrial(
        wide,
        new AuditSubject.Window(plan.dimension(), placement.size()),
        Canary.of(plan),
        placement,
        settings.background());
    this.canaries = settings.canaries();
    this.apart = spread > 0 && placement.size() >= FEWEST_CANARIES;
    this.bound = new GuessBound(claimed, gaussian, 1 - settings.confidence());
    this.seed = seed;
    this.guessing = GuessThreshold.of(simulated(), bound);
  }

  /**
   * How many runs can be guessed apart; 0 where they are too few. Blocks have long runs, and few.
   */
  private static int runsApart(Plan plan, Settings settings) {
    double affordable = Math.min(
        MOST_SLOTS / ((double) settings.rounds() * plan.batch()),
        MOST_DRAWS / ((double) settings.rounds() * plan.dimension()));
    int runs = (int) Math.min(affordable, settings.canaries() / FEWEST_CANARIES);
    return plan.learnsFromBlocks() || runs < FEWEST_RUNS ? 0 : runs;
  }

  /** Whether a plan's runs are guessed apart, where they are enough. */
  public static boolean guessesRuns(Plan plan) {
    return !plan.learnsFromBlocks() && claimsItsMu(plan, plan.guarantee(1));
  }

  /** Whether what is claimed is mu-GDP, and its epsilon follows from mu. */
  static boolean claimsItsMu(Plan plan, Guarantee claimed) {
    return isPlainGaussian(plan)
        && Double.isFinite(claimed.mu())
        && GaussianDp.roundUp(GaussianDp.epsilon(claimed.mu(), claimed.delta()))
            == claimed.epsilon();
  }

  private static CanaryPlacement ofSlots(Settings settings, ReleaseSchedule releases) {
    Plan plan = settings.plan();
    SlotClasses classes = SlotClasses.of(plan);
    return new CanaryPlacement(
        ParticipationSchedules.ofSlots(plan, classes, settings.rounds()),
        NoiseMatrix.of(plan),
        releases.count(settings.rounds()),
        Math.min(plan.mechanism().auditTerms().canaries().most(), settings.canaries()));
  }

  /** The cost of the most exposed canary: a mu, or of a pure mechanism an epsilon. */
  public double exposure() {
    Plan plan = trial.plan();
    return IntStream.range(0, trial.placement().size())
        .mapToDouble(canary ->
            NoiseDistribution.of(plan).cost(trial.placement().moved(canary), plan.sensitivity()))
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
   * @param done called after each run, from any thread
   */
  public CanaryResult run(AuditSubject subject, IntConsumer done) {
    int runs = runs();
    List<double[]> evidence = IntStream.range(0, runs)
        .parallel()
        .mapToObj(run -> {
          byte[] secret = SeedHash.of(seed, "key of " + subject.name(), run);
          AuditSubject.Identity identity = new AuditSubject.Identity(secret, "canaries");
          double[] found = trial.run(subject, identity, coins("coins", run));
          done.accept(run);
          return found;
        })
        .toList();
    return result(pooled(evidence, "coins"));
  }

  private boolean[] coins(String purpose, int run) {
    SplittableRandom random =
        new SplittableRandom(ByteBuffer.wrap(SeedHash.of(seed, purpose, run)).getLong());
    boolean[] in = new boolean[trial.placement().size()];
    for (int i = 0; i < in.length; i++) {
      in[i] = random.nextBoolean();
    }
    return in;
  }

  private CanaryScores pooled(List<double[]> evidence, String purpose) {
    CanaryScores scores = new CanaryScores(
        new double[canaries],
        new double[canaries],
        new boolean[canaries],
        apart ? Math.min(canaries, trial.placement().size()) : canaries);
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

  /** Scores of simulated canaries under exactly the claimed noise. */
  private CanaryScores simulated() {
    NoiseDistribution noise = trial.noise();
    CanaryPlacement placement = trial.placement();
    List<double[]> evidence = new ArrayList<>();
    for (int run = 0; run < runs(); run++) {
      SplittableRandom random = new SplittableRandom(
          ByteBuffer.wrap(SeedHash.of(seed, "imagined noise", run)).getLong());
      boolean[] in = coins("imagined coins", run);
      double[] each = new double[in.length];
      for (int i = 0; i < in.length; i++) {
        each[i] = simulated(noise, i, in[i], random);
      }
      evidence.add(each);
    }
    return pooled(evidence, "imagined coins");
  }

  private double simulated(
      NoiseDistribution noise, int which, boolean in, SplittableRandom random) {
    if (isPlainGaussian(trial.plan())) { // one draw says as much as all rows
      double separation = trial.separation(which);
      return separation * ((in ? separation : -separation) / 2 + random.nextGaussian());
    }
    double evidence = 0;
    for (double moved : trial.placement().moved(which)) {
      if (moved != 0) {
        boolean chosen = random.nextDouble() < trial.rate();
        double row = (chosen ? trial.shift(in) * moved : 0) + noise.draw(random);
        evidence += trial.evidence(noise, row, moved);
      }
    }
    return evidence;
  }

  /** Whether in and out lie a fixed distance apart, under Gaussian noise. */
  private static boolean isPlainGaussian(Plan plan) {
    return NoiseDistribution.of(plan) instanceof NoiseDistribution.Gaussian
        && plan.block().sampling().rate() == 1;
  }

  private CanaryResult result(CanaryScores scores) {
    GuessTally tally = scores.right(guessing.half());
    double lower = bound.epsilonLower(tally);
    return new CanaryResult(
        new CanaryResult.Guesses(canaries, runs(), tally.allGuesses(), tally.allRight()),
        new CanaryResult.EpsilonBound(
            lower, claimed.epsilon(), claimed.delta(), guessing.falseAlarm()),
        new CanaryResult.Separation(
            isPlainGaussian(trial.plan()) ? exposure() * scores.ratio() : Double.NaN,
            exposure() * scores.errorOfRatio(),
            exposure()));
  }
}

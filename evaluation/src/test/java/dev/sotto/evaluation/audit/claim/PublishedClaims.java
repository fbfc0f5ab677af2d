package dev.sotto.evaluation.audit.claim;

import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.statistics.SeparationBound;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Attacks on two statements about Private FTRL ("Private Stochastic Convex Optimization: Efficient
 * Algorithms for Non-smooth Objectives", Arora, Marinov, Ullah); docs/privacy.md, "Published
 * statements that do not hold". There is one dimension, Psi = w^2 / 2, eta = 1, and Huber losses
 * whose gradient at w = -G is L clip(-G / L). Each step takes from G all that it holds, up to L,
 * and so removes the noise of all steps before. The last example is linear, of slope L or -L, and
 * only the noise of its own step hides it.
 *
 * <p>The figure is the error of one test, the sign of the last iterate, in two worlds. The bounds
 * on it are exact (Clopper and Pearson) and assume no distribution.
 */
final class PublishedClaims {
  /** The probability that a measured bound is wrong. */
  private static final double RISK = 1e-6;

  private static final int STEPS = 400;
  private static final double LIPSCHITZ = 1;
  private static final double SIGMA = LIPSCHITZ / 4;
  private static final double FIRST_SIGMA = 25 * LIPSCHITZ;

  private final long seed;
  private final int runs;

  /**
   * Attacks.
   *
   * @param runs in each of two worlds, of the published algorithms; the product's own learner gets
   *     a twentieth
   */
  PublishedClaims(int runs, long seed) {
    this.runs = runs;
    this.seed = seed;
  }

  /** Error rates of the sign of the last iterate, which a run returns for its number. */
  private static SeparationBound separation(
      int runs, IntUnaryOperator positive, IntUnaryOperator negative) {
    int wrongAtPositive = IntStream.range(0, runs)
        .parallel()
        .map(run -> positive.applyAsInt(run) < 0 ? 0 : 1)
        .sum();
    int wrongAtNegative = IntStream.range(0, runs)
        .parallel()
        .map(run -> negative.applyAsInt(run) < 0 ? 1 : 0)
        .sum();
    return SeparationBound.of(wrongAtPositive, wrongAtNegative, runs, RISK);
  }

  /**
   * The published algorithm, run for {@value #STEPS} steps.
   *
   * @param sigma of the noise of every step, or of the first alone
   * @return the last iterate
   */
  static double iterate(
      double lastSlope, double sigma, boolean everyStep, SplittableRandom random) {
    Loss huber = new Huber(LIPSCHITZ);
    double prefix = 0;
    for (int t = 1; t <= STEPS; t++) {
      double noise = t == 1 || everyStep ? sigma * random.nextGaussian() : 0;
      prefix += (t < STEPS ? huber.slope(-prefix, 0) : lastSlope) + noise;
    }
    return -prefix;
  }

  private int sign(String world, int run, double slope, double sigma, boolean everyStep) {
    byte[] hash = SeedHash.of(seed, world + slope, run);
    var random = Seed.splittable(ByteBuffer.wrap(hash).getLong());
    return iterate(slope, sigma, everyStep, random) < 0 ? -1 : 1;
  }

  /**
   * Theorem 5.4 / B.2: (alpha, 4 alpha L^2 / (T sigma^2))-RDP, as of Gaussians
   * sqrt(8) L / (sqrt(T) sigma) apart.
   */
  CheckResult lastIterate() {
    SeparationBound measured = separation(
        runs,
        run -> sign("last iterate", run, LIPSCHITZ, SIGMA, true),
        run -> sign("last iterate", run, -LIPSCHITZ, SIGMA, true));
    double claimed = Math.sqrt(8 / (double) STEPS) * LIPSCHITZ / SIGMA;
    double divergence = claimed * claimed / 2; // at alpha -> 1
    return refuted(
        "refuted: last iterate (Theorem 5.4)",
        measured,
        claimed,
        divergence,
        String.format(
            Locale.ROOT,
            "T = %d, sigma = L/4, noise in every step, last iterate alone; truly 2 L / (sqrt(2) sigma) = %.2f",
            STEPS,
            Math.sqrt(2) * LIPSCHITZ / SIGMA));
  }

  /**
   * Theorem 4.4 at q = 2: noise of deviation sigma / sqrt(2) in the first step,
   * (alpha, (2 L / sigma)^2)-RDP for all iterates.
   */
  CheckResult firstStep() {
    SeparationBound measured = separation(
        runs,
        run -> sign("first step", run, LIPSCHITZ, FIRST_SIGMA, false),
        run -> sign("first step", run, -LIPSCHITZ, FIRST_SIGMA, false));
    double scale = Math.sqrt(2) * FIRST_SIGMA;
    double divergence = 4 * LIPSCHITZ * LIPSCHITZ / (scale * scale);
    return refuted(
        "refuted: noise in the first step only (Theorem 4.4)",
        measured,
        Math.sqrt(2 * divergence),
        divergence,
        "sigma = 25 L, in the first step; any later iterate: in truth it shows its last example in clear");
  }

  private CheckResult refuted(
      String name, SeparationBound measured, double claimed, double divergence, String says) {
    // Pinsker: no test of two distributions of such a divergence is better than this.
    double variation = Math.sqrt(divergence / 2);
    return new CheckResult(
        name,
        measured.muLower() > claimed && measured.variationLower() > variation,
        measured.muLower(),
        String.format(Locale.ROOT, "mu above the published %.3f; wrong once in 1e6 runs", claimed),
        String.format(
            Locale.ROOT,
            "%s; %,d runs in each world prove mu >= %.2f and total variation >= %.3f (the claim allows %.3f)",
            says,
            runs,
            measured.muLower(),
            measured.variationLower(),
            variation));
  }

  /** The same attack on the product's own code, whose ledger must cover it. */
  CheckResult ownLedger() {
    Plan plan = plan();
    int few = Math.max(20, runs / 20);
    SeparationBound measured =
        separation(few, run -> own(plan, LIPSCHITZ, run), run -> own(plan, -LIPSCHITZ, run));
    double ledger = plan.mu(STEPS);
    return new CheckResult(
        "ledger: covers the same attack",
        measured.muLower() <= ledger,
        measured.muLower(),
        String.format(
            Locale.ROOT, "mu at most the ledger's %.3f; false alarms once in 1e6 runs", ledger),
        String.format(
            Locale.ROOT,
            "the attack on the last iterate, on this learner, %,d runs in each world: mu >= %.2f",
            few,
            measured.muLower()));
  }

  private int own(Plan plan, double lastSlope, int run) {
    NoiseKey key = NoiseKey.of(SeedHash.of(seed, "own " + lastSlope, run));
    ModelLearner learner = ModelLearner.start(plan, key, "model", "attack");
    Slot slot = new Slot(1);
    for (int t = 1; t <= STEPS; t++) {
      slot.clear();
      slot.example().add(0, 1);
      slot.example().label(t < STEPS ? 0 : -lastSlope * 1e6); // far away a Huber loss is linear
      slot.status(RecordStatus.USED);
      learner.fill(slot);
      learner.close();
    }
    return learner.weights()[0] < 0 ? -1 : 1;
  }

  private static Plan plan() {
    return new PlanBuilder()
        .features("one weight")
        .dimension(1)
        .loss("huber(" + LIPSCHITZ + ")", new Huber(LIPSCHITZ))
        .algorithm(
            "private-ftrl",
            "whole line, steps of 1",
            new PrivateFtrl(
                new EuclideanBall(null, Double.POSITIVE_INFINITY),
                new StepSize.Fixed(Math.sqrt(STEPS), STEPS)))
        .mechanism(Mechanisms.INDEPENDENT.make())
        .clip(LIPSCHITZ * (1 + 0x1p-9))
        .batch( // gradients of length L pass whole
            1)
        .sigma(SIGMA)
        .adjacency(Adjacency.REPLACE_ONE)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(1000, 1e-6))
        .build();
  }
}

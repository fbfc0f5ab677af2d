package dev.sotto.app.audit.claim;

import dev.sotto.app.audit.Check;
import dev.sotto.app.audit.stat.Separation;
import dev.sotto.app.audit.subject.Hash;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Two statements about Private FTRL ("Private Stochastic Convex Optimization: Efficient Algorithms for Non-smooth
 * Objectives", Arora, Marinov, Ullah), attacked as privacy.md section 9 says: d = 1, Psi = w^2 / 2, eta = 1, and Huber
 * losses whose gradient at w = -G is L clip(-G / L). Each step takes from G all that it holds, up to L, and so erases
 * the noise of all steps before; the last, linear, example of slope L or -L is hidden by its own step's noise alone.
 *
 * <p>What is measured is the error of the obvious test, the sign of the last iterate, in two worlds; the bounds on it
 * are exact (Clopper and Pearson), so no law is assumed.
 */
public final class PublishedClaims {
  /** How often a measured bound is wrong. */
  public static final double RISK = 1e-6;

  private static final int STEPS = 400;
  private static final double LIPSCHITZ = 1;
  private static final double SIGMA = LIPSCHITZ / 4;
  private static final double FIRST_SIGMA = 25 * LIPSCHITZ;

  private final long seed;
  private final int runs;

  /**
   * Attacks.
   *
   * @param runs in each of two worlds, of the published algorithms; the product's own learner gets a twentieth
   */
  public PublishedClaims(int runs, long seed) {
    this.runs = runs;
    this.seed = seed;
  }

  /** How often the sign of the last iterate is wrong; a run gives that sign for its number and slope. */
  private static Separation separation(
      int runs, IntUnaryOperator positive, IntUnaryOperator negative) {
    int wrongAtPositive = IntStream.range(0, runs)
        .parallel()
        .map(run -> positive.applyAsInt(run) < 0 ? 0 : 1)
        .sum();
    int wrongAtNegative = IntStream.range(0, runs)
        .parallel()
        .map(run -> negative.applyAsInt(run) < 0 ? 1 : 0)
        .sum();
    return Separation.of(wrongAtPositive, wrongAtNegative, runs, RISK);
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
    byte[] hash = Hash.of(seed, world + slope, run);
    var random = new SplittableRandom(ByteBuffer.wrap(hash).getLong());
    return iterate(slope, sigma, everyStep, random) < 0 ? -1 : 1;
  }

  /** Theorem 5.4 / B.2: (alpha, 4 alpha L^2 / (T sigma^2))-RDP, as of Gaussians sqrt(8) L / (sqrt(T) sigma) apart. */
  public Check lastIterate() {
    Separation measured = separation(
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

  /** Theorem 4.4 at q = 2: noise of deviation sigma / sqrt(2) in the first step, (alpha, (2 L / sigma)^2)-RDP for ever. */
  public Check firstStep() {
    Separation measured = separation(
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
        "sigma = 25 L, in the first step; any later iterate: the truth is that it shows its last example in clear");
  }

  private Check refuted(
      String name, Separation measured, double claimed, double divergence, String says) {
    // Pinsker: no test of two laws of such a divergence does better than this.
    double variation = Math.sqrt(divergence / 2);
    return new Check(
        name,
        measured.muLower() > claimed && measured.variationLower() > variation,
        measured.muLower(),
        String.format(Locale.ROOT, "mu above the published %.3f; wrong in 1e-6 of audits", claimed),
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
  public Check ownLedger() {
    Plan plan = plan();
    int few = Math.max(20, runs / 20);
    Separation measured =
        separation(few, run -> own(plan, LIPSCHITZ, run), run -> own(plan, -LIPSCHITZ, run));
    double ledger = plan.mu(STEPS);
    return new Check(
        "ledger: covers the same attack",
        measured.muLower() <= ledger,
        measured.muLower(),
        String.format(
            Locale.ROOT, "mu at most the ledger's %.3f; false alarms in 1e-6 of audits", ledger),
        String.format(
            Locale.ROOT,
            "the attack on the last iterate, on this learner, %,d runs in each world: mu >= %.2f",
            few,
            measured.muLower()));
  }

  private int own(Plan plan, double lastSlope, int run) {
    NoiseKey key = NoiseKey.of(Hash.of(seed, "own " + lastSlope, run));
    ModelLearner learner = ModelLearner.start(plan, key, "model", "attack");
    Slot slot = new Slot(1);
    for (int t = 1; t <= STEPS; t++) {
      slot.clear();
      slot.example().add(0, 1);
      slot.example().label(t < STEPS ? 0 : -lastSlope * 1e6); // far away a Huber loss is linear
      slot.verdict(Verdict.USED);
      learner.fill(slot);
      learner.close();
    }
    return learner.weights()[0] < 0 ? -1 : 1;
  }

  private static Plan plan() {
    return new Plan(
        "one weight",
        1,
        "huber(" + LIPSCHITZ + ")",
        new Huber(LIPSCHITZ),
        "private-ftrl",
        "whole line, steps of 1",
        new PrivateFtrl(
            new EuclideanBall(null, Double.POSITIVE_INFINITY),
            new StepSize.Fixed(Math.sqrt(STEPS), STEPS)),
        Mechanisms.INDEPENDENT.make(),
        LIPSCHITZ * (1 + 0x1p-9), // gradients of length L pass whole
        1,
        SIGMA,
        Adjacency.REPLACE_ONE,
        PrivacyUnit.RECORD,
        new Budget(1000, 1e-6));
  }
}

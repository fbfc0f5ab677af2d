package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Samples of what a learner releases about one unit, from two neighbouring data sets, for testers
 * of others: one holds a canary, the other does not. Each sample is a run of its own under a key of
 * its own, and has a number for each round: the noisy prefix sum at the canary's coordinate. What
 * is claimed depends neither on the slots of a round nor on the number of weights, so that runs
 * have few of both.
 */
public final class CanarySamples {
  /** Rounds of a run, at most. */
  static final int ROUNDS = 16;

  private static final long BATCH = 4; // slots of a round

  private final Plan plan;
  private final CanaryTrial trial;
  private final Guarantee claimed;
  private final long seed;

  /**
   * Samples of a plan.
   *
   * @param rounds that the budget covers, at least 1
   * @throws IllegalArgumentException where the plan learns from blocks
   */
  public CanarySamples(Plan plan, int rounds, long seed) {
    if (plan.learnsFromBlocks()) {
      throw new IllegalArgumentException("samples must be of rounds, but algorithm "
          + plan.algorithm() + " learns from blocks, of which each run would need a whole one");
    }
    this.plan = plan;
    this.seed = seed;
    int horizon = Math.min(ROUNDS, rounds);
    Plan small = plan.toBuilder().batch(Math.min(BATCH, plan.batch())).build();
    CanaryPlacement placement = new CanaryPlacement(
        ParticipationSchedules.of(small, horizon), NoiseMatrix.of(small), horizon, 1, 1);
    this.trial = new CanaryTrial(
        ReleaseSchedule.wide(small, 1),
        new AuditSubject.Window(0, 1),
        Canary.of(plan),
        placement,
        BackgroundExamples.EMPTY);
    this.claimed = plan.guarantee(horizon);
  }

  /** How many rounds a run has. */
  public int rounds() {
    return trial.placement().horizon();
  }

  /** What the ledger says of such a run. */
  public Guarantee claimed() {
    return claimed;
  }

  /** Which rounds have a record of the canary, from 1. */
  List<Integer> canaryRounds() {
    return IntStream.rangeClosed(1, rounds())
        .filter(round -> trial.placement().in(round).length > 0)
        .boxed()
        .toList();
  }

  /**
   * Runs a subject, on all processors.
   *
   * @param in whether the data has the canary
   * @param done called after each run, from any thread
   * @return by run and round
   */
  public double[][] draw(AuditSubject subject, boolean in, int count, IntConsumer done) {
    return IntStream.range(0, count)
        .parallel()
        .mapToObj(run -> {
          byte[] secret = SeedHash.of(seed, "sample " + (in ? "with " : "without "), run);
          double[] releases = trial.releases(
              subject, new AuditSubject.Identity(secret, "samples"), new boolean[] {in});
          done.accept(run);
          return releases;
        })
        .toArray(double[][]::new);
  }

  /**
   * The smallest delta at the claimed epsilon that a test can refute which learns to tell the sets
   * apart by half of the samples and counts right guesses in the others, by Hoeffding's inequality.
   *
   * @param error the probability with which it refutes wrongly
   */
  public double refutable(int count, double error) {
    return claimed.delta()
        + (1 + Math.exp(claimed.epsilon())) * Math.sqrt(-Math.log(error) / count);
  }

  /** What a tester needs to know. */
  public Section describe(int count) {
    return Section.untitled()
        .fact("epsilon", claimed.epsilon())
        .fact("delta", claimed.delta())
        .fact("samples", count)
        .fact("rounds", rounds())
        .fact("column", "the noisy prefix sum at the canary's coordinate after each round")
        .fact("with", "with.npy")
        .fact("without", "without.npy")
        .fact("canaryRounds", canaryRounds())
        .fact("adjacency", plan.adjacency().configName())
        .fact("unit", plan.unit().configName())
        .fact("mechanism", plan.mechanism().name())
        .fact("clip", plan.clip())
        .fact("sigma", plan.sigma())
        .fact("slots", trial.plan().batch())
        .fact("seed", seed);
  }
}

package dev.sotto.benchmarks.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.BallSolvers;
import dev.sotto.learner.optimizer.resque.PoolSchedule;
import dev.sotto.learner.training.Plan;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What docs/experiments/resque.md says of made-up data. Seeds are fixed, so nothing here depends on
 * chance; the margins are about half of what is measured.
 */
@Tag("long")
class PoolExperimentsTest {
  private static final int SLOTS = 20_000;
  private static final Budget BUDGET = new Budget(1, 1e-6);

  private final AbsoluteStream data = new AbsoluteStream(SLOTS, 20, 11);
  private final PoolCase block = new PoolCase(SLOTS, 20, BUDGET, Adjacency.ZERO_OUT);

  private double excess(Plan plan) {
    double least = data.least();
    return IntStream.of(1, 2)
        .mapToDouble(seed -> data.loss(LearningPass.weights(plan, data, seed)) - least)
        .average()
        .orElseThrow();
  }

  private Plan pools(double rate, double lambda) {
    BallProblem ball = new BallProblem(1, 0.05, 0.05, lambda);
    return block.pools(new PoolSchedule(28, 16, rate, ball, BallSolvers.WEIGHTED_SGD));
  }

  /** Check 14 of the page, by the product's learner; with the theory's lambda steps are short. */
  @Tag("long")
  @Test
  void learnsFromSampledPoolsAsThePageSays() {
    Plan sampled = pools(0.05, 5);
    assertThatIllegalArgumentException() // with any less noise
        .isThrownBy(() -> sampled.toBuilder().sigma(0.99 * sampled.sigma()).build())
        .withMessageContaining("would exceed the budget");
    assertThat(excess(sampled)).isBetween(0.0005, 0.003);
    assertThat(excess(pools(0.05, 20))).isBetween(0.0238, 0.0258);
    assertThat(excess(pools(1, 5))).isBetween(0.0005, 0.003);
  }

  /** Measured: 2e-5 in 28 rounds with a long step, 1.4e-2 with the step of the worst case. */
  @Test
  void plainDescentWithALongStepIsBetterHere() {
    assertThat(excess(block.descent(28, 1, 1 / Math.sqrt(28)))).isGreaterThan(0.007);
    assertThat(excess(block.descent(28, 1, 1))).isLessThan(5e-4);
  }

  /** Check 15 at a quarter of its slots, and the same with far more noise. */
  @Test
  void learnsInOnePassOverASmoothedLoss() {
    AbsoluteStream stream = new AbsoluteStream(16_384, 20, 11);
    AbsoluteStream fresh = new AbsoluteStream(20_000, 20, 1234);
    double best = fresh.loss(AbsoluteStream.truth(20));
    double start = fresh.loss(new double[20]) - best;
    double learned = onePass(1, stream, fresh) - best;
    double noisy = onePass(0.02, stream, fresh) - best;
    assertThat(learned).isBetween(0.0, start / 10);
    assertThat(noisy).isGreaterThan(2 * learned);
  }

  private static double onePass(double epsilon, AbsoluteStream stream, AbsoluteStream fresh) {
    PoolCase block =
        new PoolCase(stream.count(), 20, new Budget(epsilon, 1e-6), Adjacency.REPLACE_ONE);
    return fresh.loss(LearningPass.weights(block.onePass(), stream, 1));
  }

  /** The point goes down, d numbers; d numbers for every point come up. */
  @Test
  void countsTheBytesOfAllPoints() {
    RoundMessages one = RoundMessages.of(block.descent(28, 1, 1));
    RoundMessages sixteen = RoundMessages.of(pools(1, 5));
    assertThat(sixteen.down()).isBetween(20L * 8, 20L * 8 + 200).isEqualTo(one.down());
    assertThat(sixteen.up() - one.up()).isBetween(15L * 20 * 8, 15L * 20 * 8 + 8);
  }

  @Test
  void aPartOfAStreamIsInPlace() {
    StreamPart part = new StreamPart(data, 19_990, 100);
    assertThat(part.count()).isEqualTo(10);
    Example example = new Example(20);
    part.read(3, example);
    assertThat(example.label()).isEqualTo(data.label(19_993));
    assertThat(example.dense()[7]).isEqualTo(data.features(19_993)[7]);
  }
}

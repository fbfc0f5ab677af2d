package dev.sotto.learner.optimizer.settings;

import dev.sotto.learner.loss.NamedObjective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.optimizer.BlockDesign;
import dev.sotto.learner.optimizer.BlockInputs;
import dev.sotto.learner.optimizer.BlockSettings;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.resque.BallProblem;
import dev.sotto.learner.optimizer.resque.BallSolvers;
import dev.sotto.learner.optimizer.resque.Perturbations;
import dev.sotto.learner.optimizer.resque.PoolAlgorithm;
import dev.sotto.learner.optimizer.resque.PoolSchedule;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import java.util.List;

/**
 * The settings of {@code resque} (docs/resque.md): pools of noisy gradients at random points around
 * one centre, reweighted to answer for all points near it. Every number of the schedule follows
 * from them and from the loss: all of these are public.
 */
final class Resque {
  /** Slots of a block where nobody chooses (docs/experiments/resque.md, "Defaults"). */
  private static final long SLOTS = 1 << 13;

  /** 2 R of pools where nobody chooses: it hardly ever binds. */
  private static final double USUAL_DIAMETER = 80;

  private static final double USUAL_RADIUS = 1;
  private static final double USUAL_PULL = 0.025;
  private static final long SEED = 0x5e5c0de;

  static final ConfigKey<Long> ROUNDS = ConfigKey.of(
          "resque.rounds",
          Domain.between(1, 1 << 20),
          "N: rounds over a block, each of which asks for the gradients at resque.points"
              + " points. With ordered-calls: centres in a block.")
      .orElse(32L)
      .usedWith(ResqueOnePass.AROUND_CENTRES);

  static final ConfigKey<Integer> POINTS = ConfigKey.of(
          "resque.points",
          Domain.intBetween(2, 4096),
          "M: points of a round, an even number. More points smooth better; each costs a"
              + " gradient of every slot.")
      .orElse(8)
      .usedWith(ResqueOnePass.IN_POOLS);

  static final ConfigKey<Double> RATE = ConfigKey.of(
          "resque.rate",
          Domain.numbers("above 0 and at most 1", rate -> rate > 0 && rate <= 1),
          "q: the probability with which a slot takes part at each point of each round, by"
              + " secret coins. Below 1 it saves gradients, and the guarantee counts on secret"
              + " sampling.")
      .orElse(1.0)
      .usedWith(ResqueOnePass.IN_POOLS);

  static final ConfigKey<Double> SMOOTHING = ConfigKey.of(
          "resque.smoothing",
          Domain.positive(),
          "rho: the standard deviation of the points around their centre, in each weight. Unless"
              + " given, what the loss bears at little cost.")
      .optional();

  static final ConfigKey<Double> RADIUS = ConfigKey.of(
          "resque.radius",
          Domain.numbers("above 0 and at most 1", share -> share > 0 && share <= 1),
          "r / rho: how far from the centre of a round its pool is used. Unless given, 1 in"
              + " pools; with ordered-calls 0.05, and 0.1 at most, since the guarantee rests on"
              + " it.")
      .optional()
      .usedWith(ResqueOnePass.AROUND_CENTRES);

  static final ConfigKey<Double> PULL = ConfigKey.of(
          "resque.pull",
          Domain.positive(),
          "lambda r / L: how strongly a round is held to its centre. Less makes longer, noisier"
              + " steps. Unless given, 0.025 in pools and 0.1 with ordered-calls.")
      .optional()
      .usedWith(ResqueOnePass.AROUND_CENTRES);

  static final ConfigKey<BallSolvers> SOLVER = ConfigKey.of(
          "resque.solver",
          Domain.choice(BallSolvers.values(), BallSolvers::written),
          "How a round's pool becomes a step: `weighted-sgd` with averages weighted by time,"
              + " `epoch-sgd` (Algorithm 1) or `ac-sa` (Algorithm 2).")
      .orElse(BallSolvers.WEIGHTED_SGD)
      .usedWith(ResqueOnePass.IN_POOLS);

  static final ConfigKey<Double> DIAMETER = ConfigKey.of(
          "resque.diameter",
          Domain.positive(),
          "2 R: weights stay in a ball of this diameter around zero (or the network's start)."
              + " Unless given, 80 in pools; in one pass it follows from the loss.")
      .optional();

  static final List<ConfigKey<?>> KEYS = List.of(
      ResqueOnePass.FORM,
      BlockKeys.SLOTS,
      ROUNDS,
      POINTS,
      RATE,
      SMOOTHING,
      RADIUS,
      PULL,
      SOLVER,
      DIAMETER);

  private final Settings settings;
  private final BlockInputs inputs;

  private Resque(Settings settings, BlockInputs inputs) {
    this.settings = settings;
    this.inputs = inputs;
  }

  static BlockSettings read(Settings settings, NamedObjective objective) {
    BlockKeys.checkAll(settings, KEYS);
    ResqueOnePass.check(settings);
    return new BlockSettings() {
      @Override
      public boolean costsBesideMu() {
        return settings.get(RATE) < 1
            || settings.get(ResqueOnePass.FORM) == ResqueForm.ORDERED_CALLS;
      }

      @Override
      public BlockDesign design(BlockInputs inputs) {
        ResqueOnePass onePass = new ResqueOnePass(settings, inputs);
        ResqueForm form = onePass.form();
        settings.settle(ResqueOnePass.FORM, form);
        return switch (form) {
          case ONE_PASS -> onePass.design();
          case ORDERED_CALLS -> new ResqueCalls(settings, inputs, onePass).design();
          case AUTO, POOL -> new Resque(settings, inputs).design(onePass.reason());
        };
      }
    };
  }

  private BlockDesign design(String reason) {
    if (inputs.inParts() && settings.get(RATE) < 1) {
      throw settings.reject(
          RATE,
          "must be 1 in layout rounds, whose workers toss no secret coins, but was "
              + settings.get(RATE) + "; or choose layout direct or ordered");
    }
    StepScale scale = inputs.problem().require(SMOOTHING, "must be given");
    double clip = inputs.clip().orElse(scale.clip());
    QuerySchedule queries = settings.make(BlockKeys.SLOTS, this::queries);
    double rho = settings.find(SMOOTHING).orElse(scale.noise());
    double radius = rho * settings.find(RADIUS).orElse(USUAL_RADIUS);
    double lambda = settings.find(PULL).orElse(USUAL_PULL) * clip / radius;
    checkEven();
    PoolSchedule schedule = settings.make(
        SOLVER,
        () -> new PoolSchedule(
            settings.get(ROUNDS),
            settings.get(POINTS),
            settings.get(RATE),
            new BallProblem(clip, rho, radius, lambda),
            settings.get(SOLVER)));
    PoolAlgorithm algorithm = settings.make(
        POINTS,
        () -> new PoolAlgorithm(
            schedule, queries, new Perturbations(inputs.dimension(), rho, SEED), ball(), reason));
    QueryMechanism mechanism =
        settings.make(BlockKeys.SLOTS, () -> QueryMechanism.ofQueries(queries));
    return BlockDesign.of(algorithm, mechanism);
  }

  private void checkEven() {
    if (settings.get(POINTS) % 2 != 0) {
      throw settings.reject(
          POINTS,
          "must be even, since one half corrects the other, but was " + settings.get(POINTS));
    }
  }

  private QuerySchedule queries() {
    return QuerySchedule.sampled(
        BlockKeys.slots(settings, inputs, SLOTS),
        settings.get(ROUNDS),
        new Sampling(settings.get(POINTS), settings.get(RATE)));
  }

  private Ball ball() {
    return new Ball(inputs.problem().center(), settings.find(DIAMETER).orElse(USUAL_DIAMETER) / 2);
  }
}

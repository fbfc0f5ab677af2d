package dev.sotto.app.demo;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Calibration;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.FeatureMap;
import dev.sotto.serdes.event.FeatureMapBuilder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.LabelRule;
import dev.sotto.serdes.event.NormRule;
import dev.sotto.serdes.event.Transform;

/** What the demo learns: will a player be in at least 100 games next season? */
final class DemoPlan {
  /** Slots in a round: some 110 rounds over the part of the stream that is learned. */
  static final int BATCH = 512;

  /** Seasons in a row for which a player's budget lasts; more where they lie apart. */
  static final int SEASONS = 8;

  private static final double RADIUS = 8;
  private static final double CLIP = 1;

  /** Chosen in hindsight among powers of two, on these public data; 2 to 32 all give an AUC of 0.935 or more. */
  private static final double MULTIPLIER = 8;

  /** Four times the smoothness of the logistic loss; 0.5 to 32 all give an AUC of 0.93 or more. */
  private static final double BETA = 1;

  private DemoPlan() {}

  static FeatureMap features() {
    FeatureMapBuilder builder = FeatureMap.builder().bias(true).norm(NormRule.SCALE);
    for (BaseballFeatures.Feature feature : BaseballFeatures.DEMO) {
      Transform transform = feature.log1p() ? Transform.LOG1P : Transform.IDENTITY;
      builder.numeric(
          feature.field(), feature.field(), feature.low(), feature.high(), transform, false);
    }
    // "More than 99.5 games" is "at least 100".
    return builder
        .label(BaseballStream.NEXT_GAMES, new LabelRule.Threshold(BaseballStream.REGULAR - 0.5))
        .unitField(BaseballStream.PLAYER)
        .build();
  }

  static EventDecoder decoder() {
    return new JsonEventDecoder(features());
  }

  /**
   * A private plan whose noise is the least with which the budget holds: for records, over so many slots; for
   * players, each of whom is admitted to {@value #SEASONS} rounds in a row at least, on a stream without end where the
   * mechanism lets every player have a book of his own.
   */
  static Plan of(
      Optimizers algorithm, Mechanisms mechanism, Budget budget, PrivacyUnit unit, long slots) {
    Mechanism made = mechanism.make();
    long rounds = Math.max(1, slots / BATCH);
    var noise = new Calibration(budget, made, Adjacency.ZERO_OUT, CLIP, Generations.NONE, 0);
    if (unit == PrivacyUnit.RECORD) {
      double sigma = noise.sigma(Contributions.ONE, rounds);
      return plan(algorithm, made, budget, unit, new Participation.Once(), CLIP, sigma);
    }
    if (made.memory().isPresent()) {
      var budgeted = new Participation.Budgeted(budget.muLimit());
      return plan(algorithm, made, budget, unit, budgeted, CLIP, noise.sigmaOfBudgeted(SEASONS));
    }
    var bound = new Contributions(SEASONS, 1);
    double sigma = noise.sigma(bound, rounds);
    return plan(algorithm, made, budget, unit, new Participation.Scheduled(bound), CLIP, sigma);
  }

  /** The same code with noise and clipping off: what the data would give to someone who need not protect them. */
  static Plan withoutPrivacy(Optimizers algorithm) {
    Mechanism none = Mechanisms.noneForPublicData();
    Budget all = new Budget(Double.POSITIVE_INFINITY, 1e-6);
    return plan(algorithm, none, all, PrivacyUnit.RECORD, new Participation.Once(), 1024, 1);
  }

  private static Plan plan(
      Optimizers algorithm,
      Mechanism mechanism,
      Budget budget,
      PrivacyUnit unit,
      Participation participation,
      double clip,
      double sigma) {
    FeatureMap features = features();
    EuclideanBall ball = new EuclideanBall(null, RADIUS);
    int dimension = features.dimension();
    double scale = MULTIPLIER
        * PrivateFtrl.stepScale(
            ball.diameter(dimension), CLIP, dimension, mechanism.incrementVariance(), sigma, BATCH);
    boolean ftrl = algorithm == Optimizers.PRIVATE_FTRL;
    return new Plan(
        features.describe(),
        dimension,
        Losses.LOGISTIC.configName(),
        Losses.LOGISTIC.make(),
        algorithm.configName(),
        "l2 ball of radius " + RADIUS
            + (ftrl
                ? ", decreasing steps of scale " + Double.toHexString(scale)
                : ", beta " + BETA),
        ftrl
            ? new PrivateFtrl(ball, new StepSize.Decreasing(scale))
            : new AcceleratedDpSrgd(ball, BETA, true, AcceleratedDpSrgd.Gradients.RECURSIVE),
        mechanism,
        clip,
        BATCH,
        sigma,
        Adjacency.ZERO_OUT,
        unit,
        budget,
        participation,
        Generations.NONE,
        null);
  }
}

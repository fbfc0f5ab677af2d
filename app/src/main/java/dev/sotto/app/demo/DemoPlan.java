package dev.sotto.app.demo;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Optimizers;
import dev.sotto.learner.optim.Potential;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.Calibration;
import dev.sotto.learner.round.Plan;
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

  private static final double RADIUS = 8;
  private static final double CLIP = 1;

  /** Chosen in hindsight among powers of two, on these public data; 2 to 32 all give an AUC of 0.935 or more. */
  private static final double MULTIPLIER = 8;

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

  /** A private plan whose noise is the least that lets so many slots be learned within the budget. */
  static Plan of(Optimizers algorithm, Mechanisms mechanism, Budget budget, long slots) {
    Mechanism made = mechanism.make();
    long rounds = Math.max(1, slots / BATCH);
    double sigma = Calibration.sigma(budget, made, Adjacency.ZERO_OUT, CLIP, rounds);
    return plan(algorithm, made, budget, CLIP, sigma, made.incrementVariance());
  }

  /** The same code with noise and clipping off: what the data would give to someone who need not protect them. */
  static Plan withoutPrivacy(Optimizers algorithm) {
    Mechanism none = Mechanisms.noneForPublicData();
    return plan(algorithm, none, new Budget(Double.POSITIVE_INFINITY, 1e-6), 1024, 1, 0);
  }

  private static Plan plan(
      Optimizers algorithm,
      Mechanism mechanism,
      Budget budget,
      double clip,
      double sigma,
      double increments) {
    FeatureMap features = features();
    Potential ball = Potentials.L2.make(Potentials.Shape.ofRadius(RADIUS));
    int dimension = features.dimension();
    double scale = MULTIPLIER
        * PrivateFtrl.stepScale(
            ball.diameter(dimension), CLIP, dimension, increments, sigma, BATCH);
    return new Plan(
        features.describe(),
        dimension,
        Losses.LOGISTIC.configName(),
        Losses.LOGISTIC.make(),
        algorithm.configName(),
        "l2 ball of radius " + RADIUS + ", decreasing steps of scale " + Double.toHexString(scale),
        algorithm.make(ball, new StepSize.Decreasing(scale)),
        mechanism,
        clip,
        BATCH,
        sigma,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        budget);
  }
}

package dev.sotto.serdes.snapshot;

import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.FeatureNames;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.NumberCurve;
import java.util.List;
import java.util.Optional;

/**
 * What the weights of a published model belong to: a feature and, where there are several rows, a
 * class or a hidden unit. Follows from the manifest alone; what it does not tell, because it is of
 * a newer version or of users' own code, has numbers instead of names.
 */
public final class WeightNames {
  private final Optional<Objective> objective;
  private final Optional<FeatureMapText> map; // where it is that of these weights
  private final Optional<FeatureNames> features;
  private final List<String> classes;
  private final int inputs;

  private WeightNames(ModelSnapshot manifest, Optional<FeatureMapText> text) {
    objective = Objectives.named(manifest.loss())
        .filter(each -> manifest.dimension() > each.tail()
            && (manifest.dimension() - each.tail()) % each.rows() == 0);
    inputs = objective.map(each -> each.inputs(manifest.dimension())).orElse(manifest.dimension());
    map = text.filter(each -> each.scoringMap().dimension() == inputs);
    features = map.map(each -> each.scoringMap().names());
    classes = text.map(FeatureMapText::labelRule)
        .filter(LabelRule.Names.class::isInstance)
        .map(rule -> ((LabelRule.Names) rule).texts())
        .orElse(List.of());
  }

  /** The names of a version's weights. */
  public static WeightNames of(ModelSnapshot manifest) {
    try {
      return new WeightNames(manifest, Optional.of(FeatureMapText.parse(manifest.features())));
    } catch (IllegalArgumentException notOfFields) {
      return new WeightNames(manifest, Optional.empty());
    }
  }

  /** The names of the features; empty where the manifest does not tell them. */
  public Optional<FeatureNames> features() {
    return features;
  }

  /**
   * What each number adds to a score; none where the manifest does not tell its features, or what
   * they add goes through hidden units.
   *
   * @param row of the score
   */
  public List<NumberCurve> curves(double[] weights, int row) {
    boolean hidden = objective.filter(Network.class::isInstance).isPresent();
    return hidden || objective.isEmpty()
        ? List.of()
        : map.map(each -> NumberCurve.of(each, weights, row * inputs)).orElse(List.of());
  }

  /** How many rows of weights there are for the features. */
  public int rows() {
    return objective.map(Objective::rows).orElse(1);
  }

  /** How many features there are. */
  public int inputs() {
    return inputs;
  }

  /** The name of a weight. */
  public String of(int weight) {
    long matrix = (long) rows() * inputs;
    if (weight < matrix) {
      int coordinate = weight % inputs;
      String feature = features.map(names -> names.of(coordinate)).orElse("input " + coordinate);
      return rows() == 1 ? feature : row(weight / inputs) + ": " + feature;
    }
    return objective
        .filter(Network.class::isInstance)
        .map(each -> ofTail((Network) each, (int) (weight - matrix)))
        .orElse("weight " + weight);
  }

  /** What a row of the matrix is of. */
  public String row(int row) {
    return objective.filter(Network.class::isInstance).isPresent()
        ? "hidden " + row
        : className(row);
  }

  private String ofTail(Network network, int at) {
    int units = network.outputs() * network.hidden();
    boolean bias = at >= units;
    int output = bias ? at - units : at / network.hidden();
    String name = network.outputs() == 1 ? "output" : className(output);
    return name + ": " + (bias ? "bias" : "hidden " + at % network.hidden());
  }

  private String className(int number) {
    return number < classes.size() ? classes.get(number) : "class " + number;
  }
}

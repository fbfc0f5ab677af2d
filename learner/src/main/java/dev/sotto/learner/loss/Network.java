package dev.sotto.learner.loss;

import dev.sotto.learner.example.Example;
import java.util.Objects;
import java.util.Optional;

/**
 * A network with one hidden layer. Its weights are, in this order: {@code W}, hidden x inputs,
 * row-major; {@code V}, outputs x hidden, row-major; {@code c}, outputs. Scores are
 * {@code V act(W x) + c}; a bias of the hidden units is a feature that is constant. Not convex:
 * what is learned depends on where it starts, which is a public function of the seed. Neither
 * Lipschitz nor smooth over the whole space.
 *
 * @param hidden units, 1 to 2^20
 * @param activation of every hidden unit
 * @param head what the scores mean
 * @param seed of the start
 */
public record Network(int hidden, Activations activation, OutputLayer head, long seed)
    implements Objective {
  private static final int MOST = 1 << 20;

  public Network {
    Objects.requireNonNull(activation, "activation");
    Objects.requireNonNull(head, "head");
    if (hidden < 1 || hidden > MOST) {
      throw new IllegalArgumentException("hidden must be 1 to 2^20 units, but was " + hidden);
    }
    if ((long) head.outputs() * (hidden + 1L) > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("hidden units times outputs must be below 2^31, but were "
          + hidden + " times " + head.outputs());
    }
  }

  @Override
  public boolean isConvex() {
    return false;
  }

  @Override
  public int rows() {
    return hidden;
  }

  @Override
  public int tail() {
    return head.outputs() * (hidden + 1);
  }

  @Override
  public boolean admits(double label) {
    return head.admits(label);
  }

  @Override
  public double lipschitz() {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double smoothness() {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * W is uniform with variance 1, so that features of norm 1 give inputs of variance 1; V is
   * uniform with variance 1 / hidden; c is 0.
   */
  @Override
  public void start(double[] weights) {
    SplitMix64 random = new SplitMix64(seed);
    int tail = weights.length - tail();
    int biases = weights.length - head.outputs();
    double wide = Math.sqrt(3);
    for (int i = 0; i < tail; i++) {
      weights[i] = wide * random.symmetric();
    }
    double narrow = wide / Math.sqrt(hidden);
    for (int i = tail; i < biases; i++) {
      weights[i] = narrow * random.symmetric();
    }
    for (int i = biases; i < weights.length; i++) {
      weights[i] = 0;
    }
  }

  /**
   * Near its start a network is linear in its weights, with the gradient of the score for features.
   * Their squared norm is about 1 (the biases), hidden / 2 (what the units put out) and 1/2 (what
   * goes into them through V).
   */
  @Override
  public Optional<StepScale> stepScale(double labelRange) {
    return head.stepScale(labelRange).map(this::ofWeights);
  }

  @Override
  public Optional<StepScale> measuredScale() {
    return head.measuredScale().map(this::ofWeights);
  }

  private StepScale ofWeights(StepScale scale) {
    double norm = Math.sqrt(1.5 + 0.5 * hidden);
    return new StepScale(
        scale.clip() * norm,
        1.5 * scale.noise() / norm,
        scale.curvature() * norm * norm,
        scale.autoClip() * norm);
  }

  @Override
  public Pass pass() {
    return new NetworkPass(this);
  }

  @Override
  public int outputs() {
    return head.outputs();
  }

  private static final class NetworkPass extends ScoredPass {
    private final Network network;
    private final double[] inputs; // of the activation
    private final double[] units;
    private final double[] slopes;
    private double[] weights;

    NetworkPass(Network network) {
      super(network.head.scored());
      this.network = network;
      this.inputs = new double[network.hidden];
      this.units = new double[network.hidden];
      this.slopes = new double[network.head.outputs()];
    }

    @Override
    public void forward(Example example, double[] newWeights) {
      weights = newWeights;
      example.dots(weights, inputs);
      for (int j = 0; j < units.length; j++) {
        units[j] = network.activation.value(inputs[j]);
      }
      double[] scores = scored.scores();
      int at = weights.length - network.tail();
      int biases = weights.length - scores.length;
      for (int k = 0; k < scores.length; k++) {
        double score = weights[biases + k];
        for (int j = 0; j < units.length; j++) {
          score += weights[at++] * units[j];
        }
        scores[k] = score;
      }
      scored.scored();
    }

    @Override
    public void backward(double label, double scale, double[] outer, double[] tail) {
      scored.slopes(label, slopes);
      int biases = tail.length - slopes.length;
      int matrix = weights.length - tail.length;
      for (int j = 0; j < units.length; j++) {
        double back = 0;
        for (int k = 0; k < slopes.length; k++) {
          back += weights[matrix + k * units.length + j] * slopes[k];
        }
        outer[j] += scale * (back * network.activation.slope(inputs[j]));
      }
      int at = 0;
      for (int k = 0; k < slopes.length; k++) {
        double slope = scale * slopes[k];
        for (double unit : units) {
          tail[at++] += slope * unit;
        }
        tail[biases + k] += slope;
      }
    }
  }
}

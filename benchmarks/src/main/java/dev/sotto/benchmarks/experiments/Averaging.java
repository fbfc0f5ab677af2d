package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Whether a running average of the published weights predicts better than the newest of them: used
 * always, or only while released differences of their losses say so. These are paid for: the
 * learner then has the rest of the budget.
 */
final class Averaging implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.25, 0.5, 1.0, 2.0, 4.0);
  private static final List<QualitySet> SETS = Arrays.stream(QualitySet.values())
      .filter(each -> each.loss.equals("logistic"))
      .toList();
  private static final List<NumberEncoding> ENCODINGS =
      List.of(NumberEncoding.DEFAULTS, NumberEncoding.NO_BOUNDS);
  private static final int SEEDS = 5;
  private static final double LARGER_STEPS = 1; // c; of the defaults one half
  private static final double DECAY = 0.9; // of the average in a round
  private static final double SHARE = 0.05; // of mu^2, for differences
  private static final double FARTHEST = 0.5; // to which the difference of one record is cut
  private static final double SLOTS = 64; // between two releases, times the noise of one
  private static final double MEMORY = 0.5; // of sums of differences from release to release

  /** What predicts. */
  private enum Variant {
    NEWEST("today"),
    AVERAGE("average"),
    PAID("newest of the rest"), // today with what differences leave of the budget
    DETECTED("detected"),
    EXACT("exactly detected"), // without noise of differences: nobody can have that privately
    NEWEST_1("newest at c 1"),
    AVERAGE_1("average at c 1"),
    DETECTED_1("detected at c 1"),
    EXACT_1("exactly detected at c 1");

    final String label;

    Variant(String label) {
      this.label = label;
    }
  }

  /**
   * A set under some encoding and budget.
   *
   * @param whole the plan of the defaults
   * @param rest the same with what differences leave of the budget
   */
  record Case(
      QualitySet set,
      NumberEncoding encoding,
      double epsilon,
      QualityRun run,
      Plan whole,
      Plan rest) {
    /** The loss of the newest weights, and by how much each other variant is above it. */
    double[] measure(long seed) {
      double sigma = sigma();
      Pass today = Pass.of(run, whole, sigma, seed);
      Pass paid = Pass.of(run, rest, sigma, seed);
      Pass today1 = Pass.of(run, larger(whole), sigma, seed);
      Pass paid1 = Pass.of(run, larger(rest), sigma, seed);
      double[] losses = {
        today.newestLoss,
        today.averageLoss,
        paid.newestLoss,
        paid.noisy.loss,
        paid.exact.loss,
        today1.newestLoss,
        today1.averageLoss,
        paid1.noisy.loss,
        paid1.exact.loss
      };
      return IntStream.range(0, losses.length)
          .mapToDouble(i -> (i == 0 ? losses[0] : losses[i] - losses[0]) / run.count())
          .toArray();
    }

    /** Of a sum of differences, to which one record adds at most {@link #FARTHEST}. */
    double sigma() {
      return FARTHEST / (whole.budget().muLimit() * Math.sqrt(SHARE));
    }
  }

  private static Case of(QualitySet set, NumberEncoding encoding, double epsilon, QualityRun run) {
    Plan whole = run.plan(epsilon);
    Budget budget = whole.budget();
    Budget rest = Budget.ofMu(budget.muLimit() * Math.sqrt(1 - SHARE), budget.delta());
    return new Case(set, encoding, epsilon, run, whole, run.plan(rest.epsilon()));
  }

  private static Plan larger(Plan plan) {
    StepSize.NoiseAware steps = (StepSize.NoiseAware) ((PrivateFtrl) plan.optimizer()).steps();
    StepScale scale = steps.scale();
    return QualityRun.withSteps(
        plan,
        new StepSize.NoiseAware(
            steps.mechanism(),
            steps.sigma(),
            steps.batch(),
            new StepScale(scale.clip(), LARGER_STEPS, scale.curvature(), scale.autoClip()),
            steps.shrinks(),
            steps.raises()));
  }

  /** Which of the two predicts, by what was released of earlier records; first the newest. */
  private static final class Choice {
    private final Random noise; // null for none
    private double sum;
    private boolean averages;
    private double loss;

    Choice(Random noise) {
      this.noise = noise;
    }

    void release(double differences, double sigma) {
      sum = MEMORY * sum + differences + (noise == null ? 0 : sigma * noise.nextGaussian());
      averages = sum < 0;
    }
  }

  /** One pass of the learner, and the losses of all that its versions can be made into. */
  private static final class Pass implements LearningPass.Watcher {
    private final Objective.Pass objective;
    private final double sigma;
    private final long roundsOfRelease;
    private final Choice noisy;
    private final Choice exact = new Choice(null);
    private double[] newest;
    private double[] average;
    private long rounds;
    private double differences;
    private double newestLoss;
    private double averageLoss;

    private Pass(Plan plan, double sigma, long seed) {
      this.objective = plan.objective().pass();
      this.sigma = sigma;
      this.roundsOfRelease = (long) Math.ceil(SLOTS * sigma / plan.batch());
      this.noisy = new Choice(new Random(seed));
    }

    static Pass of(QualityRun run, Plan released, double sigma, long seed) {
      Plan plan = released.toBuilder().versions(VersionSchedule.EVERY_ROUND).build();
      Pass pass = new Pass(plan, sigma, seed);
      LearningPass.weights(plan, run, seed, pass);
      return pass;
    }

    @Override
    public void before(int place, Example example, double[] published) {
      if (newest == null) {
        newest = published;
        average = published.clone();
      } else if (newest != published) {
        newest = published;
        closeRound();
      }
      double ofNewest = loss(example, newest);
      double ofAverage = loss(example, average);
      newestLoss += ofNewest;
      averageLoss += ofAverage;
      noisy.loss += noisy.averages ? ofAverage : ofNewest;
      exact.loss += exact.averages ? ofAverage : ofNewest;
      differences += Math.max(-FARTHEST, Math.min(FARTHEST, ofAverage - ofNewest));
    }

    /** The mean of all weights as long as there are few. */
    private void closeRound() {
      rounds++;
      double rate = Math.max(1 - DECAY, 1.0 / rounds);
      for (int i = 0; i < average.length; i++) {
        average[i] += rate * (newest[i] - average[i]);
      }
      if (rounds % roundsOfRelease == 0) {
        noisy.release(differences, sigma);
        exact.release(differences, sigma);
        differences = 0;
      }
    }

    private double loss(Example example, double[] weights) {
      objective.forward(example, weights);
      return objective.value(example.label());
    }
  }

  @Override
  public String name() {
    return "averaging";
  }

  @Override
  public String question() {
    return "Does an average of the published weights predict better than the newest of them?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (NumberEncoding encoding : ENCODINGS) {
      for (QualitySet set : trials.choose(SETS, List.of(QualitySet.SEA))) {
        all.addAll(measured(trials, set, encoding));
      }
    }
    return new Outcome(means(all), table(all), Map.of());
  }

  static List<Measured<Case>> measured(Trials trials, QualitySet set, NumberEncoding encoding)
      throws IOException {
    QualityRun run = encoding.run(set, trials.data());
    return trials.run(
        set.label + ", " + encoding.label,
        trials.choose(EPSILONS, List.of(1.0)).stream()
            .map(epsilon -> of(set, encoding, epsilon, run))
            .toList(),
        trials.choose(SEEDS, 1),
        (each, repetition) -> each.measure(1 + repetition));
  }

  static ResultTable table(List<Measured<Case>> all) {
    return figures(new Columns<Measured<Case>>()
            .add("set", each -> each.of().set().label)
            .add("numbers", each -> each.of().encoding().label)
            .add("epsilon", each -> each.of().epsilon())
            .add("round", each -> each.of().whole().batch())
            .add("noise of a release", each -> each.of().sigma()))
        .of(all);
  }

  /** Over all sets, repetition by repetition. */
  static ResultTable means(List<Measured<Case>> all) {
    Map<List<Object>, List<Measured<Case>>> alike = new LinkedHashMap<>();
    all.forEach(each -> alike
        .computeIfAbsent(
            List.of(each.of().encoding(), each.of().epsilon()), any -> new ArrayList<>())
        .add(each));
    return figures(new Columns<Measured<Case>>()
            .add("numbers", each -> each.of().encoding().label)
            .add("epsilon", each -> each.of().epsilon()))
        .of(alike.values().stream().map(Averaging::mean).toList());
  }

  private static Measured<Case> mean(List<Measured<Case>> sets) {
    List<double[]> means = new ArrayList<>();
    for (int r = 0; r < sets.get(0).runs().size(); r++) {
      double[] mean = new double[Variant.values().length];
      for (Measured<Case> each : sets) {
        for (int i = 0; i < mean.length; i++) {
          mean[i] += each.runs().get(r)[i] / sets.size();
        }
      }
      means.add(mean);
    }
    return new Measured<>(sets.get(0).of(), means);
  }

  private static Columns<Measured<Case>> figures(Columns<Measured<Case>> columns) {
    for (Variant variant : Variant.values()) {
      int figure = variant.ordinal();
      columns
          .add(variant.label, each -> each.mean(figure))
          .add(variant.label + " +-", each -> each.error(figure));
    }
    return columns;
  }
}

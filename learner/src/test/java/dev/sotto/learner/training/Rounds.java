package dev.sotto.learner.training;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Activations;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Network;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.OutputLayer;
import dev.sotto.learner.loss.Softmax;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Plans of both algorithms, and streams for them. */
final class Rounds {
  static final int INPUTS = 5;
  static final int BATCH = 16;

  private Rounds() {}

  /** A name for reports, and the plan. */
  record Case(String name, Plan plan) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Plan plan(
      Objective objective,
      boolean srgd,
      boolean accelerated,
      Gradients gradients,
      GenerationSchedule generations,
      int lag,
      Mechanism mechanism,
      boolean metrics) {
    return TestPlans.plan(p -> {
      p.objective = objective;
      p.dimension = objective.dimension(INPUTS);
      p.batch = BATCH;
      p.sigma = 3;
      p.mechanism = mechanism;
      p.generations = generations;
      p.lag = lag;
      p.metrics = metrics ? new PrivateMetrics(5, 2, 4, 3) : null;
      double[] start = new double[p.dimension];
      objective.start(start);
      EuclideanBall ball = new EuclideanBall(start, 3);
      p.optimizer = srgd
          ? new AcceleratedDpSrgd(ball, 0.7, accelerated, gradients)
          : new PrivateFtrl(ball, new StepSize.Decreasing(0.5));
    });
  }

  /**
   * Every variant of the algorithms at every kind of generations, lag, noise and loss, in a small
   * selection.
   */
  static List<Case> cases() {
    List<Case> all = new ArrayList<>();
    List<Objective> objectives = List.of(
        Objective.of(Losses.LOGISTIC.make()),
        new Softmax(3),
        new Network(4, Activations.TANH, new OutputLayer.Classes(3), 5),
        new Network(3, Activations.GELU, new OutputLayer.Score(Losses.LOGISTIC.make()), 6));
    List<GenerationSchedule> generations = List.of(
        GenerationSchedule.NONE,
        new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 3),
        new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 1));
    int turn = 0;
    for (Objective objective : objectives) {
      for (int variant = 0; variant < 5; variant++) {
        for (int lag = 0; lag < 2; lag++) {
          GenerationSchedule each = generations.get(turn % 3);
          Mechanism mechanism = (turn % 2 == 0 ? Mechanisms.BINARY_TREE : Mechanisms.BLT).make();
          boolean metrics = turn / 2 % 2 == 0;
          boolean srgd = variant < 4;
          Gradients gradients = variant / 2 == 0 ? Gradients.RECURSIVE : Gradients.INDEPENDENT;
          all.add(new Case(
              objective + (srgd ? " srgd " + (variant % 2 == 0) + " " + gradients : " ftrl")
                  + " " + each.describe() + " lag " + lag + " " + mechanism.name()
                  + (metrics ? " metrics" : ""),
              plan(objective, srgd, variant % 2 == 0, gradients, each, lag, mechanism, metrics)));
          turn += 1;
        }
        turn += 1;
      }
    }
    for (GenerationSchedule each : generations) {
      all.add(new Case("raised steps " + each.describe(), raised(each, 0.25, true)));
      all.add(new Case("steps that overshoot " + each.describe(), raised(each, 0.01, true)));
    }
    for (Case each : List.copyOf(all)) { // the same, begun at published weights
      if (all.indexOf(each) % 3 == 0) {
        double[] weights =
            Seed.random(8).doubles(each.plan().dimension(), -0.5, 0.5).toArray();
        all.add(new Case(
            each.name() + " warm", each.plan().toBuilder().warmStart(weights).build()));
      }
    }
    return all;
  }

  /** A third of the cases, in which every objective, variant, lag, mechanism and kind occurs. */
  static List<Case> some() {
    List<Case> all = cases();
    return IntStream.range(0, all.size())
        .filter(i -> i % 3 == 0)
        .mapToObj(all::get)
        .toList();
  }

  /** Steps held by a curvature, beyond which noisy sums may lead. */
  static Plan raised(GenerationSchedule generations, double curvature, boolean raises) {
    return TestPlans.plan(p -> {
      p.noNoise();
      PrefixMechanism blt = Mechanisms.BLT.make();
      p.mechanism = blt;
      p.sigma = 0.01;
      p.dimension = INPUTS;
      p.batch = BATCH;
      p.generations = generations;
      p.optimizer = new PrivateFtrl(
          new EuclideanBall(null, Double.POSITIVE_INFINITY),
          new StepSize.NoiseAware(
              blt, p.sigma, p.batch, new StepScale(1, 50, curvature), true, raises));
    });
  }

  /**
   * A stream with empty slots, absent ones, sparse examples, weights, and gradients that are cut.
   */
  static List<Slot> stream(Plan plan, int rounds, long seed) {
    Random random = Seed.random(seed);
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < rounds * plan.batch(); i++) {
      Slot slot = new Slot(INPUTS);
      slot.clear();
      int kind = random.nextInt(10);
      if (kind == 0) {
        slot.status(RecordStatus.ABSENT);
      } else if (kind == 1) {
        slot.status(RecordStatus.UNREADABLE);
      } else {
        if (kind < 5) {
          slot.example().add(random.nextInt(INPUTS), random.nextGaussian());
          slot.example().add(random.nextInt(INPUTS), 1);
        } else {
          double[] values = slot.example().dense();
          for (int j = 0; j < INPUTS; j++) {
            values[j] = random.nextGaussian();
          }
        }
        slot.example().label(random.nextInt(3)); // a 2 is no label for some losses
        slot.example().weight(kind == 6 ? 40 : 1);
        slot.status(RecordStatus.USED);
      }
      slots.add(slot);
    }
    return slots;
  }
}

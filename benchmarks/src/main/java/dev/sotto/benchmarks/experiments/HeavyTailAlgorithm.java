package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.AcSaSteps;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClipRules;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.ClippedAlgorithm;
import dev.sotto.learner.optimizer.heavytail.ClippedSgd;
import dev.sotto.learner.optimizer.heavytail.Curvature;
import dev.sotto.learner.optimizer.heavytail.LocalMoments;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.LocalizedSchedule;
import dev.sotto.learner.optimizer.heavytail.Moments;
import dev.sotto.learner.optimizer.heavytail.ProxClippedSgd;
import dev.sotto.learner.optimizer.heavytail.ProxSchedule;
import dev.sotto.learner.optimizer.heavytail.ProximalMap;
import dev.sotto.learner.optimizer.heavytail.SgdSchedule;
import java.util.OptionalDouble;

/** An algorithm for heavy tails, as the suites of made-up problems run it. */
enum HeavyTailAlgorithm {
  SGD("clipped-sgd") {
    @Override
    ClippedAlgorithm make(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
      return new ClippedSgd(
          SgdSchedule.of(size, moments(problem), new Curvature(1, 1), 2, clip), 0, ball(problem));
    }

    @Override
    ClippedAlgorithm atQuantile(HeavyTailProblem problem, BlockSize size) {
      long queries = make(problem, size, OptionalDouble.empty()).queries().queries();
      double clip = problem.quantile(ClipRules.tail(size, queries - 1));
      return make(problem, size, OptionalDouble.of(clip));
    }
  },
  AC_SA("clipped-ac-sa") {
    @Override
    ClippedAlgorithm make(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
      return new ClippedAcSa(AcSaSchedule.of(size, moments(problem), 1, 2, clip), ball(problem));
    }

    @Override
    ClippedAlgorithm atQuantile(HeavyTailProblem problem, BlockSize size) {
      long queries = make(problem, size, OptionalDouble.empty()).queries().queries();
      double clip = problem.quantile(ClipRules.tail(size, queries));
      return make(problem, size, OptionalDouble.of(clip));
    }

    @Override
    ClippedAlgorithm ofBlocks(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
      return new ClippedAcSa(
          AcSaSchedule.of(size, moments(problem), 1, 2, clip),
          ball(problem),
          new AcSaSteps(size, problem.second, 1, 2));
    }
  },
  LOCALIZED("localized-erm") {
    @Override
    ClippedAlgorithm make(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
      LocalizedSchedule schedule = schedule(problem, size);
      return new LocalizedErm(schedule.phases(400, 1, schedule::clip), ball(problem));
    }

    @Override
    ClippedAlgorithm atQuantile(HeavyTailProblem problem, BlockSize size) {
      return new LocalizedErm(
          schedule(problem, size)
              .phases(400, 1, n -> problem.quantile(ClipRules.localTail(size, n))),
          ball(problem));
    }

    @Override
    ClippedAlgorithm ofBlocks(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
      LocalizedSchedule schedule = schedule(problem, size);
      double factor = clip.isPresent() ? clip.getAsDouble() / schedule.firstClip() : 1;
      return new LocalizedErm(
          schedule.phases(400, 8, n -> factor * schedule.clip(n)), ball(problem));
    }

    private LocalizedSchedule schedule(HeavyTailProblem problem, BlockSize size) {
      return new LocalizedSchedule(
          size, new LocalMoments(moments(problem), problem.fourth), 2 * problem.radius);
    }
  },
  PROX("prox-clipped-sgd") {
    @Override
    ClippedAlgorithm make(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
      return new ProxClippedSgd(
          ProxSchedule.of(size, moments(problem), new Curvature(1, 1), 1, clip),
          new ProximalMap(0.1, 0, 1));
    }

    @Override
    ClippedAlgorithm atQuantile(HeavyTailProblem problem, BlockSize size) {
      long queries = make(problem, size, OptionalDouble.empty()).queries().queries();
      double clip = problem.quantile(ClipRules.proximalTail(size, queries));
      return make(problem, size, OptionalDouble.of(clip));
    }
  };

  final String label;

  HeavyTailAlgorithm(String label) {
    this.label = label;
  }

  /** With the clip of the moment rule, or another where it has one clip. */
  abstract ClippedAlgorithm make(HeavyTailProblem problem, BlockSize size, OptionalDouble clip);

  /** With the clip of a public quantile of gradient norms. */
  abstract ClippedAlgorithm atQuantile(HeavyTailProblem problem, BlockSize size);

  /** For several blocks, over which the clip, and with it the steps, may move. */
  ClippedAlgorithm ofBlocks(HeavyTailProblem problem, BlockSize size, OptionalDouble clip) {
    return make(problem, size, clip);
  }

  private static Moments moments(HeavyTailProblem problem) {
    return new Moments(2, problem.second, problem.second);
  }

  private static Ball ball(HeavyTailProblem problem) {
    return new Ball(null, problem.radius);
  }
}

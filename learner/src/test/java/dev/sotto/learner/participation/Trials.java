package dev.sotto.learner.participation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/** Sends random arrivals to a budget filter and holds every decision against the definition. */
final class Trials {
  private static final int LONGEST = 200;

  /** A plan to try: all that a filter is made of. */
  record Setting(
      Participation.Budgeted rule,
      ColumnDecay memory,
      GenerationSchedule generations,
      double ratioSquared,
      double metricsRatioSquared) {
    double mu() {
      return rule.mu();
    }

    DenseBook dense() {
      return new DenseBook(memory, generations, ratioSquared, metricsRatioSquared, LONGEST);
    }

    static Setting random(Random random) {
      ColumnDecay memory = Memories.random(random);
      GenerationSchedule generations = switch (random.nextInt(3)) {
        case 0 -> GenerationSchedule.NONE;
        case 1 -> new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 1 + random.nextInt(60));
        default -> new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 1 + random.nextInt(20));
      };
      double ratio = StrictMath.exp(-4 * random.nextDouble());
      double metrics = random.nextBoolean() ? 0 : ratio * random.nextDouble();
      double least = AdmissionRules.leastMu(memory, generations, ratio, metrics);
      double mu = least * (1 + 3 * random.nextDouble());
      long separation = random.nextBoolean() ? 1 : 1 + random.nextInt(12);
      return new Setting(
          new Participation.Budgeted(mu, separation), memory, generations, ratio, metrics);
    }
  }

  private Trials() {}

  /**
   * Random settings, each with arrivals that come in bursts and gaps, sometimes twice in a round.
   */
  static void run(long seed, int trials, Function<Setting, Admission> maker) {
    Random random = Seed.random(seed);
    for (int trial = 0; trial < trials; trial++) {
      Setting setting = Setting.random(random);
      int longestGap = 1 + random.nextInt(30);
      List<Long> arrivals = new ArrayList<>();
      for (long round = 1 + random.nextInt(20);
          round <= LONGEST;
          round += random.nextInt(longestGap + 1)) {
        arrivals.add(round);
        if (arrivals.size() == 60) {
          break;
        }
      }
      check(setting, maker.apply(setting), arrivals);
    }
  }

  /**
   * No schedule passes the budget or has rounds nearer than the separation, and no other arrival is
   * refused that the budget had room for.
   */
  static void check(Setting setting, Admission filter, List<Long> arrivals) {
    DenseBook dense = setting.dense();
    double cap = setting.mu() * setting.mu();
    List<Long> admitted = new ArrayList<>();
    byte[] history = null;
    for (long round : arrivals) {
      byte[] before = history == null ? null : history.clone();
      byte[] after = filter.admit(history, round);
      assertThat(history).isEqualTo(before);
      boolean near = !admitted.isEmpty()
          && round - admitted.get(admitted.size() - 1) < setting.rule().separation();
      admitted.add(round);
      double committed = dense.committed(admitted);
      if (after != null) {
        assertThat(near).as("participations in %s of %s", admitted, setting).isFalse();
        assertThat(committed)
            .as("committed by %s of %s", admitted, setting)
            .isLessThanOrEqualTo(cap * (1 + 1e-12));
        history = after;
      } else {
        if (!near) {
          assertThat(committed)
              .as("refused: %s of %s", admitted, setting)
              .isGreaterThan(cap * (1 - 1e-11));
        }
        admitted.remove(admitted.size() - 1);
      }
    }
  }
}

package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.Plan;

/**
 * The releases of a subject over null slots: noise alone, as prefix sums and white.
 *
 * @param prefixes of each round, each coordinate
 * @param scores the white noise, mapped to standard normal scores by the claimed distribution
 * @param sizes the white noise itself
 */
record NoiseOnlyRun(double[][] prefixes, double[][] scores, double[][] sizes) {
  /**
   * Runs null slots, or all but one.
   *
   * @param exampleRound the round, from 1, in whose first slot there is an example; 0 for none
   */
  static NoiseOnlyRun of(
      AuditSubject subject,
      Plan plan,
      AuditSubject.Identity identity,
      int rounds,
      int width,
      int exampleRound) {
    AuditSubject.Run run = subject.start(plan, identity, new AuditSubject.Window(0, width));
    NoiseMatrix.Whitener whitener = NoiseMatrix.of(plan).whitener(width);
    NoiseDistribution distribution = NoiseDistribution.of(plan);
    NoiseOnlyRun noise = new NoiseOnlyRun(
        new double[rounds][width], new double[rounds][width], new double[rounds][width]);
    Slot empty = new Slot(plan.inputs());
    for (int t = 0; t < rounds; t++) {
      fill(run, empty, plan.batch(), t + 1 == exampleRound);
      double[] prefix = noise.prefixes()[t];
      run.close(prefix);
      whitener.white(prefix, noise.sizes()[t]);
      whitener.advance(prefix);
      for (int i = 0; i < width; i++) {
        noise.scores()[t][i] = distribution.normalScore(noise.sizes()[t][i]);
      }
    }
    return noise;
  }

  /** The largest change of a prefix, in standard deviations of z, when rounds are done again. */
  static double retried(
      AuditSubject subject, Plan plan, AuditSubject.Identity identity, int rounds, int width) {
    AuditSubject.Run run = subject.start(plan, identity, new AuditSubject.Window(0, width));
    Slot empty = new Slot(plan.inputs());
    double[] first = new double[width];
    double[] second = new double[width];
    double off = 0;
    for (int t = 0; t < rounds; t++) {
      run.mark();
      fill(run, empty, plan.batch(), false);
      run.close(first);
      run.reset();
      fill(run, empty, plan.batch(), false);
      run.close(second);
      for (int i = 0; i < width; i++) {
        off = Math.max(off, Math.abs(first[i] - second[i]));
      }
    }
    return off / NoiseDistribution.of(plan).deviation();
  }

  private static void fill(AuditSubject.Run run, Slot slot, long batch, boolean withExample) {
    for (long place = 0; place < batch; place++) {
      slot.clear();
      if (withExample && place == 0) {
        slot.verdict(RecordStatus.USED);
        slot.example().add(0, 1);
        slot.example().label(1);
      }
      run.fill(slot);
    }
  }

  int rounds() {
    return prefixes.length;
  }

  int width() {
    return prefixes[0].length;
  }
}

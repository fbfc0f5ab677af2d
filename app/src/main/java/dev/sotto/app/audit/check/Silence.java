package dev.sotto.app.audit.check;

import dev.sotto.app.audit.noise.NoiseLaw;
import dev.sotto.app.audit.noise.NoiseMatrix;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.round.Plan;

/**
 * What a subject releases when it is given nothing: pure noise, as prefix sums and white.
 *
 * @param prefixes of each round, each coordinate
 * @param scores the white noise, made standard normal by the law that is claimed
 * @param sizes the white noise itself
 */
record Silence(double[][] prefixes, double[][] scores, double[][] sizes) {
  /**
   * Plays null slots, or all but one.
   *
   * @param spoken the round, from 1, in whose first slot there is an example; 0 for none
   */
  static Silence of(
      Subject subject, Plan plan, Subject.Identity identity, int rounds, int width, int spoken) {
    Subject.Run run = subject.start(plan, identity, new Subject.Window(0, width));
    NoiseMatrix.Whitener whitener = NoiseMatrix.of(plan).whitener(width);
    NoiseLaw law = NoiseLaw.of(plan);
    Silence silence = new Silence(
        new double[rounds][width], new double[rounds][width], new double[rounds][width]);
    Slot empty = new Slot(plan.inputs());
    for (int t = 0; t < rounds; t++) {
      fill(run, empty, plan.batch(), t + 1 == spoken);
      double[] prefix = silence.prefixes()[t];
      run.close(prefix);
      whitener.white(prefix, silence.sizes()[t]);
      whitener.advance(prefix);
      for (int i = 0; i < width; i++) {
        silence.scores()[t][i] = law.normalScore(silence.sizes()[t][i]);
      }
    }
    return silence;
  }

  /** The largest change of a prefix, in standard deviations of z, when each round is done a second time. */
  static double retried(
      Subject subject, Plan plan, Subject.Identity identity, int rounds, int width) {
    Subject.Run run = subject.start(plan, identity, new Subject.Window(0, width));
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
    return off / NoiseLaw.of(plan).deviation();
  }

  private static void fill(Subject.Run run, Slot slot, long batch, boolean spoken) {
    for (long place = 0; place < batch; place++) {
      slot.clear();
      if (spoken && place == 0) {
        slot.verdict(Verdict.USED);
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

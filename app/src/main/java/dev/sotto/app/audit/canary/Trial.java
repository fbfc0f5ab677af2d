package dev.sotto.app.audit.canary;

import dev.sotto.app.audit.noise.NoiseLaw;
import dev.sotto.app.audit.noise.NoiseMatrix;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.app.audit.subject.Subject.Window;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.round.Plan;
import java.util.Arrays;

/**
 * One run of a subject with canaries in it, and what its transcript says about each: the logarithm of the likelihood
 * ratio under the noise that is claimed, which no test of the transcript can beat.
 *
 * @param plan what is claimed, with coordinates for the canaries behind its own
 * @param window where they are
 */
record Trial(
    Plan plan,
    Window window,
    Canary canary,
    Placement placement,
    Reading reading,
    Background background) {

  /** The sign of a canary's records. */
  private int sign(boolean in) {
    return in ? 1 : plan.adjacency() == Adjacency.REPLACE_ONE ? -1 : 0;
  }

  /** The noise that the reading carries where all is as claimed. */
  NoiseLaw law() {
    NoiseLaw law = NoiseLaw.of(plan);
    return reading == Reading.TWO_HISTORIES ? law.times(Math.sqrt(2)) : law;
  }

  /** How far apart a canary's two worlds lie, in standard deviations of the noise that is claimed. */
  double separation(int which) {
    return plan.sensitivity() * placement.norm(which) / law().deviation();
  }

  /** How far a canary moves the sum of a round. */
  double shift(boolean in) {
    return sign(in) * plan.clip();
  }

  /** What a row of the white transcript says about a canary that moves it by so much. */
  double evidence(NoiseLaw law, double row, double moved) {
    double shift = plan.clip() * moved;
    double up = law.evidence(row, shift);
    return plan.adjacency() == Adjacency.REPLACE_ONE ? up - law.evidence(row, -shift) : up;
  }

  /**
   * Plays the whole run.
   *
   * @param in the coins
   * @return for each canary, positive where it seems to be in
   */
  double[] play(Subject subject, Subject.Identity identity, boolean[] in) {
    int rounds = placement.horizon();
    double[] evidence = new double[placement.size()];
    double[] row = new double[window.count()];
    double[] other = new double[window.count()];
    double[] prefix = new double[window.count()];
    NoiseLaw law = law();
    Reader reader = new Reader(subject, identity);
    Reader second = reading == Reading.TWO_HISTORIES ? new Reader(subject, identity) : null;
    for (int t = 1; t <= rounds; t++) {
      reader.round(t, in, prefix, row);
      if (second != null) {
        second.round(t, null, prefix, other);
        for (int i = 0; i < row.length; i++) {
          row[i] -= other[i];
        }
      }
      for (int i = 0; i < evidence.length; i++) {
        double moved = placement.moved(i, t);
        if (moved != 0) {
          evidence[i] += evidence(law, row[i], moved);
        }
      }
    }
    return evidence;
  }

  /** One history as it is read. */
  private final class Reader {
    private final Subject.Run run;
    private final NoiseMatrix.Whitener whitener;
    private final Slot slot;
    private final double[] mean;
    private int place;

    Reader(Subject subject, Subject.Identity identity) {
      run = subject.start(plan, identity, window);
      whitener = NoiseMatrix.of(plan).whitener(window.count());
      slot = new Slot(plan.inputs());
      mean = new double[window.count()];
    }

    /** Plays a round, as often as it is attempted, and whitens the mean of what is seen. */
    void round(int t, boolean[] in, double[] prefix, double[] row) {
      int attempts = reading.attempts();
      if (attempts == 1) {
        fill(t, in);
        run.close(prefix);
        whitener.white(prefix, row);
      } else {
        int from = place;
        Arrays.fill(mean, 0);
        run.mark();
        for (int attempt = 1; attempt <= attempts; attempt++) {
          place = from;
          fill(t, in);
          run.close(prefix);
          for (int i = 0; i < mean.length; i++) {
            mean[i] += prefix[i] / attempts;
          }
          if (attempt < attempts) {
            run.reset();
          }
        }
        whitener.white(mean, row);
      }
      whitener.advance(prefix);
    }

    private void fill(int t, boolean[] in) {
      int[] canaries = placement.in(t);
      for (int which : canaries) {
        int sign = in == null ? sign(false) : sign(in[which]);
        canary.fill(window.from() + which, sign, slot);
        run.fill(slot);
      }
      for (long left = plan.batch() - canaries.length; left > 0; left--) {
        background.fill(place++, slot);
        run.fill(slot);
      }
    }
  }
}

package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.noise.SlotClasses;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.AuditSubject.Window;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.Plan;
import java.util.Arrays;

/**
 * One run of a subject with canaries, and a score of each from the transcript: the logarithm of the
 * likelihood ratio under the claimed noise. No test of the transcript is better.
 *
 * @param plan the claim, with coordinates for the canaries behind its own
 * @param window where they are
 */
record CanaryTrial(
    Plan plan,
    Window window,
    Canary canary,
    CanaryPlacement placement,
    BackgroundExamples background) {

  /** The sign of a canary's records. */
  private int sign(boolean in) {
    return in ? 1 : plan.adjacency() == Adjacency.REPLACE_ONE ? -1 : 0;
  }

  /** The claimed noise. */
  NoiseDistribution noise() {
    return NoiseDistribution.of(plan);
  }

  /** How far apart a canary's two worlds lie, in standard deviations of the claimed noise. */
  double separation(int which) {
    return plan.sensitivity() * placement.norm(which) / noise().deviation();
  }

  /** How far a canary moves the sum of a round. */
  double shift(boolean in) {
    return sign(in) * plan.clip();
  }

  /** The score of a row of the white transcript, for a canary that moves it by {@code moved}. */
  double evidence(NoiseDistribution noise, double row, double moved) {
    double shift = plan.clip() * moved;
    double up = sampled(noise.evidence(row, shift));
    return plan.adjacency() == Adjacency.REPLACE_ONE
        ? up - sampled(noise.evidence(row, -shift))
        : up;
  }

  /** Of a row that holds the canary with the probability of the secret coins only. */
  private double sampled(double evidence) {
    double rate = rate();
    if (rate == 1) {
      return evidence;
    }
    double most = Math.max(0, evidence);
    return most
        + StrictMath.log(
            (1 - rate) * StrictMath.exp(-most) + rate * StrictMath.exp(evidence - most));
  }

  /** The probability with which a slot enters a release; 1 where slots are not sampled. */
  double rate() {
    return plan.block().sampling().rate();
  }

  /**
   * Runs all rounds, or all queries of all blocks.
   *
   * @param in the coins
   * @return for each canary, positive where it seems to be in
   */
  double[] run(AuditSubject subject, AuditSubject.Identity identity, boolean[] in) {
    return !plan.learnsFromBlocks() && noise() instanceof NoiseDistribution.Gaussian
        ? matched(subject, identity, in)
        : byRows(subject, identity, in);
  }

  /**
   * Under Gaussian noise of prefixes: evidence is linear in the white rows, and so in the sums of
   * the rounds, which need not be made white.
   */
  private double[] matched(AuditSubject subject, AuditSubject.Identity identity, boolean[] in) {
    int count = placement.size();
    double[][] matched = new double[count][];
    double[] evidence = new double[count];
    double variance = noise().deviation() * noise().deviation();
    boolean replaced = plan.adjacency() == Adjacency.REPLACE_ONE;
    for (int i = 0; i < count; i++) {
      matched[i] = placement.matched(i);
      double shift = plan.clip() * placement.norm(i);
      evidence[i] = replaced ? 0 : -shift * shift / (2 * variance);
    }
    double factor = (replaced ? 2 : 1) * plan.clip() / variance;
    double[] prefix = new double[window.count()];
    double[] last = new double[window.count()];
    NoiseMatrix matrix = NoiseMatrix.of(plan);
    Auditor auditor = new Auditor(subject, identity);
    for (int t = 1; t <= placement.horizon(); t++) {
      auditor.release(t, in, prefix);
      for (int i = 0; i < count; i++) {
        evidence[i] += factor * matched[i][t - 1] * (prefix[i] - last[i]);
      }
      System.arraycopy(prefix, 0, last, 0, last.length);
      if (matrix.isRestart(t + 1)) {
        Arrays.fill(last, 0);
      }
    }
    return evidence;
  }

  private double[] byRows(AuditSubject subject, AuditSubject.Identity identity, boolean[] in) {
    int rounds = placement.horizon();
    double[] evidence = new double[placement.size()];
    double[] row = new double[window.count()];
    double[] prefix = new double[window.count()];
    NoiseDistribution noise = noise();
    Auditor auditor = new Auditor(subject, identity);
    NoiseMatrix.Whitener whitener = NoiseMatrix.of(plan).whitener(window.count());
    for (int t = 1; t <= rounds; t++) {
      auditor.release(t, in, prefix);
      whitener.white(prefix, row);
      whitener.advance(prefix);
      for (int i = 0; i < evidence.length; i++) {
        double moved = placement.moved(i, t);
        if (moved != 0) {
          evidence[i] += evidence(noise, row[i], moved);
        }
      }
    }
    return evidence;
  }

  /** What one run releases at the coordinate of the first canary, one release after the other. */
  double[] releases(AuditSubject subject, AuditSubject.Identity identity, boolean[] in) {
    double[] releases = new double[placement.horizon()];
    double[] prefix = new double[window.count()];
    Auditor auditor = new Auditor(subject, identity);
    for (int t = 1; t <= releases.length; t++) {
      auditor.release(t, in, prefix);
      releases[t - 1] = prefix[0];
    }
    return releases;
  }

  /** One run as the auditor sees it. */
  private final class Auditor {
    private final AuditSubject.Run run;
    private final Slot slot;
    private final ReleaseSchedule releases;
    private final SlotClasses classes; // null where rounds are no blocks
    private int place;

    Auditor(AuditSubject subject, AuditSubject.Identity identity) {
      run = subject.start(plan, identity, window);
      slot = new Slot(plan.inputs());
      releases = ReleaseSchedule.of(plan);
      classes = releases.isOfQueries() ? SlotClasses.of(plan) : null;
    }

    /** Runs a round, or a query. */
    void release(int t, boolean[] in, double[] prefix) {
      fill(t, in);
      run.close(prefix);
    }

    private void fill(int t, boolean[] in) {
      long slots = releases.slots(t);
      for (long i = 0; i < slots; i++) {
        long next = classes == null ? i : run.nextSlot();
        int which = classes == null ? placement.at(t - 1, i) : placed(t, next);
        if (which >= 0) {
          canary.fill(window.from() + which, sign(in[which]), slot);
        } else if (classes == null) {
          background.fill(place++, slot);
        } else { // the same event in every pass
          background.fill((int) ((releases.round(t) - 1) * plan.batch() + next), slot);
        }
        run.fill(slot);
      }
    }

    private int placed(int t, long next) {
      if (next < 0 || next >= plan.batch()) {
        return -1; // a slot of another block
      }
      int kind = classes.of(next);
      int group = (releases.round(t) - 1) * classes.all().size() + kind;
      return placement.at(group, next - classes.all().get(kind).first());
    }
  }
}

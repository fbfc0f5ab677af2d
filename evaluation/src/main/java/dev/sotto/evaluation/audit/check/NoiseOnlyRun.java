package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.QuerySchedule;
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
   * @param rounds how many releases: rounds, or queries of blocks
   * @param exampleRound the release, from 1, in whose first slot there is an example; 0 for none
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
    Reader reader = new Reader(plan, exampleRound);
    for (int t = 0; t < rounds; t++) {
      reader.fill(run, t + 1);
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
    Reader reader = new Reader(plan, 0);
    double[] first = new double[width];
    double[] second = new double[width];
    double off = 0;
    for (int t = 0; t < rounds; t++) {
      run.mark();
      reader.fill(run, t + 1);
      run.close(first);
      run.reset();
      reader.fill(run, t + 1);
      run.close(second);
      for (int i = 0; i < width; i++) {
        off = Math.max(off, Math.abs(first[i] - second[i]));
      }
    }
    return off / NoiseDistribution.of(plan).deviation();
  }

  /** The release whose slots first have the example: at or before the one that is named. */
  static int firstWithExample(Plan plan, int release) {
    ReleaseSchedule releases = ReleaseSchedule.of(plan);
    if (!releases.isOfQueries()) {
      return release;
    }
    long slot = releases.query(release).first();
    int first = releases.firstOfBlock(release);
    while (!reads(releases.query(first), slot)) {
      first++;
    }
    return first;
  }

  private static boolean reads(QuerySchedule.Query query, long slot) {
    return query.first() <= slot && slot < query.end();
  }

  /** Null slots, all but one. */
  private static final class Reader {
    private final ReleaseSchedule releases;
    private final Slot slot;
    private final int round; // of the example; 0 for none
    private final long place;

    /**
     * Of a plan.
     *
     * @param release in whose first slot there is an example, in every read of it; 0 for none
     */
    Reader(Plan plan, int release) {
      releases = ReleaseSchedule.of(plan);
      slot = new Slot(plan.inputs());
      round = release == 0 ? 0 : releases.round(release);
      place =
          release == 0 || !releases.isOfQueries() ? 0 : releases.query(release).first();
    }

    void fill(AuditSubject.Run run, int release) {
      long slots = releases.slots(release);
      for (long i = 0; i < slots; i++) {
        long next = releases.isOfQueries() ? run.nextSlot() : i;
        slot.clear();
        if (next == place && releases.round(release) == round) {
          slot.status(RecordStatus.USED);
          slot.example().add(0, 1);
          slot.example().label(1);
        }
        run.fill(slot);
      }
    }
  }

  int rounds() {
    return prefixes.length;
  }

  int width() {
    return prefixes[0].length;
  }
}

package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.noise.SlotClasses;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeSet;

/**
 * What one slot of a block, or one unit, moves in all answers, measured: a canary in each of many
 * slots of two blocks, under noise so small that sums show through it. An answer that moves by a,
 * under noise of r sigma, costs (a / (clip r))^2, and the sum over all answers must be at most 1:
 * the ledger's one participation. It asks the subject which slots it reads, and assumes nothing
 * about them.
 */
public final class SlotInfluence {
  private static final int BLOCKS = 2; // so that what is read beyond a block's end shows
  private static final int MOST_CANARIES = 2048;
  private static final double RISK = 1e-6;

  private final Plan quiet;
  private final Canary canary;
  private final Canary longer; // in every other slot
  private final SlotClasses classes;
  private final ReleaseSchedule releases;
  private final long[] slots; // of the canaries, ascending
  private final int first; // coordinate of a canary: behind those of bins of norms
  private final long seed;
  private final boolean units;
  private final double smallness; // sigma over the clip
  private final double once; // what one participation costs, as a multiple of clip / sigma

  /**
   * Of a plan that learns from blocks.
   *
   * @param units whether each canary is a unit with a second record in the same block, which must
   *     not count
   */
  public SlotInfluence(Plan plan, boolean units, long seed) {
    this.releases = ReleaseSchedule.of(plan);
    this.classes = new SlotClasses(releases.queries());
    this.units = units;
    this.seed = seed;
    this.slots = units ? firstHalf(plan.batch()) : spread(plan.batch());
    this.first = plan.countsNorms() ? plan.dimension() : 0;
    this.canary = Canary.of(plan);
    this.longer = Canary.of(plan, plan.mechanism().auditTerms().canaries().longer());
    double least = plan.mechanism().ofQueries().orElseThrow().quietest();
    this.smallness = Math.max(least, plan.batch() * 0x1p-28);
    // Noise of sampled sums is not scaled to one participation; here nothing counts on sampling.
    this.once = plan.mechanism().sampledSums().isEmpty() ? 1 : plan.mechanism().sensitivity(1);
    int wide = Math.max(plan.dimension(), first + BLOCKS * slots.length);
    this.quiet = ReleaseSchedule.wide(plan, wide).toBuilder()
        .sigma(smallness * plan.clip())
        .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
        .unit(units ? PrivacyUnit.KEY : PrivacyUnit.RECORD)
        .participation(
            units
                ? new Participation.Scheduled(new ContributionBound(1, 1))
                : new Participation.Once())
        .build();
  }

  /** The first and the last slot of every class, and others between them. */
  private long[] spread(long batch) {
    TreeSet<Long> chosen = new TreeSet<>();
    for (SlotClasses.SlotClass each : classes.all()) {
      chosen.add(each.first());
      chosen.add(each.end() - 1);
    }
    long step = (batch + MOST_CANARIES - 1) / MOST_CANARIES;
    for (long slot = 0; slot < batch; slot += step) {
      chosen.add(slot);
    }
    return chosen.stream().mapToLong(Long::longValue).limit(3 * MOST_CANARIES).toArray();
  }

  private static long[] firstHalf(long batch) {
    int count = (int) Math.min(MOST_CANARIES, batch / 2);
    long[] first = new long[count];
    for (int i = 0; i < count; i++) {
      first[i] = i * (batch / 2 / count);
    }
    return first;
  }

  /** The canary in a slot, counted through all blocks; -1 without. */
  private int canaryIn(long slot) {
    int block = (int) (slot / quiet.batch());
    if (slot < 0 || block >= BLOCKS) {
      return -1;
    }
    long place = slot % quiet.batch();
    long half = quiet.batch() / 2;
    int found = Arrays.binarySearch(slots, units && place >= half ? place - half : place);
    return found < 0 ? -1 : block * slots.length + found;
  }

  /** The largest cost of a canary in a subject, and whether it is one participation. */
  public CheckResult check(AuditSubject subject) {
    double[] squares = squares(subject);
    int releasesInAll = releases.count(BLOCKS);
    // Chance moves the norm of a column by at most the norm of its noise (Gaussian concentration).
    double slack = smallness
        / once
        * (Math.sqrt(releasesInAll) + Math.sqrt(2 * StrictMath.log(squares.length / RISK)));
    double most = 0;
    double least = Double.POSITIVE_INFINITY;
    for (double each : squares) {
      most = Math.max(most, Math.sqrt(each) / once);
      least = Math.min(least, Math.sqrt(each) / once);
    }
    return new CheckResult(
        units ? "blocks: what a unit moves" : "blocks: what a slot moves",
        most <= 1 + slack,
        most,
        String.format(
            Locale.ROOT, "at most 1, the ledger's, and %.4f of noise; false alarms in 1e-6", slack),
        String.format(
            Locale.ROOT,
            "the largest of %,d %s, over all answers of %d blocks, in participations; the smallest"
                + " %.4f",
            squares.length,
            units ? "units with two slots in one block" : "slots",
            BLOCKS,
            least));
  }

  private double[] squares(AuditSubject subject) {
    AuditSubject.Run run = subject.start(
        quiet,
        new AuditSubject.Identity(SeedHash.of(seed, "influence", 0), "influence"),
        new AuditSubject.Window(0, first + BLOCKS * slots.length));
    Slot slot = new Slot(quiet.inputs());
    double[] squares = new double[BLOCKS * slots.length];
    double[] answer = new double[first + squares.length];
    double[] white = new double[answer.length];
    NoiseMatrix.Whitener whitener = NoiseMatrix.of(quiet).whitener(answer.length);
    for (int t = 1; t <= releases.count(BLOCKS); t++) {
      for (long i = releases.slots(t); i > 0; i--) {
        long next = run.nextSlot() + (releases.round(t) - 1) * quiet.batch();
        int which = canaryIn(next);
        if (which >= 0) {
          (which % 2 == 0 ? canary : longer).fill(first + which, 1, slot);
        } else {
          slot.clear();
        }
        run.fill(slot);
      }
      run.close(answer);
      whitener.white(answer, white);
      whitener.advance(answer);
      if (quiet.optimizer().norms(releases.number(t)) != null) {
        count(white, releases.round(t) - 1, squares);
      } else {
        for (int i = 0; i < squares.length; i++) {
          squares[i] += square(white[first + i]);
        }
      }
    }
    return squares;
  }

  /** All canaries are equally long, so that they share one bin: each moves counts by the mean. */
  private void count(double[] white, int block, double[] squares) {
    double all = 0;
    for (int i = 0; i < first; i++) {
      all += square(white[i] / slots.length);
    }
    for (int i = 0; i < slots.length; i++) {
      squares[block * slots.length + i] += all;
    }
  }

  private double square(double moved) {
    return moved / quiet.clip() * (moved / quiet.clip());
  }
}

package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import java.util.List;
import java.util.Locale;

/**
 * The window in which ranges of numbers are measured: whether the counts have the noise that the
 * ledger states, and what a unit moves of counts and gradients together, measured under noise so
 * small that both show through it.
 */
public final class RangeAudit {
  private static final double ALLOWED_ERRORS = 6; // standard errors: 2e-9
  private static final int BEHIND = 3; // rounds behind the window
  private static final double QUIET = 0x1p-12; // of the noise that is claimed
  private static final double SLACK = 1e-3; // of a mu, for that noise and for rounding

  private final Plan plan;
  private final RangeWindow window;
  private final int samples;
  private final long seed;

  /**
   * Of a plan with a window.
   *
   * @param samples about how many draws of noise to look at
   */
  public RangeAudit(Plan plan, int samples, long seed) {
    this.plan = plan;
    this.window = plan.ranges().measuring().orElseThrow();
    this.samples = samples;
    this.seed = seed;
  }

  /** The claim behind its window, which the other checks look at. */
  public static Plan behindWindow(Plan plan) {
    return plan.ranges().window().isEmpty()
        ? plan
        : plan.toBuilder().ranges(RangeSettings.NONE).build();
  }

  /** All checks. */
  public List<CheckResult> all(AuditSubject subject) {
    return List.of(noise(subject), influence(subject));
  }

  /** Windows of null slots, whose counts are noise alone. */
  private CheckResult noise(AuditSubject subject) {
    long draws = 0;
    double squares = 0;
    for (int run = 0; draws < samples; run++) {
      AuditSubject.Run learner = start(subject, plan, run);
      Slot slot = new Slot(plan.inputs());
      double[] into = new double[1];
      for (long round = 1; round <= window.allRounds(); round++) {
        for (long i = 0; i < plan.batch(); i++) {
          slot.clear();
          slot.status(RecordStatus.UNREADABLE);
          learner.fill(slot);
        }
        learner.close(into);
        for (double each : learner.counts().orElseThrow()) {
          squares += each * each / (window.sigma() * window.sigma());
          draws++;
        }
      }
    }
    // Chi-square, by Wilson and Hilferty (1931).
    double ninth = 2 / (9.0 * draws);
    double errors = (Math.cbrt(squares / draws) - (1 - ninth)) / Math.sqrt(ninth);
    return new CheckResult(
        "ranges: noise of the counts",
        Math.abs(errors) <= ALLOWED_ERRORS,
        Math.sqrt(squares / draws),
        String.format(
            Locale.ROOT, "1, within %.0f standard errors; false alarms in 2e-9", ALLOWED_ERRORS),
        String.format(
            Locale.ROOT,
            "%,d counts of null slots, in the sigma of the ledger, %.4g",
            draws,
            window.sigma()));
  }

  private AuditSubject.Run start(AuditSubject subject, Plan claim, int run) {
    return subject.start(
        claim,
        new AuditSubject.Identity(SeedHash.of(seed, "ranges", run), "ranges"),
        new AuditSubject.Window(claim.dimension() - 1, 1));
  }

  /** The same plan with hardly any noise, and a coordinate more. */
  private Plan quiet() {
    RangeWindow still =
        new RangeWindow(window.numbers(), window.rounds(), window.sigma() * QUIET, window.share());
    Plan wide = ReleaseSchedule.wide(behindWindow(plan), plan.dimension() + 1);
    return wide.toBuilder()
        .metrics(null)
        .sigma(plan.sigma() * QUIET)
        .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
        .participation(plan.participation().withBudgets(1 / QUIET))
        .ranges(plan.ranges().in(still))
        .build();
  }

  /** A unit that offers a record to every round; where each record is a unit, one alone. */
  private CheckResult influence(AuditSubject subject) {
    Plan quiet = quiet();
    boolean many = quiet.participation().remembersUnits();
    int rounds = Math.toIntExact(window.allRounds()) + BEHIND;
    Canary canary = Canary.of(quiet);
    AuditSubject.Run learner = start(subject, quiet, -1);
    NoiseMatrix.Whitener whitener = NoiseMatrix.of(quiet).whitener(1);
    double[] prefix = new double[1];
    double[] white = new double[1];
    double counts = 0;
    double gradients = 0;
    Slot slot = new Slot(quiet.inputs());
    for (int round = 1; round <= rounds; round++) {
      for (long i = 0; i < quiet.batch(); i++) {
        slot.clear();
        slot.status(RecordStatus.UNREADABLE);
        if (i == 0 && (many || round == 1)) {
          canary.fill(quiet.inputs() - 1, 1, slot);
          int numbers = quiet.ranges().numbers().count();
          slot.example().awaitRanges(numbers);
          for (int number = 0; number < numbers; number++) {
            slot.example().number(number, 1);
          }
        }
        learner.fill(slot);
      }
      learner.close(prefix);
      whitener.white(prefix, white);
      whitener.advance(prefix);
      gradients += white[0] / quiet.sigma() * (white[0] / quiet.sigma());
      for (double each : learner.counts().orElseThrow()) {
        double moved = Math.rint(each) / (window.sigma() * QUIET); // counts are whole
        counts += moved * moved;
      }
    }
    if (quiet.adjacency() == Adjacency.REPLACE_ONE) { // another content: the other way, other bins
      gradients *= 4;
      counts *= 2;
    }
    double joint = Math.sqrt(gradients + counts) * QUIET;
    double stated = quiet.mu(rounds) * QUIET;
    return new CheckResult(
        "ranges: what a unit moves",
        joint <= stated + SLACK,
        joint,
        String.format(Locale.ROOT, "mu at most the ledger's %.4f, and %.3f", stated, SLACK),
        String.format(
            Locale.ROOT,
            "%s, by %d rounds: counts %.4f and gradients %.4f",
            many ? "a unit with a record in every round" : "one record of the first round",
            rounds,
            Math.sqrt(counts) * QUIET,
            Math.sqrt(gradients) * QUIET));
  }
}

package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.OrderedNoise;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * How far one slot of a phase moves the average that is released, without its noise: the auditor
 * knows the key, draws the noise once more and takes it away. So there is no chance in it, and the
 * roundings of the path and of the average are in it.
 */
public final class PathInfluence {
  private static final double MOST_STEPS = 0x1p30; // of coordinates, in all slots of all runs

  private final Plan plan;
  private final OrderedNoise noise;
  private final long seed;

  /** Of a plan whose slots move a path. */
  public PathInfluence(Plan plan, long seed) {
    this.plan = plan.toBuilder()
        .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
        .unit(PrivacyUnit.RECORD)
        .participation(new Participation.Once())
        .build();
    this.noise = plan.paths().orElseThrow();
    this.seed = seed;
  }

  /** The largest move over what the noise of the phase hides. */
  public CheckResult check(AuditSubject subject) {
    double most = 0;
    String worst = "";
    int pairs = 0;
    TreeSet<Long> phases = new TreeSet<>(List.of(1L, (noise.queries() + 1) / 2, noise.queries()));
    for (long phase : phases) {
      for (PathPairs.Pair each : pairs(phase)) {
        double moved = moved(subject, phase, each);
        pairs++;
        if (moved > most) {
          most = moved;
          worst = each.name() + ", slot " + each.place() + " of phase " + phase;
        }
      }
    }
    return new CheckResult(
        "paths: what a slot moves, exactly",
        most <= 1,
        most,
        "at most 1, the ledger's, rounding included; no chance involved",
        String.format(
            Locale.ROOT,
            "the largest move of an average without its noise, in participations, of %d pairs of"
                + " blocks that differ in one slot; the worst: %s",
            pairs,
            worst));
  }

  private List<PathPairs.Pair> pairs(long phase) {
    PathPairs all = new PathPairs(plan, phase, seed);
    List<PathPairs.Pair> pairs = new ArrayList<>(all.straight());
    pairs.addAll(all.among());
    double slots = noise.schedule().query(phase).end();
    int most = (int) Math.max(2, MOST_STEPS / (slots * (plan.dimension() + 64)) / 2);
    pairs = new ArrayList<>(pairs.subList(0, Math.min(most, pairs.size())));
    if (phase == 1) {
      pairs.addAll(all.aside());
    }
    return pairs;
  }

  private double moved(AuditSubject subject, long phase, PathPairs.Pair pair) {
    double[] one = average(subject, phase, pair, false);
    double[] other = average(subject, phase, pair, true);
    double squares = 0;
    for (int i = 0; i < one.length; i++) {
      squares += (one[i] - other[i]) * (one[i] - other[i]);
    }
    double claimed = noise.noise(phase) * plan.clip() * pair.changes();
    double moved = Math.sqrt(squares) / claimed;
    return Double.isNaN(moved) ? Double.POSITIVE_INFINITY : moved;
  }

  /** The average of a phase, after empty ones. */
  private double[] average(AuditSubject subject, long phase, PathPairs.Pair pair, boolean ofOther) {
    int dimension = plan.dimension();
    AuditSubject.Run run = subject.start(
        plan,
        new AuditSubject.Identity(SeedHash.of(seed, "pairs", 0), "pairs"),
        new AuditSubject.Window(0, dimension));
    ReleaseSchedule releases = ReleaseSchedule.of(plan);
    Slot slot = new Slot(plan.inputs());
    double[] answer = new double[dimension];
    for (int query = 1; query <= phase; query++) {
      for (long i = 0; i < releases.slots(query); i++) {
        slot.clear();
        if (query == phase) {
          pair.at(i, ofOther).fill(slot);
        }
        run.fill(slot);
      }
      run.close(answer);
    }
    return run.exact().orElseThrow();
  }
}

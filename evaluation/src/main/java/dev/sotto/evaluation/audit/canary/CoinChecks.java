package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.MinimumPValue;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.statistics.TailProbability;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The secret coins of sampled queries, measured: a canary in each of many slots of two blocks,
 * under noise so small that every answer shows which of them are in it. Each must be in each sum
 * whole or not at all, with the probability that the ledger counts on, independently of other
 * points, queries, slots, blocks, contents, keys and models.
 */
public final class CoinChecks {
  /** How many results there are. */
  public static final int COUNT = 4;

  private static final int BLOCKS = 2;
  private static final int MOST_CANARIES = 1024;
  private static final double SLACK = 8; // standard deviations: 1e-15 each, of at most 2^20

  private final Plan quiet;
  private final Canary canary;
  private final ReleaseSchedule releases;
  private final Sampling sampling;
  private final int canaries; // of a block
  private final long seed;
  private final double smallness; // sigma over the clip

  /** Of a plan whose queries sample the slots of blocks. */
  public CoinChecks(Plan plan, long seed) {
    this.releases = ReleaseSchedule.of(plan);
    this.sampling = releases.queries().sampling();
    this.canaries = (int) Math.min(MOST_CANARIES, plan.batch());
    this.seed = seed;
    this.canary = Canary.of(plan);
    this.smallness = Math.max(0x1p-14, plan.batch() * 0x1p-28);
    this.quiet =
        ReleaseSchedule.wide(plan, Math.max(plan.dimension(), BLOCKS * canaries)).toBuilder()
            .sigma(smallness * plan.clip())
            .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
            .unit(PrivacyUnit.RECORD)
            .participation(new Participation.Once())
            .build();
  }

  /** What one run showed: coins of each release, and how far an answer is from whole canaries. */
  private record Observed(boolean[][] in, double off) {}

  /** All checks of a subject. */
  public List<CheckResult> all(AuditSubject subject) {
    Observed one = observe(subject, "key", "model", false);
    Observed again = observe(subject, "key", "model", false);
    Observed other = observe(subject, "key", "model", true);
    Observed otherKey = observe(subject, "another key", "model", false);
    Observed otherModel = observe(subject, "key", "another model", false);
    return List.of(
        whole(one),
        rate(one),
        independent(one),
        bound(one, again, other, List.of(otherKey, otherModel)));
  }

  private CheckResult whole(Observed one) {
    double allowed = SLACK * smallness;
    return new CheckResult(
        "coins: a slot is in a sum or not",
        one.off() <= allowed,
        one.off(),
        text("at most %.4f, of noise; false alarms below 1e-6", allowed),
        "the largest distance, in clips, of what a canary adds to a sum from 0 and from one clip");
  }

  private CheckResult rate(Observed one) {
    MinimumPValue pValue = new MinimumPValue();
    long all = 0;
    for (int t = 1; t <= one.in().length; t++) {
      int count = 0;
      for (int i = 0; i < canaries; i++) {
        count += one.in()[t - 1][at(t, i)] ? 1 : 0;
      }
      all += count;
      pValue.add(TailProbability.binomialTwoSided(count, canaries, sampling.rate()));
    }
    long coins = (long) one.in().length * canaries;
    pValue.add(TailProbability.binomialTwoSided((int) all, (int) coins, sampling.rate()));
    return check(
        "coins: rate", pValue, text("%.5f of %,d coins, and by sum", (double) all / coins, coins));
  }

  /** Canary i of the block of a release. */
  private int at(int release, int i) {
    return (releases.round(release) - 1) * canaries + i;
  }

  private CheckResult independent(Observed one) {
    MinimumPValue pValue = new MinimumPValue();
    int all = one.in().length;
    for (int lag : lags(all)) { // between points, queries and blocks
      Pairs pairs = new Pairs();
      for (int t = 1; t + lag <= all; t++) {
        for (int i = 0; (t - 1) / lag % 2 == 0 && i < canaries; i++) {
          pairs.add(one.in()[t - 1][at(t, i)], one.in()[t + lag - 1][at(t + lag, i)]);
        }
      }
      pValue.add(pairs.chance());
    }
    for (int lag : lags(canaries)) { // between slots
      Pairs pairs = new Pairs();
      for (int i = 0; i + lag < canaries; i++) {
        for (int t = 1; i / lag % 2 == 0 && t <= all; t++) {
          pairs.add(one.in()[t - 1][at(t, i)], one.in()[t - 1][at(t, i + lag)]);
        }
      }
      pValue.add(pairs.chance());
    }
    return check(
        "coins: independent",
        pValue,
        "how often both of two coins are heads: points, queries, blocks and slots apart");
  }

  /** 1, 2, 4 ..., and those of one query and one block. */
  private int[] lags(int most) {
    int[] lags = new int[64];
    int count = 0;
    for (int lag = 1; lag <= most / 2; lag *= 2) {
      lags[count++] = lag;
    }
    for (int lag : new int[] {sampling.points(), releases.count(1)}) {
      if (lag <= most / 2) {
        lags[count++] = lag;
      }
    }
    return Arrays.copyOf(lags, count);
  }

  private CheckResult bound(Observed one, Observed again, Observed other, List<Observed> foreign) {
    MinimumPValue pValue = new MinimumPValue();
    together(one, other, pValue);
    foreign.forEach(each -> together(one, each, pValue));
    boolean same = Arrays.deepEquals(one.in(), again.in());
    if (!same) {
      pValue.add(0);
    }
    return check(
        "coins: bound to key and content",
        pValue,
        same
            ? "the same history gives the same coins; one example less in the last slot of the"
                + " block, another key or model gives others in every query"
            : "the same history does not give the same coins");
  }

  /** The coins of two runs, by release and in all; those of the last slot are left out. */
  private void together(Observed one, Observed other, MinimumPValue pValue) {
    Pairs all = new Pairs();
    for (int t = 1; t <= one.in().length; t++) {
      Pairs ofRelease = new Pairs();
      for (int i = 0; i + 1 < canaries; i++) {
        boolean first = one.in()[t - 1][at(t, i)];
        boolean second = other.in()[t - 1][at(t, i)];
        ofRelease.add(first, second);
        all.add(first, second);
      }
      pValue.add(ofRelease.chance());
    }
    pValue.add(all.chance());
  }

  /** Pairs of coins that must be independent. */
  private final class Pairs {
    private int both;
    private int count;

    void add(boolean one, boolean other) {
      both += one && other ? 1 : 0;
      count++;
    }

    double chance() {
      return TailProbability.binomialTwoSided(both, count, sampling.rate() * sampling.rate());
    }
  }

  private static CheckResult check(String name, MinimumPValue pValue, String says) {
    double overall = pValue.overall();
    return new CheckResult(
        name, overall >= NoiseChecks.RISK, overall, "p at least 1e-6, its false alarm rate", says);
  }

  /** The canary of a slot of a block, from 0: they are spread, and the last slot has one. */
  private int canaryIn(long slot) {
    long step = quiet.batch() / canaries;
    long fromLast = quiet.batch() - 1 - slot;
    return slot < 0 || fromLast < 0 || fromLast % step != 0 || fromLast / step >= canaries
        ? -1
        : canaries - 1 - (int) (fromLast / step);
  }

  private Observed observe(AuditSubject subject, String key, String model, boolean lastIsNull) {
    int width = BLOCKS * canaries;
    AuditSubject.Run run = subject.start(
        quiet,
        new AuditSubject.Identity(SeedHash.of(seed, key, 0), model),
        new AuditSubject.Window(0, width));
    Slot slot = new Slot(quiet.inputs());
    boolean[][] in = new boolean[releases.count(BLOCKS)][width];
    double[] answer = new double[width];
    double off = 0;
    for (int t = 1; t <= in.length; t++) {
      for (long i = releases.slots(t); i > 0; i--) {
        int which = canaryIn(run.nextSlot());
        if (which < 0 || lastIsNull && which == canaries - 1) {
          slot.clear();
        } else {
          canary.fill(at(t, which), 1, slot);
        }
        run.fill(slot);
      }
      run.close(answer);
      for (int i = 0; i < width; i++) {
        double clips = answer[i] / quiet.clip();
        in[t - 1][i] = clips > 0.5;
        off = Math.max(off, Math.min(Math.abs(clips), Math.abs(clips - 1)));
      }
    }
    return new Observed(in, off);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

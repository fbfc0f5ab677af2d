package dev.sotto.app.view;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Blocks in words: how many slots, queries and passes they have. */
public final class BlockText {
  /** Batches and passes of a tree over the queries of a block, as its mechanism writes them. */
  private static final Pattern TREE = Pattern.compile("(?:block )?(\\d{1,9})\\*(\\d{1,9}) .*");

  /** What two figures mean that stand beside each other where slots are sampled. */
  public static final String SAMPLED =
      "epsilon counts on secret sampling; mu is that of the same noise without it";

  private BlockText() {}

  /** Whether the epsilon of a ledger entry counts on secret sampling, unlike its mu. */
  public static boolean isSampled(LedgerEntry entry) {
    try {
      return Mechanisms.queries(entry.guarantee().mechanism(), entry.terms().mechanismParameters())
          .filter(queries -> queries.sampling().isSecret())
          .isPresent();
    } catch (IllegalArgumentException unreadable) {
      return false;
    }
  }

  /** Such as {@code blocks of 8184 slots, 4000 queries each, 400 passes}. */
  public static String of(Plan plan) {
    return of(plan.block(), plan.isOrdered());
  }

  /**
   * The same of queries.
   *
   * @param paths whether each is a phase of a path
   */
  static String of(QuerySchedule queries, boolean paths) {
    String asked = queries.queries() == 1
        ? paths ? "1 phase" : "1 query"
        : queries.queries() + (paths ? " phases" : " queries");
    String block = of(queries.slots(), asked, (double) queries.reads() / queries.slots());
    QuerySchedule.Sampling sampling = queries.sampling();
    return block
        + (sampling.points() == 1 ? "" : ", " + sampling.points() + " points a query")
        + (sampling.isSecret()
            ? ", each slot in a sum with a secret probability of " + sampling.rate()
            : "");
  }

  private static String of(long slots, String queries, double passes) {
    return "blocks of " + slots + " slots, " + queries + " each, " + passes(passes);
  }

  private static String passes(double passes) {
    return passes == 1
        ? "1 pass"
        : (passes == Math.rint(passes)
                ? String.format(Locale.ROOT, "%.0f", passes)
                : String.format(Locale.ROOT, "%.1f", passes))
            + " passes";
  }

  /**
   * The rounds of a ledger entry: {@code rounds of 64 slots}, or blocks with their queries; empty
   * where an entry of before does not say.
   */
  public static String of(LedgerEntry entry) {
    LedgerEntry.Terms terms = entry.terms();
    try {
      Optional<QuerySchedule> queries =
          Mechanisms.queries(entry.guarantee().mechanism(), terms.mechanismParameters());
      if (queries.isPresent()) {
        return of(queries.get(), entry.guarantee().mechanism().equals(PathNoise.NAME));
      }
    } catch (IllegalArgumentException unreadable) {
      return "blocks of " + terms.batch() + " slots, whose queries cannot be read";
    }
    Matcher tree = TREE.matcher(terms.mechanismParameters());
    if (tree.matches()) {
      long passes = Long.parseLong(tree.group(2));
      return of(terms.batch(), Long.parseLong(tree.group(1)) * passes + " queries", passes);
    }
    return terms.batch() == 0 ? "" : "rounds of " + terms.batch() + " slots";
  }
}

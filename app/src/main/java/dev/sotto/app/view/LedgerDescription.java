package dev.sotto.app.view;

import static dev.sotto.learner.description.FigureFormat.counted;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.range.RangeWindow;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What published versions have cost, and whether their ledger holds: an answer, then the rest. */
public final class LedgerDescription {
  private static final String EXACT =
      "NO GUARANTEE: this run publishes exact metrics (metrics.unsafe.exact)";
  private static final int MOST_MODELS = 3;
  private static final int MOST_SHOWN = 5;

  /**
   * The entries of one model.
   *
   * @param newest those that were asked for, oldest first, at least one
   * @param shown how many of the newest of them belong to the answer
   * @param count how many there are
   */
  public record OfModel(List<LedgerEntry> newest, int shown, long count) {
    LedgerEntry last() {
      return newest.get(newest.size() - 1);
    }

    private List<LedgerEntry> answer() {
      return newest.subList(Math.max(0, newest.size() - shown), newest.size());
    }
  }

  private final List<OfModel> models;
  private final List<String> faults;
  private final boolean whole;

  private LedgerDescription(List<OfModel> models, List<String> faults, boolean whole) {
    this.whole = whole;
    this.models = models;
    this.faults = faults;
  }

  /**
   * A ledger that was read.
   *
   * @param faults why it does not hold; empty if it does
   * @param whole whether it was read from its beginning
   */
  public static Section of(List<OfModel> models, List<String> faults, boolean whole) {
    LedgerDescription ledger = new LedgerDescription(models, faults, whole);
    Section section = Section.untitled()
        .fact("verified", faults.isEmpty())
        .fact("readWhole", whole)
        .fact("faults", faults)
        .fact(
            "entries",
            models.stream()
                .flatMap(each -> each.newest().stream())
                .map(RecordDescriptions::entry)
                .toList())
        .append(ledger.verdict());
    models.stream().limit(MOST_MODELS).forEach(each -> section.append(ledger.cost(each)));
    if (models.size() > MOST_MODELS) {
      section.lines("and " + counted(models.size() - MOST_MODELS, "model") + " more");
    } else if (models.size() == 1) {
      OfModel only = models.get(0);
      section.add(table(only.answer()));
      if (only.shown() > 0) {
        section.append(earlier(only.count() - only.answer().size()));
      }
    }
    Section rest = Section.untitled();
    models.forEach(each -> rest.add(ledger.model(each)));
    return section.detail(rest);
  }

  private Section verdict() {
    if (!faults.isEmpty()) {
      Section section = Section.untitled()
          .lines("THE LEDGER DOES NOT HOLD (" + counted(faults.size(), "fault") + "):");
      faults.stream().limit(MOST_SHOWN).forEach(section::lines);
      if (faults.size() > MOST_SHOWN) {
        faults.stream()
            .skip(MOST_SHOWN)
            .forEach(each -> section.detail(Section.untitled().lines(each)));
      }
      return section;
    }
    if (models.isEmpty()) {
      return Section.untitled().lines("No entry has been committed yet.");
    }
    long entries = models.stream().mapToLong(OfModel::count).sum();
    String found = (whole ? "The chain is whole: " : "The end of the chain was read, and holds: ")
        + (entries == 1 ? "1 entry" : entries(entries)) + " of "
        + counted(models.size(), "model");
    return Section.untitled().sentence(found + ", and every figure follows from its entry.");
  }

  private static String entries(long count) {
    return String.format(Locale.ROOT, "%,d entries", count);
  }

  private static Section earlier(long count) {
    return count <= 0
        ? Section.untitled()
        : Section.untitled()
            .lines(String.format(
                    Locale.ROOT, "%,d earlier %s", count, count == 1 ? "entry" : "entries")
                + ": --last 0");
  }

  /** What all versions of a model have cost, in a line or two. */
  private Section cost(OfModel model) {
    LedgerEntry newest = model.last();
    if (exact(newest)) {
      return Section.untitled().lines(named(newest) + ": " + EXACT);
    }
    Guarantee guarantee = newest.guarantee();
    return Section.untitled()
        .sentence(named(newest) + ": epsilon "
            + GuaranteeFigures.up(guarantee.epsilon(), 4) + " at delta "
            + GuaranteeFigures.upShort(guarantee.delta(), 3) + ", "
            + (newest.last() ? why(newest) : BudgetText.of(newest)) + ".");
  }

  /** A model that nobody has named is called model. */
  private static String named(LedgerEntry entry) {
    return entry.modelId().equals("model") ? "The model" : "model " + entry.modelId();
  }

  private static boolean exact(LedgerEntry entry) {
    return Double.isInfinite(entry.terms().metricsRatio());
  }

  /** All that was asked for of a model. */
  private Section model(OfModel model) {
    LedgerEntry newest = model.last();
    Guarantee guarantee = newest.guarantee();
    String rounds = BlockText.of(newest);
    Section section = Section.untitled()
        .lines(String.format(
            Locale.ROOT,
            "model %s: %s, %sunit %s (%s), delta %s",
            newest.modelId(),
            guarantee.mechanism(),
            rounds.isEmpty() ? "" : rounds + ", ",
            guarantee.unit().configName(),
            guarantee.adjacency().configName(),
            GuaranteeFigures.upShort(guarantee.delta(), 3)));
    if (exact(newest)) {
      section.lines(EXACT);
    } else if (newest.terms().metricsRatio() > 0) {
      section.lines("private metrics are paid for in these figures");
    }
    section.append(Candidates.of(newest.terms().candidates()).describePublished());
    if (BlockText.isSampled(newest)) {
      section.lines(BlockText.SAMPLED);
    }
    return section
        .add(table(model.newest()))
        .append(earlier(model.count() - model.newest().size()));
  }

  private static Table table(List<LedgerEntry> entries) {
    Table table =
        Table.headed(List.of("round", "slots", "mu", "epsilon", "at the limit", "left", "offsets"));
    for (LedgerEntry entry : entries) {
      double limit = entry.guarantee().epsilonLimit();
      table.line(
          List.of(
              rounds(entry),
              String.format(Locale.ROOT, "%,d", entry.slots()),
              GuaranteeFigures.up(entry.guarantee().mu(), 8),
              GuaranteeFigures.up(entry.guarantee().epsilon(), 8),
              Double.isInfinite(limit) ? "none" : GuaranteeFigures.up(limit, 8),
              BudgetText.isReserved(entry)
                  ? "reserved"
                  : GuaranteeFigures.down(entry.epsilonLeft(), 6),
              entry.ranges().stream()
                  .map(each -> each.partition() + ":[" + each.from() + ", " + each.to() + ")")
                  .collect(Collectors.joining(" "))),
          entry.last() ? "final: " + why(entry) : "");
    }
    return table;
  }

  /** Why it is the last: where the range of the label is measured, a window may be the end. */
  public static String why(LedgerEntry entry) {
    boolean ofLabel = RangeWindow.parse(entry.terms().rangeWindow())
        .filter(window -> window.share() == 1 && window.allRounds() == entry.round())
        .isPresent();
    return "the budget is spent" + (ofLabel ? ", or the label has no range" : "");
  }

  private static String rounds(LedgerEntry entry) {
    String last = Long.toString(entry.round());
    return entry.firstRound() == entry.round() ? last : entry.firstRound() + "-" + last;
  }
}

package dev.sotto.app.command;

import dev.sotto.app.view.BlockText;
import dev.sotto.app.view.BudgetText;
import dev.sotto.app.view.RecordDescriptions;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what every round has cost, and checks the whole chain. */
@Command(
    name = "ledger",
    description = {
      "Print what every round has cost, from committed data; check the whole chain and its"
          + " figures.",
      "Ends with 10 where something does not hold, or is of an earlier version, not recomputed."
    })
public final class LedgerCommand implements Callable<Integer> {
  private static final long TAIL = 1024; // offsets: an entry and a marker take two

  @Mixin
  private LearnerOptions cluster;

  @Mixin
  private EntryOptions options;

  @Option(
      names = "--tail",
      description = "Read the end of the ledger only, some hundred entries of each partition, and"
          + " check these: for a ledger of many years.")
  private boolean tail;

  @Override
  public Integer call() {
    LedgerChecker checker = tail ? LedgerChecker.ofTheEnd() : new LedgerChecker();
    EntryOptions.Newest<LedgerEntry> entries = options.new Newest<>();
    try (CommittedTopic topic = opened()) {
      topic.readToEnd(record -> {
        LedgerEntry entry = checker.accept(record.partition(), record.offset(), record.value());
        if (entry != null) {
          entries.add(entry.modelId(), entry);
        }
      });
    }
    List<String> faults = checker.faults();
    Set<String> notRecomputed = checker.notRecomputed();
    boolean verified = faults.isEmpty() && notRecomputed.isEmpty();
    Section description = Section.untitled()
        .fact("verified", verified)
        .fact("readWhole", !tail)
        .fact("faults", faults)
        .fact("notRecomputed", notRecomputed)
        .items("entries", entries.all().stream().map(RecordDescriptions::entry).toList());
    entries.byModel().forEach(each -> description.append(model(each, notRecomputed)));
    description
        .lines(
            !faults.isEmpty()
                ? "THE LEDGER DOES NOT HOLD:"
                : entries.all().isEmpty()
                    ? "no entry has been committed yet"
                    : tail
                        ? "the entries that were read hold together; earlier ones were not read"
                        : "the chain is whole")
        .lines(faults.toArray(String[]::new));
    System.out.print(
        options.json()
            ? JsonRenderer.of(description) + System.lineSeparator()
            : TextRenderer.of(description));
    return verified ? ExitCode.OK.code() : ExitCode.UNVERIFIED.code();
  }

  private CommittedTopic opened() {
    String ledger = Names.ledger(cluster.appId());
    return tail
        ? CommittedTopic.ending(cluster.clients(), ledger, TAIL)
        : new CommittedTopic(cluster.clients(), ledger);
  }

  /** What the entries of a model have cost, for people. */
  private static Section model(List<LedgerEntry> entries, Set<String> notRecomputed) {
    LedgerEntry newest = entries.get(entries.size() - 1);
    Guarantee guarantee = newest.guarantee();
    String rounds = BlockText.of(newest);
    double metrics = newest.terms().metricsRatio();
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
    section.lines(BudgetText.of(newest));
    if (metrics > 0) {
      section.lines(
          metrics < Double.POSITIVE_INFINITY
              ? "private metrics are paid for in these figures"
              : "NO GUARANTEE: this run publishes exact metrics (metrics.unsafe.exact)");
    }
    section.append(Candidates.of(newest.terms().candidates()).describePublished());
    if (notRecomputed.contains(newest.modelId())) {
      section.lines("these figures are of an earlier version, not recomputed");
    }
    if (BlockText.isSampled(newest)) {
      section.lines(BlockText.SAMPLED);
    }
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
    return section.add(table);
  }

  /** Where the range of the label is measured, a window may be the end of it. */
  private static String why(LedgerEntry entry) {
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

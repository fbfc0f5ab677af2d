package dev.sotto.app.command;

import dev.sotto.app.view.BlockText;
import dev.sotto.app.view.Json;
import dev.sotto.evaluation.text.GuaranteeFigures;
import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
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

/** Prints what every round has cost, and checks the whole chain. */
@Command(
    name = "ledger",
    description = {
      "Print what every round has cost, from committed data; check the whole chain and its"
          + " figures.",
      "Ends with 10 where something does not hold, or is of an earlier version, not recomputed."
    })
public final class LedgerCommand implements Callable<Integer> {
  @Mixin
  private ClusterOptions cluster;

  @Mixin
  private EntryOptions options;

  private record CheckedLedger(
      boolean verified,
      List<String> faults,
      Set<String> notRecomputed,
      List<LedgerEntry> entries) {}

  @Override
  public Integer call() {
    LedgerChecker checker = new LedgerChecker();
    EntryOptions.Newest<LedgerEntry> entries = options.new Newest<>();
    try (CommittedTopic topic =
        new CommittedTopic(cluster.clients(), Names.ledger(cluster.appId()))) {
      topic.readToEnd(record -> {
        LedgerEntry entry = checker.accept(record.partition(), record.offset(), record.value());
        if (entry != null) {
          entries.add(entry.modelId(), entry);
        }
      });
    }
    boolean verified = checker.faults().isEmpty() && checker.notRecomputed().isEmpty();
    if (options.json()) {
      System.out.println(Json.text(
          new CheckedLedger(verified, checker.faults(), checker.notRecomputed(), entries.all())));
    } else {
      entries.byModel().forEach(each -> print(each, checker.notRecomputed()));
      System.out.println(
          checker.faults().isEmpty()
              ? entries.all().isEmpty() ? "no entry has been committed yet" : "the chain is whole"
              : "THE LEDGER DOES NOT HOLD:");
      checker.faults().forEach(System.out::println);
    }
    return verified ? ExitCode.OK.code() : ExitCode.UNVERIFIED.code();
  }

  private static void print(List<LedgerEntry> entries, Set<String> notRecomputed) {
    LedgerEntry newest = entries.get(entries.size() - 1);
    Guarantee guarantee = newest.guarantee();
    String rounds = BlockText.of(newest);
    System.out.printf(
        Locale.ROOT,
        "model %s: %s, %sunit %s (%s), delta %s%n",
        newest.modelId(),
        guarantee.mechanism(),
        rounds.isEmpty() ? "" : rounds + ", ",
        guarantee.unit().configName(),
        guarantee.adjacency().configName(),
        GuaranteeFigures.upShort(guarantee.delta(), 3));
    double metrics = newest.terms().metricsRatio();
    if (metrics > 0) {
      System.out.println(
          metrics < Double.POSITIVE_INFINITY
              ? "private metrics are paid for in these figures"
              : "NO GUARANTEE: this run publishes exact metrics (metrics.unsafe.exact)");
    }
    if (newest.terms().candidates() > 1) {
      System.out.println("these are the figures of all " + newest.terms().candidates()
          + " candidates together: not to be added up");
    }
    if (notRecomputed.contains(newest.modelId())) {
      System.out.println("these figures are of an earlier version, not recomputed");
    }
    if (BlockText.isSampled(newest)) {
      System.out.println(BlockText.SAMPLED);
    }
    TextTable table =
        new TextTable("round", "slots", "mu", "epsilon", "at the limit", "left", "offsets");
    for (LedgerEntry entry : entries) {
      double limit = entry.guarantee().epsilonLimit();
      table.line(
          List.of(
              rounds(entry),
              Long.toString(entry.slots()),
              GuaranteeFigures.up(entry.guarantee().mu(), 8),
              GuaranteeFigures.up(entry.guarantee().epsilon(), 8),
              Double.isInfinite(limit) ? "none" : GuaranteeFigures.up(limit, 8),
              GuaranteeFigures.down(entry.epsilonLeft(), 6),
              entry.ranges().stream()
                  .map(each -> each.partition() + ":[" + each.from() + ", " + each.to() + ")")
                  .collect(Collectors.joining(" "))),
          entry.last() ? "final: the budget is spent" : "");
    }
    System.out.print(table.text());
  }

  private static String rounds(LedgerEntry entry) {
    String last = Long.toString(entry.round());
    return entry.firstRound() == entry.round() ? last : entry.firstRound() + "-" + last;
  }
}

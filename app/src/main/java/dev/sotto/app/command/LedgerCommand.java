package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.Figures;
import dev.sotto.app.view.JsonViews;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Names;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what every round has cost, and checks the whole chain. */
@Command(
    name = "ledger",
    description = {
      "Print what every round has cost, from committed data; check the whole chain and its figures.",
      "Ends with 10 where something does not hold."
    })
public final class LedgerCommand implements Callable<Integer> {
  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--model", paramLabel = "ID", description = "Only entries of this model.")
  private String model;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "How many of the newest entries to print a model; 0 for all. Default: ${DEFAULT-VALUE}.")
  private int last;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    LedgerChecker checker = new LedgerChecker();
    Map<String, Deque<LedgerEntry>> entries = new TreeMap<>();
    try (CommittedTopic topic =
        new CommittedTopic(cluster.clients(), Names.ledger(cluster.appId()))) {
      topic.readToEnd(record -> {
        LedgerEntry entry = checker.accept(record.partition(), record.offset(), record.value());
        if (entry != null && (model == null || model.equals(entry.modelId()))) {
          Deque<LedgerEntry> kept =
              entries.computeIfAbsent(entry.modelId(), id -> new ArrayDeque<>());
          kept.addLast(entry);
          if (last > 0 && kept.size() > last) {
            kept.removeFirst();
          }
        }
      });
    }
    if (json) {
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put("verified", checker.faults().isEmpty());
      whole.put("faults", checker.faults());
      whole.put(
          "entries",
          entries.values().stream()
              .flatMap(Deque::stream)
              .map(JsonViews::ledger)
              .toList());
      System.out.println(new ObjectMapper().writeValueAsString(whole));
    } else {
      entries.forEach(LedgerCommand::print);
      System.out.println(
          checker.faults().isEmpty()
              ? entries.isEmpty() ? "no entry has been committed yet" : "the chain is whole"
              : "THE LEDGER DOES NOT HOLD:");
      checker.faults().forEach(System.out::println);
    }
    return checker.faults().isEmpty() ? ExitCode.OK.code() : ExitCode.UNVERIFIED.code();
  }

  private static void print(String modelId, Deque<LedgerEntry> entries) {
    Guarantee guarantee = entries.getLast().guarantee();
    System.out.printf(
        Locale.ROOT,
        "model %s: %s, unit %s (%s), delta %s%n",
        modelId,
        guarantee.mechanism(),
        guarantee.unit().configName(),
        guarantee.adjacency().configName(),
        Figures.upShort(guarantee.delta(), 3));
    double metrics = entries.getLast().terms().metricsRatio();
    if (metrics > 0) {
      System.out.println(
          metrics < Double.POSITIVE_INFINITY
              ? "private metrics are paid for in these figures"
              : "NO GUARANTEE: this run publishes exact metrics (metrics.unsafe.exact)");
    }
    System.out.printf(
        "%8s %12s %14s %14s %14s %12s  %s%n",
        "round", "slots", "mu", "epsilon", "at the limit", "left", "offsets");
    for (LedgerEntry entry : entries) {
      double limit = entry.guarantee().epsilonLimit();
      System.out.printf(
          Locale.ROOT,
          "%8d %12d %14s %14s %14s %12s  %s%s%n",
          entry.round(),
          entry.slots(),
          Figures.up(entry.guarantee().mu(), 8),
          Figures.up(entry.guarantee().epsilon(), 8),
          Double.isInfinite(limit) ? "none" : Figures.up(limit, 8),
          Figures.down(entry.epsilonLeft(), 6),
          entry.ranges().stream()
              .map(each -> each.partition() + ":[" + each.from() + ", " + each.to() + ")")
              .reduce((a, b) -> a + " " + b)
              .orElse(""),
          entry.last() ? "  final: the budget is spent" : "");
    }
  }
}

package dev.sotto.app.command;

import dev.sotto.app.view.LedgerDescription;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what every round has cost, and checks the whole chain. */
@Command(
    name = "ledger",
    description = {
      "Print what every round has cost, from committed data; check the whole chain and its"
          + " figures.",
      "Ends with 10 where something does not hold."
    })
public final class LedgerCommand implements Callable<Integer> {
  private static final int FEW = 3;
  private static final long TAIL = 1024; // offsets: an entry and a marker take two

  @Mixin
  private LearnerOptions cluster;

  @Mixin
  private EntryOptions options;

  @Mixin
  private DetailOptions detail;

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
    if (faults.isEmpty()) {
      entries.requireNamed(Names.ledger(cluster.appId()));
    }
    List<LedgerDescription.OfModel> models = entries.byModel().stream()
        .map(each -> new LedgerDescription.OfModel(
            each,
            detail.all() ? 0 : options.shown(FEW),
            entries.count(each.get(0).modelId())))
        .toList();
    Section ledger = LedgerDescription.of(models, faults, !tail);
    System.out.print(
        options.json() ? JsonRenderer.of(ledger) + System.lineSeparator() : detail.text(ledger));
    return (faults.isEmpty() ? ExitCode.OK : ExitCode.UNVERIFIED).code();
  }

  private CommittedTopic opened() {
    String ledger = Names.ledger(cluster.appId());
    return tail
        ? CommittedTopic.ending(cluster.clients(), ledger, TAIL)
        : new CommittedTopic(cluster.clients(), ledger);
  }
}

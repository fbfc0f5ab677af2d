package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.JsonViews;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerMatch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints published model versions, whole and verified ones only. */
@Command(
    name = "snapshot",
    description = {
      "Print the newest published version of every model (or one version), from committed data.",
      "Only versions whose chunks are all there and whose digest fits are shown: consistent with itself and with the"
          + " ledger, which ledgerMatches says (null where the ledger has no such round).",
      "Ends with 10 where there is none, or one that its ledger entry does not confirm."
    })
public final class SnapshotCommand implements Callable<Integer> {
  private static final int MOST_PRINTED = 20;

  @Mixin
  private ClusterOptions cluster;

  @Option(names = "--model", paramLabel = "ID", description = "Only this model.")
  private String model;

  @Option(
      names = "--version-number",
      paramLabel = "N",
      description = "This version instead of the newest; old ones are compacted away in time.")
  private Long version;

  @Option(names = "--weights", description = "All weights, not just the first few.")
  private boolean weights;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    SnapshotAssembler assembler = new SnapshotAssembler();
    Map<String, PublishedModel> found = new TreeMap<>();
    try (CommittedTopic topic =
        new CommittedTopic(cluster.clients(), Names.snapshots(cluster.appId()))) {
      topic.readToEnd(record -> assembler
          .acceptAny(record.key(), record.value())
          .filter(each -> model == null || model.equals(each.manifest().modelId()))
          .filter(each -> version == null || version == each.manifest().version())
          .ifPresent(each -> found.put(each.manifest().modelId(), each)));
    }
    if (found.isEmpty()) {
      throw new StartFailure(
          ExitCode.UNVERIFIED,
          "topic " + Names.snapshots(cluster.appId()) + " holds no whole version"
              + (model == null ? "" : " of model " + model)
              + (version == null ? "" : " with number " + version)
              + (assembler.damaged() == 0
                  ? ""
                  : "; " + assembler.damaged() + " records did not verify"));
    }
    LedgerMatch ledger =
        new LedgerMatch(found.values().stream().map(PublishedModel::manifest).toList());
    // Behind the snapshots: an entry is committed with its version, or before it.
    try (CommittedTopic topic =
        new CommittedTopic(cluster.clients(), Names.ledger(cluster.appId()))) {
      topic.readToEnd(record -> ledger.accept(record.value()));
    }
    if (json) {
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put("unverifiedManifests", assembler.damaged());
      whole.put(
          "snapshots",
          found.values().stream().map(each -> view(each, ledger, weights)).toList());
      System.out.println(new ObjectMapper().writeValueAsString(whole));
    } else {
      found.values().forEach(each -> print(each, ledger));
    }
    return unconfirmed(found.keySet(), ledger);
  }

  private static int unconfirmed(Set<String> models, LedgerMatch ledger) {
    List<String> wrong = models.stream()
        .filter(each -> Boolean.FALSE.equals(ledger.matches(each)))
        .toList();
    wrong.forEach(each -> System.err.println("sotto: the version shown of model " + each
        + " is not the one that its ledger entry is about: do not use it"));
    return (wrong.isEmpty() ? ExitCode.OK : ExitCode.UNVERIFIED).code();
  }

  private static Map<String, Object> view(
      PublishedModel each, LedgerMatch ledger, boolean weights) {
    Map<String, Object> view = JsonViews.snapshot(each, weights);
    String modelId = each.manifest().modelId();
    view.put("ledgerMatches", ledger.matches(modelId));
    view.put(
        "terms",
        ledger.entry(modelId).map(entry -> JsonViews.terms(entry.terms())).orElse(null));
    return view;
  }

  private void print(PublishedModel each, LedgerMatch ledger) {
    view(each, ledger, false)
        .forEach((name, value) -> System.out.printf("%-13s %s%n", name, value));
    int shown = weights ? each.weights().length : Math.min(MOST_PRINTED, each.weights().length);
    for (int i = 0; i < shown; i++) {
      System.out.printf(Locale.ROOT, "weight %-6d %s%n", i, each.weights()[i]);
    }
    if (shown < each.weights().length) {
      System.out.printf("... %d more: --weights%n", each.weights().length - shown);
    }
  }
}

package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.view.JsonViews;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
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
      "Only versions whose chunks are all there and whose digest fits are shown; ends with 10 where there is none."
    })
public final class SnapshotCommand implements Callable<Integer> {
  private static final int MOST_PRINTED = 20;

  @Mixin private ClusterOptions cluster;

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
    try (CommittedTopic topic = new CommittedTopic(cluster.clients(), Names.snapshots(cluster.appId()))) {
      topic.readToEnd(
          record ->
              assembler
                  .accept(record.key(), record.value())
                  .filter(each -> model == null || model.equals(each.manifest().modelId()))
                  .filter(each -> version == null || version == each.manifest().version())
                  .ifPresent(each -> found.put(each.manifest().modelId(), each)));
    }
    if (found.isEmpty()) {
      throw new StartFailure(
          ExitCode.UNVERIFIED,
          "topic " + Names.snapshots(cluster.appId()) + " holds no whole version"
              + (model == null ? "" : " of model " + model) + (version == null ? "" : " with number " + version)
              + (assembler.damaged() == 0 ? "" : "; " + assembler.damaged() + " manifests did not verify"));
    }
    if (json) {
      Map<String, Object> whole = new LinkedHashMap<>();
      whole.put("unverifiedManifests", assembler.damaged());
      whole.put("snapshots", found.values().stream().map(each -> JsonViews.snapshot(each, weights)).toList());
      System.out.println(new ObjectMapper().writeValueAsString(whole));
    } else {
      found.values().forEach(this::print);
    }
    return ExitCode.OK.code();
  }

  private void print(PublishedModel each) {
    JsonViews.snapshot(each, false).forEach((name, value) -> System.out.printf("%-12s %s%n", name, value));
    int shown = weights ? each.weights().length : Math.min(MOST_PRINTED, each.weights().length);
    for (int i = 0; i < shown; i++) {
      System.out.printf(Locale.ROOT, "weight %-6d %s%n", i, each.weights()[i]);
    }
    if (shown < each.weights().length) {
      System.out.printf("... %d more: --weights%n", each.weights().length - shown);
    }
  }
}

package dev.sotto.app.command;

import dev.sotto.client.LiveModel;
import picocli.CommandLine.Option;

/** Which published model, and which of its versions: a picocli mixin. */
final class ModelChoice {
  @Option(
      names = "--model",
      paramLabel = "ID",
      defaultValue = "model",
      description = "The model, where there are several. Default: ${DEFAULT-VALUE}.")
  private String model;

  @Option(
      names = "--version-number",
      paramLabel = "N",
      description = "This version instead of the newest, as long as the topic holds it.")
  private Long version;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Wait so long for the first version. Default: ${DEFAULT-VALUE}.")
  private long seconds;

  long seconds() {
    return seconds;
  }

  LiveModel open(ClusterOptions cluster) {
    return LiveModel.open(cluster.clients(), cluster.appId(), options -> {
      LiveModel.Options chosen = options.withModel(model);
      return version == null ? chosen : chosen.withVersion(version);
    });
  }
}

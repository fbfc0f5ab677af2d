package dev.sotto.app.command;

import dev.sotto.client.ModelChoice;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Which version of which model is used: a picocli mixin. */
final class ModelOptions {
  @Option(
      names = "--model",
      paramLabel = "ID",
      description = "The model's id. Default: the only one of the application.")
  private String model;

  @Option(
      names = "--version-number",
      paramLabel = "N",
      description = "This version instead of the newest; old ones are compacted away in time.")
  private Long version;

  @Option(
      names = "--alias",
      paramLabel = "NAME",
      description = "The version that this alias names (sotto alias), of whatever model.")
  private String alias;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Wait so long for the first version. Default: ${DEFAULT-VALUE}.")
  private long seconds;

  /** How long to wait for a first version. */
  Duration patience() {
    return Duration.ofSeconds(seconds);
  }

  /**
   * The choice.
   *
   * @throws SottoException where the flags contradict each other
   */
  ModelChoice choice() {
    if (alias != null && version != null) {
      throw new SottoException(
          FailureKind.USAGE, "--alias and --version-number exclude each other; give one of them");
    }
    if (alias != null) {
      try {
        return new ModelChoice.Alias(ModelAlias.requireName(alias));
      } catch (IllegalArgumentException wrong) {
        throw new SottoException(FailureKind.USAGE, "--alias: " + wrong.getMessage(), wrong);
      }
    }
    if (version == null) {
      return new ModelChoice.Newest(model);
    }
    if (version < 1) {
      throw new SottoException(
          FailureKind.USAGE, "--version-number must be at least 1, but was " + version);
    }
    return new ModelChoice.Pinned(model, version);
  }
}

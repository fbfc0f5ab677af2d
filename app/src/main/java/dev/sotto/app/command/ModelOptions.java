package dev.sotto.app.command;

import dev.sotto.client.ModelChoice;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** Which version of which model is used: a picocli mixin. */
final class ModelOptions {
  @Option(
      names = "--model",
      paramLabel = "MODEL[@VERSION]",
      converter = NamedVersion.Converter.class,
      description =
          "The model's id, and which version: a number, or newest (the default); old ones are"
              + " compacted away in time. Default: the only model of the application.")
  private NamedVersion model;

  @Option(
      names = "--version-number",
      paramLabel = "N",
      hidden = true,
      description = "As MODEL@N, of the only model too.")
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
    if (alias != null && (version != null || model != null && model.named())) {
      throw new SottoException(
          FailureKind.USAGE,
          "--alias names a version, and so does MODEL@VERSION; give one of them");
    }
    if (alias != null) {
      try {
        return new ModelChoice.Alias(ModelAlias.requireName(alias));
      } catch (IllegalArgumentException wrong) {
        throw new SottoException(FailureKind.USAGE, "--alias: " + wrong.getMessage(), wrong);
      }
    }
    String id = model == null ? null : model.model();
    OptionalLong number = number(model, version);
    return number.isEmpty()
        ? new ModelChoice.Newest(id)
        : new ModelChoice.Pinned(id, number.getAsLong());
  }

  /**
   * The version that is asked for, in either way; empty for the newest.
   *
   * @throws SottoException where both ways are used, or there can be no such version
   */
  static OptionalLong number(NamedVersion model, Long version) {
    if (version == null) {
      return model == null ? OptionalLong.empty() : model.number();
    }
    if (model != null && model.named()) {
      throw new SottoException(
          FailureKind.USAGE, "MODEL@VERSION says which version: leave out --version-number");
    }
    if (version < 1) {
      throw new SottoException(
          FailureKind.USAGE, "--version-number must be at least 1, but was " + version);
    }
    return OptionalLong.of(version);
  }
}

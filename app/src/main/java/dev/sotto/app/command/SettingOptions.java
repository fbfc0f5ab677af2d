package dev.sotto.app.command;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Settings on the command line: a picocli mixin. */
final class SettingOptions {
  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting, instead of that in the file or the environment; may be repeated.")
  private List<String> settings = new ArrayList<>();

  /** The settings as {@code KEY=VALUE}, in their order. */
  List<String> all() {
    return settings;
  }

  /**
   * The same.
   *
   * @throws SottoException where one is none
   */
  List<String> wellFormed() {
    settings.stream().filter(each -> each.indexOf('=') < 1).findFirst().ifPresent(wrong -> {
      throw new SottoException(FailureKind.USAGE, "--set must be KEY=VALUE, but was " + wrong);
    });
    return settings;
  }
}

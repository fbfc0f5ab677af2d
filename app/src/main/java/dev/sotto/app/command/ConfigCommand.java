package dev.sotto.app.command;

import dev.sotto.config.key.ConfigManual;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the manual of all settings. */
@Command(
    name = "config",
    description = "Print every setting: as a commented file, or as the manual.")
public final class ConfigCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Form form;

  static final class Form {
    @Option(names = "--yaml", description = "A commented configuration file to begin with.")
    private boolean yaml;

    @Option(names = "--markdown", description = "The manual, as in docs/configuration.md.")
    private boolean markdown;
  }

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(form.yaml ? ConfigManual.yaml() : ConfigManual.markdown());
    spec.commandLine().getOut().flush();
    return 0;
  }
}

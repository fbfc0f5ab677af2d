package dev.sotto.app.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what --help of a command prints. */
@Command(
    name = "help",
    helpCommand = true,
    description = "Print the help of a command, as in: sotto help alias set.")
public final class HelpCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command.")
  private List<String> names = List.of();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    find(spec, names).usage(out, spec.commandLine().getColorScheme());
    out.flush();
    return ExitCode.OK.code();
  }

  /**
   * The command of these names, below one another.
   *
   * @throws ParameterException where there is none
   */
  static CommandLine find(CommandSpec asking, List<String> names) {
    CommandLine found = asking.root().commandLine();
    for (String each : names) {
      CommandLine next = found.getSubcommands().get(each);
      if (next == null) {
        throw new ParameterException(
            asking.commandLine(), WrongUsage.noCommand(found.getCommandSpec(), each));
      }
      found = next;
    }
    return found;
  }
}

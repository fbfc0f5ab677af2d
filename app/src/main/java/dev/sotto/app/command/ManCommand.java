package dev.sotto.app.command;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints man pages. */
@Command(
    name = "man",
    description = {
      "Print the man page of a command, as for: sotto man run.",
      "With --out, write those of all commands: man -M FOLDER sotto-run then shows one."
    })
public final class ManCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command.")
  private List<String> names = List.of();

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Write the pages of all commands to man1 in this folder.")
  private Path out;

  @Override
  public Integer call() {
    if (out == null) {
      PrintWriter printed = spec.commandLine().getOut();
      printed.print(ManPage.of(HelpCommand.find(spec, names).getCommandSpec()));
      printed.flush();
      return ExitCode.OK.code();
    }
    Path folder = out.resolve("man1");
    try {
      Files.createDirectories(folder);
      write(folder, spec.root().commandLine());
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--out must be a folder that can be written, but " + folder + " cannot: "
              + unwritable.getMessage(),
          unwritable);
    }
    return ExitCode.OK.code();
  }

  private static void write(Path folder, CommandLine line) throws IOException {
    CommandSpec command = line.getCommandSpec();
    Files.writeString(folder.resolve(ManPage.name(command) + ".1"), ManPage.of(command));
    for (CommandLine each : line.getSubcommands().values()) {
      write(folder, each);
    }
  }
}

package dev.sotto.benchmarks;

import dev.sotto.benchmarks.experiments.Experiments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the experiments; see docs/experiments. */
@Command(
    name = "benchmarks/run experiments",
    description = "Measure accuracy, and write figures and plots.",
    mixinStandardHelpOptions = true)
public final class ExperimentsMain implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(names = "--quick", description = "A tenth of the work, to see that it runs.")
  private boolean quick;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(names = "--list", description = "Print the names of all experiments, and stop.")
  private boolean list;

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      description = "Where the files go. Default: docs/experiments.")
  private Path to = Experiments.folder();

  @Parameters(paramLabel = "NAME", description = "Which experiments. Default: all.")
  private List<String> names = new ArrayList<>();

  /** Exits with 0, with 1 after a failure, and with 2 for wrong arguments. */
  public static void main(String... arguments) {
    System.exit(new CommandLine(new ExperimentsMain()).execute(arguments));
  }

  @Override
  public Integer call() {
    if (list) {
      System.out.println(Experiments.list());
      return 0;
    }
    for (String name : names) {
      if (!Experiments.names().contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "an experiment must be one of " + String.join(", ", Experiments.names()) + ", but was "
                + name);
      }
    }
    try {
      Experiments.run(names, quick, json, to);
      return 0;
    } catch (IOException | IllegalStateException failed) {
      System.err.println("failed: " + failed);
      return 1;
    }
  }
}

package dev.sotto.app;

import dev.sotto.app.command.AliasCommand;
import dev.sotto.app.command.AuditCommand;
import dev.sotto.app.command.CompareCommand;
import dev.sotto.app.command.CompletionCommand;
import dev.sotto.app.command.ConfigCommand;
import dev.sotto.app.command.ContextCommand;
import dev.sotto.app.command.DemoCommand;
import dev.sotto.app.command.DescribeCommand;
import dev.sotto.app.command.ExitCode;
import dev.sotto.app.command.ExplainCommand;
import dev.sotto.app.command.ExportCommand;
import dev.sotto.app.command.HelpCommand;
import dev.sotto.app.command.HelpLayout;
import dev.sotto.app.command.InitCommand;
import dev.sotto.app.command.KeyCommand;
import dev.sotto.app.command.LearnCommand;
import dev.sotto.app.command.LedgerCommand;
import dev.sotto.app.command.LineageCommand;
import dev.sotto.app.command.ManCommand;
import dev.sotto.app.command.MetricsCommand;
import dev.sotto.app.command.PlanCommand;
import dev.sotto.app.command.PlayCommand;
import dev.sotto.app.command.PredictCommand;
import dev.sotto.app.command.PreflightCommand;
import dev.sotto.app.command.ProgramName;
import dev.sotto.app.command.RecordCommand;
import dev.sotto.app.command.ReplayCommand;
import dev.sotto.app.command.ResetCommand;
import dev.sotto.app.command.RunCommand;
import dev.sotto.app.command.SchemasCommand;
import dev.sotto.app.command.ScoreCommand;
import dev.sotto.app.command.ServeCommand;
import dev.sotto.app.command.SnapshotCommand;
import dev.sotto.app.command.Surroundings;
import dev.sotto.app.command.VerifyCommand;
import dev.sotto.app.command.WrongUsage;
import dev.sotto.topology.failure.SottoException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line. */
@Command(
    name = "sotto",
    description = "A private online learner for Kafka.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    exitCodeListHeading = "%nExit codes: docs/exit-codes.md%n")
public final class Main implements Surroundings {
  private static final Set<String> VERSION = Set.of("--version", "-V");

  /** What says something of all commands. */
  private static final HelpLayout.Group ABOUT_ALL = new HelpLayout.Group(
      "This command line",
      ContextCommand.class,
      HelpCommand.class,
      CompletionCommand.class,
      ManCommand.class);

  /** All commands, in the groups and the order of --help. A new one is a line here. */
  private static final List<HelpLayout.Group> COMMANDS = List.of(
      new HelpLayout.Group(
          "Learn",
          DemoCommand.class,
          LearnCommand.class,
          InitCommand.class,
          KeyCommand.class,
          ConfigCommand.class,
          PlanCommand.class,
          RunCommand.class),
      new HelpLayout.Group(
          "Look after a learner",
          PreflightCommand.class,
          DescribeCommand.class,
          ExplainCommand.class,
          ResetCommand.class,
          AuditCommand.class),
      new HelpLayout.Group(
          "Read and use what it has published",
          LedgerCommand.class,
          SnapshotCommand.class,
          MetricsCommand.class,
          PredictCommand.class,
          ScoreCommand.class,
          ServeCommand.class,
          ExportCommand.class,
          AliasCommand.class,
          LineageCommand.class,
          SchemasCommand.class),
      new HelpLayout.Group(
          "Work with recorded events",
          RecordCommand.class,
          ReplayCommand.class,
          VerifyCommand.class,
          CompareCommand.class,
          PlayCommand.class),
      ABOUT_ALL);

  private final Map<String, String> environment;

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Show stack traces of errors.")
  private boolean verbose;

  private Main(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  /** Runs one command and ends the process with its code. */
  public static void main(String[] arguments) {
    StandardStreams.keep();
    StandardStreams.checkOutput();
    int code = ExitCode.UNEXPECTED.code();
    try {
      code = commandLine(System.getenv(), arguments).execute(arguments);
    } catch (ClosedOutputException gone) {
      code = ClosedOutputException.CODE;
    } catch (Error fatal) {
      StandardStreams.ended(Thread.currentThread(), fatal);
    }
    System.exit(code);
  }

  /** The command line with all commands. */
  public static CommandLine commandLine() {
    return commandLine(System.getenv());
  }

  /** The same in an environment of its own. */
  public static CommandLine commandLine(Map<String, String> environment) {
    return commandLine(environment, COMMANDS);
  }

  /** What a command line of these arguments needs of it: to describe all commands takes 0.3 s. */
  public static CommandLine commandLine(Map<String, String> environment, String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    if (arguments.length == 1 && VERSION.contains(first)) {
      return commandLine(environment, List.of());
    }
    List<HelpLayout.Group> one = COMMANDS.stream()
        .filter(group -> group != ABOUT_ALL)
        .flatMap(group -> group.commands().stream())
        .filter(command -> name(command).equals(first))
        .map(command -> new HelpLayout.Group("", command))
        .toList();
    return commandLine(environment, one.isEmpty() ? COMMANDS : one);
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  private static CommandLine commandLine(
      Map<String, String> environment, List<HelpLayout.Group> groups) {
    Main main = new Main(environment);
    CommandLine line = new CommandLine(main);
    groups.forEach(group -> group.commands().forEach(line::addSubcommand));
    HelpLayout.set(line, groups);
    if ("dumb".equals(environment.get("TERM"))) {
      line.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    }
    return line.setExecutionExceptionHandler(
            (thrown, command, parsed) -> main.failed(thrown, command))
        .setParameterExceptionHandler(Main::misused)
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private int failed(Exception thrown, CommandLine command) {
    if (thrown instanceof ClosedOutputException) {
      return ClosedOutputException.CODE;
    }
    PrintWriter errors = command.getErr();
    ExitCode code = ExitCode.of(thrown);
    if (code == ExitCode.UNEXPECTED && !(thrown instanceof SottoException)) {
      errors.println("sotto: " + thrown.getClass().getSimpleName()
          + "; this should not happen: the log has the details, --verbose shows them here");
    } else {
      errors.println("sotto: " + asCalled(String.valueOf(thrown.getMessage())));
    }
    if (code != ExitCode.CONFIGURATION && code != ExitCode.USAGE) {
      // Asked for only here: a logger opens its file. Below WARN: the terminal has the message
      // already.
      LoggerFactory.getLogger(Main.class).info("ending with {}", code, thrown);
    }
    if (verbose) {
      thrown.printStackTrace(errors);
    }
    errors.flush();
    return code.code();
  }

  /** What is to be typed has the name by which this program was called. */
  private static String asCalled(String text) {
    return ProgramName.in(
        text,
        COMMANDS.stream()
            .flatMap(group -> group.commands().stream())
            .map(Main::name)
            .toList());
  }

  private static int misused(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter errors = command.getErr();
    if (command.getParent() == null && command.getParseResult().originalArgs().isEmpty()) {
      command.usage(errors);
      return ExitCode.USAGE.code();
    }
    errors.println("sotto: " + WrongUsage.of(wrong, arguments));
    String name = command.getCommandSpec().qualifiedName();
    String top = command.getCommandSpec().root().name();
    errors.println("Try: " + ProgramName.called() + name.substring(top.length()) + " --help");
    errors.flush();
    return ExitCode.USAGE.code();
  }

  /** Product and Java version. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "sotto " + (version == null ? "(unpackaged)" : version),
        "Java " + System.getProperty("java.version") + ", " + System.getProperty("os.name")
      };
    }
  }
}

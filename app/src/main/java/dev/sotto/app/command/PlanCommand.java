package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.config.ConfigSource;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.app.plan.Outlook;
import dev.sotto.app.plan.OutlookJson;
import dev.sotto.app.plan.OutlookText;
import dev.sotto.app.plan.Scenario;
import dev.sotto.app.plan.simulation.Findings;
import dev.sotto.app.plan.simulation.FindingsJson;
import dev.sotto.app.plan.simulation.FindingsText;
import dev.sotto.app.plan.simulation.Simulation;
import dev.sotto.app.view.Progress;
import dev.sotto.learner.round.Plan;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a configuration will cost, before any data are touched. */
@Command(
    name = "plan",
    description = {
      "Print what a configuration will cost and how much noise it will bear, under every mechanism side by side,"
          + " and suggest settings by simulation on made-up data.",
      "Reads no data and needs neither broker nor key.",
      "What the figures mean: docs/plan.md."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final String EXAMPLE = "examples/hflights.yaml";
  private static final String HORIZON = "privacy.horizon.rounds";
  private static final String MULTIPLIER = "ftrl.steps.multiplier";

  @Spec
  private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration: YAML, see docs/configuration.md. Default: " + EXAMPLE + ".")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting, instead of that in the file or the environment; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--rounds",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,10,100,1000,10000,1000000",
      description =
          "After how many rounds; the horizon and the limit are always told. Default: ${DEFAULT-VALUE}.")
  private List<Long> rounds = new ArrayList<>();

  @Option(
      names = "--simulate",
      negatable = true,
      description = "Whether to simulate. Default: yes, but not with --json.")
  private Boolean simulate;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Of the simulation; the same seed gives the same figures. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--json", description = "Print one JSON array of rows.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    for (Long each : rounds) {
      if (each < 1) {
        throw new ParameterException(
            spec.commandLine(), "--rounds must be at least 1, but was " + each);
      }
    }
    Path source = file == null ? example() : file;
    SottoConfig config = KeylessConfig.load(ConfigSource.of(source)
        .withEnvironment(System.getenv())
        .withFlags(settings)
        .withEmbedded(true)); // no broker is needed
    PrintWriter errors = spec.commandLine().getErr();
    config.warnings().forEach(warning -> errors.println("warning: " + warning));
    errors.flush();
    Scenario scenario = scenario(config);
    Outlook outlook = Outlook.of(scenario, rounds);
    if (json) {
      printJson(outlook, multiplier(config));
    } else {
      printText(source, outlook, multiplier(config));
    }
    return ExitCode.OK.code();
  }

  private void printJson(Outlook outlook, double multiplier)
      throws InterruptedException, JsonProcessingException {
    List<Map<String, Object>> rows = new ArrayList<>(OutlookJson.rows(outlook));
    if (simulate != null && simulate) {
      Findings findings = run(wanted(outlook.scenario()));
      rows.addAll(FindingsJson.rows(findings, multiplier));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(new ObjectMapper().writeValueAsString(rows));
    out.flush();
  }

  private void printText(Path source, Outlook outlook, double multiplier)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("The plan of " + source
        + (file == null ? ", an example, since no configuration was named (-c FILE)" : ""));
    out.print(OutlookText.of(outlook));
    out.println();
    out.flush(); // the simulation takes its time
    if (simulate == null || simulate) {
      Optional<Simulation> simulation =
          simulate == null ? possible(outlook.scenario()) : Optional.of(wanted(outlook.scenario()));
      if (simulation.isPresent()) {
        out.print(FindingsText.of(run(simulation.get()), multiplier));
      }
    }
    out.flush();
  }

  /** What nobody asked for is left out with a word where it cannot be. */
  private Optional<Simulation> possible(Scenario scenario) {
    try {
      return Optional.of(new Simulation(scenario, seed));
    } catch (IllegalArgumentException beyond) {
      spec.commandLine().getOut().println("No suggestions by simulation: " + beyond.getMessage());
      return Optional.empty();
    }
  }

  private Simulation wanted(Scenario scenario) {
    try {
      return new Simulation(scenario, seed);
    } catch (IllegalArgumentException beyond) {
      throw new StartFailure(
          ExitCode.USAGE, "--simulate cannot serve this plan: " + beyond.getMessage(), beyond);
    }
  }

  private static Path example() {
    return Path.of(System.getProperty("sotto.home", ".")).resolve(EXAMPLE);
  }

  /** The configured horizon; without one, the last round that the budget allows. */
  private static Scenario scenario(SottoConfig config) {
    Plan plan = config.learner().plan();
    Object given = config.effective().get(HORIZON);
    String rounds = given == null ? "" : given.toString().strip();
    long horizon = rounds.isEmpty()
        ? Promise.lastRound(plan)
        : rounds.equals(SottoConfig.ENDLESS) ? Outlook.LIMIT : Long.parseLong(rounds);
    return new Scenario(plan, horizon, number(config, "metrics.share"));
  }

  private static double multiplier(SottoConfig config) {
    // Simulations vary the steps of Private FTRL only.
    return config.effective().containsKey(MULTIPLIER) ? number(config, MULTIPLIER) : 1;
  }

  private static double number(SottoConfig config, String key) {
    return Double.parseDouble(config.effective().get(key).toString());
  }

  private static Findings run(Simulation simulation) throws InterruptedException {
    try (Progress progress =
        new Progress(System.err, "simulated", simulation.runs(), System.console() != null)) {
      return simulation.run(
          Runtime.getRuntime().availableProcessors(), done -> show(progress, done));
    }
  }

  private static void show(Progress progress, long done) {
    synchronized (progress) {
      progress.show(done, "runs on made-up data");
    }
  }
}

package dev.sotto.app.command;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.evaluation.plan.PlanAnswer;
import dev.sotto.evaluation.plan.PlanDescription;
import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.evaluation.plan.QueryDescription;
import dev.sotto.evaluation.plan.QueryForecast;
import dev.sotto.evaluation.plan.QueryForecast.GivenSettings;
import dev.sotto.evaluation.plan.UnitContribution;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.volume.VolumeDescription;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.optimizer.settings.BlockKeys;
import dev.sotto.learner.optimizer.settings.HeavyTailKeys;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.serdes.feature.FeatureKeys;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a configuration will cost, before any data are touched. */
@Command(
    name = "plan",
    description = {
      "Print what a configuration will cost, how much noise it will bear, and what will be written"
          + " and held.",
      "With --all it prints cost and noise under every mechanism side by side, and what each topic"
          + " and disk takes, at a given rate of events.",
      "Of an algorithm that learns from blocks, or brings its own mechanism, it prints queries,"
          + " passes, noise, cost, memory and retention.",
      "Reads no data and needs neither broker nor key.",
      "What the figures mean: docs/plan.md."
    })
public final class PlanCommand implements Callable<Integer> {
  private static final String EXAMPLE = "examples/hflights.yaml";

  @Spec
  private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The configuration: YAML, see docs/configuration.md. Default: " + EXAMPLE + ".")
  private Path file;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--rounds",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,10,100,1000,10000,1000000",
      description = "After how many rounds; the horizon and the limit are always shown."
          + " Default: ${DEFAULT-VALUE}.")
  private List<Long> rounds = new ArrayList<>();

  @Mixin
  private LoadOptions load;

  @Mixin
  private DetailOptions detail;

  @Option(names = "--json", description = "Print one JSON array of rows.")
  private boolean json;

  @Override
  public Integer call() {
    for (Long each : rounds) {
      if (each < 1) {
        throw new ParameterException(
            spec.commandLine(), "--rounds must be at least 1, but was " + each);
      }
    }
    Path source = file == null ? example() : file;
    SottoConfig config = ConfigWithoutKeys.load(ConfigSource.of(source)
        .withEnvironment(System.getenv())
        .withFlags(settings.all())
        .withEmbedded(true)); // no broker is needed
    PrintWriter errors = spec.commandLine().getErr();
    config.warnings().forEach(warning -> errors.println("warning: " + warning));
    errors.flush();
    PlanScenario scenario = scenario(config);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonRenderer.of(rows(scenario, config)));
    } else {
      VolumeScenario volume = load.of(config);
      detail.print(
          Section.untitled()
              .lines("The plan of " + source
                  + (file == null
                      ? ", an example, since no configuration was named (-c FILE)"
                      : ""))
              .append(PlanAnswer.of(scenario.plan(), scenario.plan().lastRound(), volume))
              .detail(cost(scenario, config))
              .detail(units(config))
              .detail(VolumeDescription.of(volume)),
          out);
    }
    out.flush();
    return ExitCode.OK.code();
  }

  /** Of an algorithm that brings its mechanism, other mechanisms and round sizes mean nothing. */
  private Section cost(PlanScenario scenario, SottoConfig config) {
    return scenario.plan().hasOwnMechanism()
        ? QueryDescription.of(QueryForecast.of(scenario, given(config), rounds))
        : PlanDescription.of(PlanForecast.of(scenario, rounds));
  }

  private Section units(SottoConfig config) {
    return UnitContribution.of(
        config.learner().plan(),
        config
            .effective()
            .find(PlanKeys.RECORDS)
            .map(OptionalLong::of)
            .orElseGet(OptionalLong::empty),
        load.of(config).load().units());
  }

  private List<Section> rows(PlanScenario scenario, SottoConfig config) {
    Section cost = cost(scenario, config);
    List<Section> rows = new ArrayList<>(cost.has("kind") ? List.of(cost) : cost.rows());
    rows.addAll(units(config).rows());
    rows.addAll(VolumeDescription.of(load.of(config)).rows());
    return rows;
  }

  private static GivenSettings given(SottoConfig config) {
    EffectiveSettings settings = config.effective();
    return new GivenSettings(
        settings.find(BlockKeys.SLOTS).orElse(0L),
        settings.find(HeavyTailKeys.MOMENT).isPresent(),
        settings.find(FeatureKeys.NORM).isPresent());
  }

  private static Path example() {
    return Path.of(System.getProperty("sotto.home", ".")).resolve(EXAMPLE);
  }

  /** The configured horizon; without one, the last round that the budget allows. */
  private static PlanScenario scenario(SottoConfig config) {
    Plan plan = config.learner().plan();
    long horizon = config.effective().find(PlanKeys.HORIZON).orElseGet(() -> plan.lastRound());
    return new PlanScenario(plan, horizon, config.effective().get(PlanKeys.METRICS_SHARE));
  }
}

package dev.sotto.benchmarks.experiments;

import dev.sotto.evaluation.text.JsonRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs experiments, and writes their figures and plots: docs/experiments. */
public final class Experiments {
  private static final List<Experiment> ALL = List.of(
      new Utility(),
      new AccelerationExperiment(),
      new RealData(),
      new BoundedKeys(),
      new Defaults(),
      new Published(),
      new HatsAndClips(),
      new MeasuredLabels(),
      new Averaging(),
      new Horizon(),
      new ShortFiles(),
      new Wide(),
      new UnitDefaults(),
      new UnitRecords(),
      new HeavyTailExperiment(),
      new HeavyTailRecorded(),
      new HeavyTailClips(),
      new HeavyTailClipsRecorded(),
      new Momentum(),
      new PoolChecks(),
      new PoolDefaults(),
      new PoolRounds(),
      new Scaling(),
      new RoundsOverCores());

  private Experiments() {}

  /** The names of all experiments. */
  public static List<String> names() {
    return ALL.stream().map(Experiment::name).toList();
  }

  /** A line for each: its name, and what it asks. */
  public static String list() {
    return ALL.stream()
        .map(each -> String.format("%-28s%s", each.name(), each.question()))
        .collect(Collectors.joining("\n"));
  }

  /** The folder of the results that are part of the project. */
  public static Path folder() {
    return ExperimentFolders.project().resolve("docs/experiments");
  }

  /**
   * Runs experiments, and prints a summary.
   *
   * @param names which; all if empty
   * @param quick with a tenth of the work, to see that they run
   * @param json print one JSON object, not tables
   * @param to the folder for the files
   */
  public static void run(List<String> names, boolean quick, boolean json, Path to)
      throws IOException {
    System.setProperty("java.awt.headless", "true");
    Files.createDirectories(to);
    Path data = ExperimentFolders.data().orElse(null);
    Map<String, Object> outcomes = new LinkedHashMap<>();
    Stream<Experiment> chosen =
        ALL.stream().filter(each -> names.isEmpty() || names.contains(each.name()));
    for (Experiment each : chosen.toList()) {
      Trials trials = new Trials(each.name(), quick, data);
      if (each.isOfRecordedData() && data == null) {
        trials.say("skipped: the recorded data (shared/data) are not on this machine");
        continue;
      }
      Experiment.Outcome outcome = each.run(trials);
      Files.writeString(to.resolve(each.name() + ".csv"), outcome.all().csv());
      for (Map.Entry<String, Chart> chart : outcome.charts().entrySet()) {
        chart.getValue().save(to.resolve(each.name() + "-" + chart.getKey() + ".png"));
      }
      outcomes.put(each.name(), outcome.summary().objects());
      if (!json) {
        System.out.println(outcome.summary().markdown());
      }
    }
    if (json) {
      System.out.println(JsonRenderer.of(Map.of("experiments", outcomes, "quick", quick)));
    }
  }
}

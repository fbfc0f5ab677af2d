package dev.sotto.evaluation.compare;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.sotto.topology.failure.FailureKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The fields of a comparison as JSON: docs/compare.md, "JSON". */
public record ComparisonJson(
    @JsonProperty("private") boolean isPrivate,
    String warning,
    @JsonUnwrapped Input input,
    List<Configuration> configurations,
    List<Record> runs,
    String page) {

  /** What was read. */
  record Input(Map<String, String> recording, long seed, Long limit) {}

  /** One configuration, with the settings that are not the same in all. */
  record Configuration(
      String name,
      String file,
      String key,
      Map<String, String> differingSettings,
      String boundingOnly,
      String withoutPrivacy) {}

  /** A run that ended with an error. */
  record FailedRun(
      String name, RunRole role, boolean failed, String code, Integer exitCode, String message) {}

  /** A run that came to its end. */
  record FinishedRun(
      String name,
      RunRole role,
      boolean failed,
      @JsonUnwrapped Cost cost,
      @JsonUnwrapped Losses losses,
      @JsonUnwrapped Curves curves) {}

  /** Work, time and privacy. */
  record Cost(
      long examples,
      double seconds,
      double examplesPerSecond,
      long rounds,
      double epsilon,
      double delta) {}

  /** Predictions at the end. */
  record Losses(String lossName, double loss, Double logLoss, double recentLoss, double accuracy) {}

  /** Differences from the references, the last version, and predictions along the recording. */
  record Curves(
      Double excessOverNonPrivate,
      Double excessOverBoundingOnly,
      String snapshotDigest,
      List<CurvePoint> curve,
      List<ExcessLoss.Point> excessCurve) {}

  /**
   * The JSON of a comparison.
   *
   * @param page the file with the plots, or null
   * @param exitCode what the command line ends with after a failure of a kind, or null
   */
  public static ComparisonJson of(
      Comparison comparison, String page, Function<FailureKind, Integer> exitCode) {
    return new ComparisonJson(
        false,
        Comparison.WARNING,
        new Input(
            comparison.recording(),
            comparison.seed(),
            comparison.limit() == 0 ? null : comparison.limit()),
        comparison.configurations().stream()
            .map(each -> configuration(comparison, each))
            .toList(),
        comparison.runs().stream().map(run -> run(comparison, run, exitCode)).toList(),
        page);
  }

  private static Configuration configuration(Comparison comparison, ComparisonEntry entry) {
    int place = comparison.configurations().indexOf(entry);
    Map<String, String> differing = new LinkedHashMap<>();
    comparison.differences().forEach((key, values) -> {
      if (!values.get(place).isEmpty()) {
        differing.put(key, values.get(place));
      }
    });
    return new Configuration(
        entry.name(),
        entry.file(),
        nullIfEmpty(entry.key()),
        differing,
        entry.boundingOnly().orElse(null),
        entry.withoutPrivacy().orElse(null));
  }

  private static Record run(
      Comparison comparison, ComparisonRun run, Function<FailureKind, Integer> exitCode) {
    if (run.outcome() instanceof RunOutcome.Failed failed) {
      return new FailedRun(
          run.name(),
          run.role(),
          true,
          failed.kind().name(),
          exitCode.apply(failed.kind()),
          failed.message());
    }
    RunOutcome.Finished figures = run.finished().orElseThrow();
    boolean isLogLoss = figures.lossLabel().equals(RunOutcome.LOG_LOSS);
    return new FinishedRun(
        run.name(),
        run.role(),
        false,
        new Cost(
            figures.examples(),
            figures.seconds(),
            figures.examplesPerSecond(),
            figures.rounds(),
            figures.epsilon(),
            figures.delta()),
        new Losses(
            figures.lossName(),
            figures.loss(),
            isLogLoss ? figures.loss() : null,
            figures.recentLoss(),
            figures.accuracy()),
        new Curves(
            comparison.overNone(run).map(ExcessLoss::loss).orElse(null),
            comparison.overBounding(run).map(ExcessLoss::loss).orElse(null),
            nullIfEmpty(figures.snapshotDigest()),
            figures.curve(),
            comparison.overNone(run).map(ExcessLoss::curve).orElse(List.of())));
  }

  private static String nullIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }
}

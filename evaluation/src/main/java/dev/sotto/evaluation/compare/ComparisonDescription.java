package dev.sotto.evaluation.compare;

import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.topology.failure.FailureKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A comparison for a terminal and for programs: docs/compare.md lists the fields. The warning is a
 * fact only, since the terminal colours it.
 */
public final class ComparisonDescription {
  private static final int WIDEST = 48;

  private final Comparison comparison;

  private ComparisonDescription(Comparison comparison) {
    this.comparison = comparison;
  }

  /**
   * All of it.
   *
   * @param page the file with the plots, or null
   * @param exitCode what the command line ends with after a failure of a kind, or null
   */
  public static Section of(
      Comparison comparison, String page, Function<FailureKind, Integer> exitCode) {
    ComparisonDescription description = new ComparisonDescription(comparison);
    return Section.untitled()
        .append(description.head())
        .add(description.runs(exitCode))
        .add(description.failures())
        .add(description.settings())
        .add(description.keys())
        .fact("page", page);
  }

  private Section head() {
    String recording = comparison.recording().entrySet().stream()
        .map(entry -> entry.getKey() + " " + printable(entry.getValue()))
        .collect(Collectors.joining(", "));
    String part = comparison.limit() == 0
        ? ""
        : ", the first " + FigureTexts.whole(comparison.limit()) + " records";
    Table configurations = new Table("configurations", List.of());
    comparison.configurations().forEach(each -> configurations.row(configuration(each)));
    return Section.untitled()
        .fact("private", false)
        .fact("warning", Comparison.WARNING)
        .fact("recording", comparison.recording(), recording + part + "; seed " + comparison.seed())
        .fact("seed", comparison.seed())
        .fact("limit", comparison.limit() == 0 ? null : comparison.limit())
        .add(configurations);
  }

  private Section configuration(ComparisonEntry entry) {
    int place = comparison.configurations().indexOf(entry);
    Map<String, String> differing = new LinkedHashMap<>();
    comparison.differences().forEach((key, values) -> {
      if (!values.get(place).isEmpty()) {
        differing.put(key, values.get(place));
      }
    });
    return Section.untitled()
        .fact("name", entry.name())
        .fact("file", entry.file())
        .fact("key", nullIfEmpty(entry.key()))
        .fact("differingSettings", differing)
        .fact("boundingOnly", entry.boundingOnly().orElse(null))
        .fact("withoutPrivacy", entry.withoutPrivacy().orElse(null));
  }

  private Section runs(Function<FailureKind, Integer> exitCode) {
    Table all = new Table("runs", List.of());
    comparison.runs().forEach(run -> all.row(run(run, exitCode)));
    List<Column> columns = new ArrayList<>(List.of(Column.text("name", "run")));
    FigureTexts.HEADING.forEach(each -> columns.add(Column.text(each, each)));
    Table shown = Table.forPeople(columns.toArray(Column[]::new));
    List<ComparisonRun> finished =
        comparison.runs().stream().filter(run -> run.finished().isPresent()).toList();
    for (ComparisonRun run : finished) {
      Section line = Section.untitled().fact("name", printable(run.name()));
      List<String> figures = FigureTexts.of(comparison, run, run.finished().orElseThrow());
      for (int i = 0; i < figures.size(); i++) {
        line.fact(FigureTexts.HEADING.get(i), figures.get(i));
      }
      shown.row(line);
    }
    FigureTexts.withoutFeatures(
            finished.stream().map(run -> run.finished().orElseThrow()).toList())
        .forEach((name, loss) -> {
          Section line = Section.untitled().fact("name", name);
          FigureTexts.HEADING.forEach(each -> line.fact(each, each.equals("loss") ? loss : ""));
          shown.row(line);
        });
    Section section = Section.untitled().add(all).add(shown);
    return finished.isEmpty()
        ? section
        : section.lines("  loss: mean of " + lossNames(finished)
            + " over all examples, each predicted before it is learned from; learned from: how many"
            + " of them, which is fewer where a unit may give no more; over bounding, over"
            + " none: how much larger than with the bounds on contributions alone, and without"
            + " privacy; base rate so far, best constant: predictions that look at no feature");
  }

  private Section run(ComparisonRun run, Function<FailureKind, Integer> exitCode) {
    Section facts = Section.untitled().fact("name", run.name()).fact("role", run.role());
    if (run.outcome() instanceof RunOutcome.Failed failed) {
      return facts
          .fact("failed", true)
          .fact("code", failed.kind().name())
          .fact("exitCode", exitCode.apply(failed.kind()))
          .fact("message", failed.message());
    }
    RunOutcome.Finished figures = run.finished().orElseThrow();
    boolean isLogLoss = figures.lossLabel().equals(RunOutcome.LOG_LOSS);
    return facts
        .fact("failed", false)
        .fact("examples", figures.examples())
        .fact("contributed", figures.scored().contributed())
        .fact("seconds", figures.seconds())
        .fact("examplesPerSecond", figures.examplesPerSecond())
        .fact("rounds", figures.rounds())
        .fact("epsilon", figures.epsilon())
        .fact("delta", figures.delta())
        .fact("lossName", figures.lossName())
        .fact("loss", figures.loss())
        .fact("logLoss", isLogLoss ? figures.loss() : null)
        .fact("recentLoss", figures.recentLoss())
        .fact("accuracy", figures.accuracy())
        .fact("auc", figures.scored().auc())
        .fact("baseRateLoss", figures.scored().baseRate())
        .fact("bestConstantLoss", figures.scored().constant())
        .fact(
            "excessOverNonPrivate",
            comparison.overNone(run).map(ExcessLoss::loss).orElse(null))
        .fact(
            "excessOverBoundingOnly",
            comparison.overBounding(run).map(ExcessLoss::loss).orElse(null))
        .fact("snapshotDigest", nullIfEmpty(figures.snapshotDigest()))
        .fact("curve", figures.curve())
        .fact("excessCurve", comparison.overNone(run).map(ExcessLoss::curve).orElse(List.of()));
  }

  private static String lossNames(List<ComparisonRun> runs) {
    return runs.stream()
        .map(run -> run.finished().orElseThrow().lossLabel())
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  private Section failures() {
    Section section = Section.untitled();
    for (ComparisonRun run : comparison.runs()) {
      if (run.outcome() instanceof RunOutcome.Failed failed) {
        section.lines(printable(run.name()) + " could not be run (" + failed.kind() + "): "
            + failed
                .message()
                .lines()
                .map(ComparisonDescription::printable)
                .collect(Collectors.joining(System.lineSeparator())));
      }
    }
    return section;
  }

  private Section settings() {
    List<Column> columns = new ArrayList<>(List.of(Column.text("key", "settings that differ")));
    for (int i = 0; i < comparison.configurations().size(); i++) {
      columns.add(Column.text(
          Integer.toString(i), printable(comparison.configurations().get(i).name())));
    }
    Table table = Table.forPeople(columns.toArray(Column[]::new));
    comparison.differences().forEach((key, values) -> {
      Section line = Section.untitled().fact("key", printable(key));
      for (int i = 0; i < values.size(); i++) {
        line.fact(Integer.toString(i), shown(values.get(i)));
      }
      table.row(line);
    });
    return Section.untitled().add(table);
  }

  private static String shown(String value) {
    String text = printable(value);
    return text.isEmpty()
        ? FigureTexts.ABSENT
        : text.length() > WIDEST ? text.substring(0, WIDEST - 3) + "..." : text;
  }

  private Section keys() {
    Section section = Section.untitled();
    comparison.configurations().stream()
        .filter(each -> !each.key().isEmpty())
        .forEach(each -> section.lines("noise of " + printable(each.name()) + ": " + each.key()));
    return section;
  }

  /** Names come from files: nothing in them shall move a cursor. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }

  private static String nullIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }
}

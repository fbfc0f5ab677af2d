package dev.sotto.evaluation.compare;

import dev.sotto.evaluation.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A comparison for a terminal, without the warning, which the terminal colours. */
public final class ComparisonText {
  private static final int WIDEST = 48;

  private final Comparison comparison;

  private ComparisonText(Comparison comparison) {
    this.comparison = comparison;
  }

  /** All of it, in lines. */
  public static String of(Comparison comparison) {
    ComparisonText text = new ComparisonText(comparison);
    return Stream.of(text.head(), text.runs(), text.failures(), text.settings(), text.keys())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private String head() {
    String recording = comparison.recording().entrySet().stream()
        .map(entry -> entry.getKey() + " " + printable(entry.getValue()))
        .collect(Collectors.joining(", "));
    String part = comparison.limit() == 0
        ? ""
        : ", the first " + FigureTexts.whole(comparison.limit()) + " records";
    return lines(recording + part + "; seed " + comparison.seed());
  }

  private String runs() {
    List<ComparisonRun> finished =
        comparison.runs().stream().filter(run -> run.finished().isPresent()).toList();
    if (finished.isEmpty()) {
      return "";
    }
    TextTable table = new TextTable(
        Stream.concat(Stream.of("run"), FigureTexts.HEADING.stream()).toList());
    finished.forEach(run -> table.line(
        Stream.concat(
                Stream.of(printable(run.name())),
                FigureTexts.of(comparison, run, run.finished().orElseThrow()).stream())
            .toList(),
        ""));
    return table.text()
        + lines("  loss: mean of " + lossNames(finished)
            + " over all examples, each predicted before it is learned from; over bounding, over none: how much larger"
            + " than with the bounds on contributions alone, and without privacy");
  }

  private static String lossNames(List<ComparisonRun> runs) {
    return runs.stream()
        .map(run -> run.finished().orElseThrow().lossLabel())
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  private String failures() {
    return comparison.runs().stream()
        .filter(run -> run.outcome() instanceof RunOutcome.Failed)
        .map(run -> {
          RunOutcome.Failed failed = (RunOutcome.Failed) run.outcome();
          return lines(printable(run.name()) + " could not be run (" + failed.kind() + "): "
              + failed
                  .message()
                  .lines()
                  .map(ComparisonText::printable)
                  .collect(Collectors.joining(System.lineSeparator())));
        })
        .collect(Collectors.joining());
  }

  private String settings() {
    Map<String, List<String>> differences = comparison.differences();
    if (differences.isEmpty()) {
      return "";
    }
    List<String> heading = new ArrayList<>(List.of("settings that differ"));
    comparison.configurations().forEach(each -> heading.add(printable(each.name())));
    TextTable table = new TextTable(heading);
    differences.forEach((key, values) -> table.line(
        Stream.concat(Stream.of(printable(key)), values.stream().map(ComparisonText::shown))
            .toList(),
        ""));
    return table.text();
  }

  private static String shown(String value) {
    String text = printable(value);
    return text.isEmpty()
        ? FigureTexts.ABSENT
        : text.length() > WIDEST ? text.substring(0, WIDEST - 3) + "..." : text;
  }

  private String keys() {
    return comparison.configurations().stream()
        .filter(each -> !each.key().isEmpty())
        .map(each -> lines("noise of " + printable(each.name()) + ": " + each.key()))
        .collect(Collectors.joining());
  }

  /** Names come from files: nothing in them shall move a cursor. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
  }

  private static String lines(String... lines) {
    return Stream.of(lines)
        .map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
  }
}

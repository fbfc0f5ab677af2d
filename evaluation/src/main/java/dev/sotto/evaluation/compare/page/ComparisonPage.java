package dev.sotto.evaluation.compare.page;

import static dev.sotto.evaluation.compare.page.Html.code;
import static dev.sotto.evaluation.compare.page.Html.text;

import dev.sotto.evaluation.compare.Comparison;
import dev.sotto.evaluation.compare.ComparisonDescription;
import dev.sotto.evaluation.compare.ComparisonRun;
import dev.sotto.evaluation.compare.CurvePoint;
import dev.sotto.evaluation.compare.ExcessLoss;
import dev.sotto.evaluation.compare.FigureTexts;
import dev.sotto.evaluation.compare.RunOutcome;
import dev.sotto.evaluation.compare.RunRole;
import dev.sotto.evaluation.text.JsonRenderer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A comparison as one file: {@code page.html} with tables, which need no script, and the JSON of
 * the comparison, from which {@code page.js} draws the plots.
 */
public final class ComparisonPage {
  private static final int CURVE_ROWS = 10;

  private final Comparison comparison;
  private final List<ComparisonRun> finished;

  private ComparisonPage(Comparison comparison) {
    this.comparison = comparison;
    this.finished =
        comparison.runs().stream().filter(run -> run.finished().isPresent()).toList();
  }

  /** The page's text, to be written as UTF-8. */
  public static String of(Comparison comparison) {
    return Html.fill(PageAssets.template(), new ComparisonPage(comparison).values());
  }

  private Map<String, String> values() {
    Map<String, String> values = new HashMap<>(PageAssets.values());
    int count = comparison.configurations().size();
    values.put(
        "title",
        text((count == 1 ? "1 configuration" : count + " configurations") + " over "
            + comparison.recording().getOrDefault("recording", "one recording")));
    values.put("warning", text(Comparison.WARNING));
    values.put("facts", facts());
    values.put("failures", failures());
    values.put("runs", runs());
    values.put(
        "losses",
        text(finished.stream()
            .map(run -> figures(run).lossLabel())
            .distinct()
            .collect(Collectors.joining(" or "))));
    values.put(
        "loss-table",
        curve(finished, (run, at) -> FigureTexts.loss(point(run, at).loss())));
    values.put(
        "excess-table",
        curve(
            finished.stream()
                .filter(run -> comparison.overNone(run).isPresent())
                .toList(),
            this::excess));
    values.put(
        "epsilon-table",
        curve(
            finished.stream().filter(run -> run.role() == RunRole.CONFIGURED).toList(),
            (run, at) -> FigureTexts.epsilon(point(run, at).epsilon())));
    values.put("settings", settings());
    values.put("configurations", configurations());
    values.put(
        "data",
        Html.json(JsonRenderer.of(ComparisonDescription.of(comparison, null, kind -> null))));
    return values;
  }

  private String facts() {
    StringBuilder facts = new StringBuilder();
    comparison.recording().forEach((name, value) -> facts.append(fact(name, value)));
    if (comparison.limit() > 0) {
      facts.append(fact("read", "the first " + FigureTexts.whole(comparison.limit()) + " records"));
    }
    return facts.append(fact("seed", Long.toString(comparison.seed()))).toString();
  }

  private static String fact(String name, String value) {
    return "<div><dt>" + text(name) + "</dt><dd>" + text(value) + "</dd></div>";
  }

  private String failures() {
    return comparison.runs().stream()
        .filter(run -> run.outcome() instanceof RunOutcome.Failed)
        .map(run -> {
          RunOutcome.Failed failed = (RunOutcome.Failed) run.outcome();
          return "<li><strong>" + text(run.name()) + "</strong> could not be run (" + failed.kind()
              + "): <pre>" + text(failed.message()) + "</pre></li>";
        })
        .collect(Collectors.joining("\n"));
  }

  private String runs() {
    List<String> heading = new ArrayList<>(List.of("run"));
    heading.addAll(FigureTexts.HEADING);
    heading.add("last snapshot");
    List<List<String>> rows = new ArrayList<>();
    for (ComparisonRun run : finished) {
      List<String> cells = new ArrayList<>(List.of(text(run.name())));
      FigureTexts.of(comparison, run, figures(run)).forEach(cell -> cells.add(text(cell)));
      cells.add(digest(figures(run)));
      rows.add(cells);
    }
    FigureTexts.withoutFeatures(finished.stream().map(ComparisonPage::figures).toList())
        .forEach((name, loss) -> {
          List<String> cells = new ArrayList<>(List.of(text(name)));
          FigureTexts.HEADING.forEach(each -> cells.add(each.equals("loss") ? text(loss) : ""));
          cells.add("");
          rows.add(cells);
        });
    return rows.isEmpty() ? "" : Html.table("All runs", heading, rows);
  }

  private static String digest(RunOutcome.Finished figures) {
    String digest = figures.snapshotDigest();
    String start = digest.length() > 8 ? digest.substring(0, 8) + "…" : digest;
    return digest.isEmpty()
        ? FigureTexts.ABSENT
        : "<code title=\"" + text(digest) + "\">" + text(start) + "</code>";
  }

  /** Some points of the curves; empty where there is no run. */
  private static String curve(
      List<ComparisonRun> runs, BiFunction<ComparisonRun, Long, String> cell) {
    List<CurvePoint> longest = runs.stream()
        .map(run -> figures(run).curve())
        .reduce(List.of(), (a, b) -> a.size() >= b.size() ? a : b);
    List<List<String>> rows = new ArrayList<>();
    int last = 0;
    for (int row = 1; row <= CURVE_ROWS; row++) {
      int end = longest.size() * row / CURVE_ROWS;
      if (end > last) {
        long examples = longest.get(end - 1).examples();
        rows.add(Stream.concat(
                Stream.of(FigureTexts.whole(examples)),
                runs.stream().map(run -> text(cell.apply(run, examples))))
            .toList());
        last = end;
      }
    }
    List<String> heading = Stream.concat(
            Stream.of("examples"), runs.stream().map(run -> text(run.name())))
        .toList();
    return rows.isEmpty() ? "" : Html.table("Along the recording", heading, rows);
  }

  private static CurvePoint point(ComparisonRun run, long examples) {
    List<CurvePoint> curve = figures(run).curve();
    return curve.stream()
        .filter(point -> point.examples() >= examples)
        .findFirst()
        .orElse(curve.get(curve.size() - 1));
  }

  private String excess(ComparisonRun run, long examples) {
    return comparison.overNone(run).orElseThrow().curve().stream()
        .filter(point -> point.examples() >= examples)
        .findFirst()
        .map(ExcessLoss.Point::loss)
        .map(FigureTexts::signed)
        .orElse(FigureTexts.ABSENT);
  }

  private String settings() {
    List<String> heading = Stream.concat(
            Stream.of("setting"),
            comparison.configurations().stream().map(each -> text(each.name())))
        .toList();
    List<List<String>> rows = new ArrayList<>();
    comparison
        .differences()
        .forEach((key, values) -> rows.add(Stream.concat(
                Stream.of(code(key)),
                values.stream().map(value -> value.isEmpty() ? FigureTexts.ABSENT : code(value)))
            .toList()));
    return rows.isEmpty() ? "" : Html.table("Settings that differ", heading, rows);
  }

  private String configurations() {
    List<List<String>> rows = comparison.configurations().stream()
        .map(each -> List.of(
            text(each.name()),
            code(each.file()),
            each.key().isEmpty() ? FigureTexts.ABSENT : text(each.key())))
        .toList();
    return Html.table("Files, and the keys of their noise", List.of("run", "file", "noise"), rows);
  }

  private static RunOutcome.Finished figures(ComparisonRun run) {
    return run.finished().orElseThrow();
  }
}

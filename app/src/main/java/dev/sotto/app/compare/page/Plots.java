package dev.sotto.app.compare.page;

import static dev.sotto.app.compare.page.Html.element;
import static dev.sotto.app.compare.page.Html.text;

import dev.sotto.app.compare.Cells;
import dev.sotto.app.compare.Comparison;
import dev.sotto.app.compare.CurvePoint;
import dev.sotto.app.compare.Excess;
import dev.sotto.app.compare.Outcome;
import dev.sotto.app.compare.Role;
import dev.sotto.app.compare.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The places where the script draws, each with the same figures in words and as a table. */
final class Plots {
  private static final int ROWS = 10;

  private final List<Run> runs;
  private final Comparison comparison;

  private Plots(Comparison comparison) {
    this.comparison = comparison;
    this.runs =
        comparison.runs().stream().filter(run -> run.finished().isPresent()).toList();
  }

  static String of(Comparison comparison) {
    Plots plots = new Plots(comparison);
    return plots.runs.isEmpty() ? "" : plots.section();
  }

  /** The stroke that stands for a run, painted by the script. */
  static String key(Comparison comparison, Run run) {
    return "<span class=\"key " + run.role().name().toLowerCase(Locale.ROOT) + " colour"
        + Math.floorMod(PlotData.colour(comparison, run), 8) + shared(comparison, run)
        + "\" aria-hidden=\"true\"></span>";
  }

  private static String shared(Comparison comparison, Run run) {
    return PlotData.colour(comparison, run) < 0 ? " shared" : "";
  }

  private String section() {
    return "<section id=\"plots\">\n" + element("h2", "Plots") + "\n"
        + "<noscript><p>Plots need scripts; the tables hold the same figures.</p></noscript>\n"
        + controls() + "<div class=\"plots\">\n" + loss() + excess() + epsilon() + time()
        + "</div>\n</section>\n";
  }

  private String controls() {
    StringBuilder boxes = new StringBuilder();
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      boxes
          .append("<label><input type=\"checkbox\" checked data-run=\"")
          .append(i)
          .append("\"> ")
          .append(key(comparison, run))
          .append(text(run.name()))
          .append("</label>\n");
    }
    return "<form class=\"controls\">\n<fieldset><legend>Runs shown in all plots</legend>\n"
        + boxes + "</fieldset>\n<fieldset><legend>Progressive curve</legend>\n"
        + radio("figure", "loss", "loss, all so far", true)
        + radio("figure", "recent", "loss, last 5 %", false)
        + radio("figure", "accuracy", "accuracy", false)
        + "</fieldset>\n<fieldset><legend>Examples</legend>\n"
        + radio("scale", "linear", "linear", true)
        + radio("scale", "logarithmic", "logarithmic", false)
        + "</fieldset>\n</form>\n";
  }

  private static String radio(String name, String value, String words, boolean checked) {
    return "<label><input type=\"radio\" name=\"" + name + "\" value=\"" + value + "\""
        + (checked ? " checked" : "") + "> " + words + "</label>\n";
  }

  private String loss() {
    String words = runs.stream()
        .map(run -> run.name() + " ends at a mean loss of "
            + Cells.loss(figures(run).loss()) + ", accuracy "
            + Cells.loss(figures(run).accuracy()))
        .collect(Collectors.joining("; "));
    return figure(
        "loss",
        "Progressive curve",
        words,
        table(runs, (run, place) -> Cells.loss(at(run, place).loss())));
  }

  private String excess() {
    List<Run> shown =
        runs.stream().filter(run -> comparison.overNone(run).isPresent()).toList();
    if (shown.isEmpty()) {
      return "";
    }
    String words = shown.stream()
        .map(run -> run.name() + " ends at "
            + signed(comparison.overNone(run).orElseThrow().loss()))
        .collect(Collectors.joining("; "));
    return figure(
        "excess",
        "Excess loss over the same code without privacy",
        words,
        table(shown, this::excessAt));
  }

  private String excessAt(Run run, long examples) {
    return comparison.overNone(run).orElseThrow().curve().stream()
        .filter(point -> point.examples() >= examples)
        .findFirst()
        .map(Excess.Point::loss)
        .map(Plots::signed)
        .orElse(Cells.ABSENT);
  }

  private String epsilon() {
    List<Run> shown = runs.stream().filter(run -> run.role() == Role.CONFIGURED).toList();
    String words = shown.stream()
        .map(run -> run.name() + " has cost " + Cells.epsilon(figures(run).epsilon()) + " at delta "
            + figures(run).delta())
        .collect(Collectors.joining("; "));
    return figure(
        "epsilon",
        "Epsilon of all versions published so far",
        words,
        table(shown, (run, place) -> Cells.epsilon(at(run, place).epsilon())));
  }

  private String time() {
    String words = runs.stream()
        .map(run -> String.format(
            Locale.ROOT,
            "%s took %.2f seconds, %s examples a second",
            run.name(),
            figures(run).seconds(),
            Cells.whole(Math.round(figures(run).examplesPerSecond()))))
        .collect(Collectors.joining("; "));
    return figure("time", "Time", words, "");
  }

  private static String figure(String id, String title, String words, String table) {
    String more =
        table.isEmpty() ? "" : element("details", element("summary", "As a table") + table);
    return "<figure>\n" + element("figcaption", text(title))
        + "\n<div class=\"canvas\"><canvas id=\""
        + id + "\" role=\"img\" aria-label=\"" + text(title + ": " + words) + "\">"
        + element("p", text(words)) + "</canvas></div>\n" + more + "</figure>\n";
  }

  /** Some places along the curves. */
  private String table(List<Run> shown, BiFunction<Run, Long, String> cell) {
    List<String> heading = new ArrayList<>(List.of("examples"));
    shown.forEach(run -> heading.add(text(run.name())));
    List<CurvePoint> longest = shown.stream()
        .map(run -> figures(run).curve())
        .reduce(List.of(), (a, b) -> a.size() >= b.size() ? a : b);
    List<List<String>> rows = new ArrayList<>();
    int last = 0;
    for (int row = 1; row <= ROWS; row++) {
      int end = longest.size() * row / ROWS;
      if (end > last) {
        long place = longest.get(end - 1).examples();
        List<String> cells = new ArrayList<>(List.of(Cells.whole(place)));
        shown.forEach(run -> cells.add(text(cell.apply(run, place))));
        rows.add(cells);
        last = end;
      }
    }
    return Html.table("Along the recording", heading, rows);
  }

  private static CurvePoint at(Run run, long examples) {
    List<CurvePoint> curve = figures(run).curve();
    return curve.stream()
        .filter(point -> point.examples() >= examples)
        .findFirst()
        .orElse(curve.get(curve.size() - 1));
  }

  private static Outcome.Finished figures(Run run) {
    return run.finished().orElseThrow();
  }

  private static String signed(double value) {
    return String.format(Locale.ROOT, "%+.4f", value);
  }
}

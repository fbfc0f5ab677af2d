package dev.sotto.app.compare.page;

import static dev.sotto.app.compare.page.Html.element;
import static dev.sotto.app.compare.page.Html.text;

import dev.sotto.app.compare.Cells;
import dev.sotto.app.compare.Comparison;
import dev.sotto.app.compare.Configuration;
import dev.sotto.app.compare.Outcome;
import dev.sotto.app.compare.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One page with everything in it: tables that need no script, plots that need no network. */
public final class ComparisonPage {
  private final Comparison comparison;

  private ComparisonPage(Comparison comparison) {
    this.comparison = comparison;
  }

  /** The page's text, to be written as UTF-8. */
  public static String of(Comparison comparison) {
    return new ComparisonPage(comparison).page();
  }

  private String page() {
    String style = "\n" + Assets.style();
    String charts = "\n" + Assets.charts();
    String script = "\n" + Assets.script();
    String policy = "default-src 'none'; script-src " + Assets.allowing(charts) + " "
        + Assets.allowing(script) + "; style-src " + Assets.allowing(style)
        + "; base-uri 'none'; form-action 'none'";
    int count = comparison.configurations().size();
    String title = (count == 1 ? "1 configuration" : count + " configurations") + " over "
        + comparison.recording().getOrDefault("recording", "one recording");
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy + "\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta name=\"referrer\" content=\"no-referrer\">\n"
        + "<meta name=\"color-scheme\" content=\"light dark\">\n"
        + element("title", text("Not private: " + title)) + "\n" + element("style", style)
        + "\n</head>\n<body>\n"
        + header(title)
        + "<main>\n" + runs() + Plots.of(comparison) + settings() + sources() + "</main>\n"
        + footer()
        + "<script type=\"application/json\" id=\"data\">" + Html.data(PlotData.of(comparison))
        + "</script>\n" + element("script", charts) + "\n" + element("script", script)
        + "\n</body>\n</html>\n";
  }

  private String header(String title) {
    String facts = comparison.recording().entrySet().stream()
        .map(fact -> fact(fact.getKey(), fact.getValue()))
        .collect(Collectors.joining());
    if (comparison.limit() > 0) {
      facts += fact("read", "the first " + Cells.whole(comparison.limit()) + " records");
    }
    facts += fact("seed", Long.toString(comparison.seed()));
    return "<header>\n" + element("h1", text(title)) + "\n"
        + element("p class=\"warning\" role=\"note\"", element("strong", text(Comparison.WARNING)))
        + "\n" + element("dl class=\"facts\"", facts) + "\n</header>\n";
  }

  private static String fact(String name, String value) {
    return element("div", element("dt", text(name)) + element("dd", text(value)));
  }

  private String runs() {
    List<List<String>> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (Run run : comparison.runs()) {
      if (run.outcome() instanceof Outcome.Failed failed) {
        failures.add(element(
            "li",
            element("strong", text(run.name())) + " could not be run (" + failed.code() + "): "
                + element("pre", text(failed.message()))));
      } else {
        Outcome.Finished figures = run.finished().orElseThrow();
        rows.add(Stream.of(
                Stream.of(Plots.key(comparison, run) + text(run.name())),
                Cells.of(comparison, run, figures).stream().map(Html::text),
                Stream.of(digest(figures)))
            .flatMap(cells -> cells)
            .toList());
      }
    }
    List<String> heading = new ArrayList<>(List.of("run"));
    heading.addAll(Cells.HEADING);
    heading.add("last snapshot");
    String failed = failures.isEmpty()
        ? ""
        : element(
                "div class=\"failed\"",
                element("h3", "What could not be run") + element("ul", String.join("\n", failures)))
            + "\n";
    String table = rows.isEmpty() ? "" : Html.table("All runs", heading, rows) + reading();
    return section("Runs", failed + table);
  }

  private static String digest(Outcome.Finished figures) {
    String digest = figures.snapshotDigest();
    String start = digest.length() > 8 ? digest.substring(0, 8) + "…" : digest;
    return digest.isEmpty()
        ? Cells.ABSENT
        : "<code title=\"" + text(digest) + "\">" + text(start) + "</code>";
  }

  private String reading() {
    String losses = comparison.runs().stream()
        .flatMap(run -> run.finished().stream())
        .map(Outcome.Finished::lossWords)
        .distinct()
        .collect(Collectors.joining(" or "));
    return element(
            "p class=\"reading\"",
            "<b>loss</b> is the mean " + text(losses)
                + " over all examples, each predicted by the newest version before"
                + " it is learned from; <b>last 5 %</b> the same over the last twentieth of them. <b>over bounding</b> and"
                + " <b>over none</b> are how much larger it is than that of the same code with the bounds on"
                + " contributions alone, and without privacy: no noise, no clipping, steps made for no noise."
                + " <b>epsilon</b> is that of all versions together, rounded up. Runs shared the machine:"
                + " seconds are no benchmark.")
        + "\n";
  }

  private String settings() {
    if (comparison.configurations().stream()
            .filter(each -> !each.settings().isEmpty())
            .count()
        < 2) {
      return "";
    }
    Map<String, List<String>> differences = comparison.differences();
    if (differences.isEmpty()) {
      return section(
          "Settings",
          element("p", "The configurations that could be read have the same settings."));
    }
    List<String> heading = Stream.concat(
            Stream.of("setting"),
            comparison.configurations().stream().map(each -> text(each.name())))
        .toList();
    List<List<String>> rows = new ArrayList<>();
    differences.forEach((key, values) -> rows.add(Stream.concat(
            Stream.of(element("code", text(key))),
            values.stream()
                .map(value -> value.isEmpty() ? Cells.ABSENT : element("code", text(value))))
        .toList()));
    return section(
        "Settings that differ",
        element("div class=\"words\"", Html.table("Only those", heading, rows)));
  }

  private String sources() {
    List<List<String>> rows = comparison.configurations().stream()
        .map((Configuration each) -> List.of(
            text(each.name()),
            element("code", text(each.file())),
            each.key().isEmpty() ? Cells.ABSENT : text(each.key())))
        .toList();
    return section(
        "Configurations",
        element(
            "div class=\"words\"",
            Html.table(
                "Files, and the keys of their noise", List.of("run", "file", "noise"), rows)));
  }

  private static String section(String title, String inner) {
    return "<section>\n" + element("h2", title) + "\n" + inner + "</section>\n";
  }

  private static String footer() {
    return "<footer>\n"
        + element(
            "p",
            "Made by <code>sotto compare</code>. Charts: " + text(Assets.chartsName())
                + ", MIT licence; it is inside this page, which loads nothing.")
        + element(
            "details",
            element("summary", "Licence of the charting library")
                + element("pre", text(Assets.licences())))
        + "\n</footer>\n";
  }
}

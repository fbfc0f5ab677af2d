package dev.sotto.app.compare.page;

import dev.sotto.app.compare.Comparison;
import dev.sotto.app.compare.Configuration;
import dev.sotto.app.compare.CurvePoint;
import dev.sotto.app.compare.Excess;
import dev.sotto.app.compare.Outcome;
import dev.sotto.app.compare.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What the page's script draws. */
final class PlotData {
  /** The colour of references that belong to several configurations. */
  private static final int SHARED = -1;

  private PlotData() {}

  static Map<String, Object> of(Comparison comparison) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put(
        "runs",
        comparison.runs().stream()
            .filter(run -> run.finished().isPresent())
            .map(run -> run(comparison, run, run.finished().orElseThrow()))
            .toList());
    return data;
  }

  private static Map<String, Object> run(Comparison comparison, Run run, Outcome.Finished figures) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("name", Html.shown(run.name()));
    data.put("role", run.role().name());
    data.put("colour", colour(comparison, run));
    data.put("examples", figures.curve().stream().map(CurvePoint::examples).toList());
    data.put("loss", column(figures, CurvePoint::loss));
    data.put("recent", column(figures, CurvePoint::recentLoss));
    data.put("accuracy", column(figures, CurvePoint::accuracy));
    data.put("epsilon", column(figures, CurvePoint::epsilon));
    List<Excess.Point> excess = comparison.overNone(run).map(Excess::curve).orElse(List.of());
    data.put(
        "excess",
        excess.stream().map(point -> List.of(point.examples(), point.loss())).toList());
    data.put("seconds", figures.seconds());
    data.put("rate", Math.round(figures.examplesPerSecond()));
    return data;
  }

  /** The place of the only configuration to which a run belongs. */
  static int colour(Comparison comparison, Run run) {
    List<Configuration> owners = comparison.configurations().stream()
        .filter(each -> each.name().equals(run.name())
            || each.boundingOnly().filter(run.name()::equals).isPresent()
            || each.withoutPrivacy().filter(run.name()::equals).isPresent())
        .toList();
    return owners.size() == 1 ? comparison.configurations().indexOf(owners.get(0)) : SHARED;
  }

  private static List<Double> column(
      Outcome.Finished figures, ToDoubleFunction<CurvePoint> figure) {
    return figures.curve().stream()
        .map(figure::applyAsDouble)
        .map(value -> Double.isFinite(value) ? value : null)
        .collect(Collectors.toCollection(ArrayList::new));
  }
}

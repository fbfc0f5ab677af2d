package dev.sotto.evaluation.plan;

import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.Noise;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.evaluation.text.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Worst errors by mechanism and rounds; the best of each column is in brackets. */
final class NoiseGrid {
  private static final double TIE = 1e-9;

  private final PlanForecast forecast;
  private final Function<Row, FigureOrReason<Noise>> figure;
  private final boolean oneSigma;

  /**
   * A grid.
   *
   * @param oneSigma whether a mechanism's noise is the same in all columns, and shown in one of its
   *     own
   */
  NoiseGrid(PlanForecast forecast, Function<Row, FigureOrReason<Noise>> figure, boolean oneSigma) {
    this.forecast = forecast;
    this.figure = figure;
    this.oneSigma = oneSigma;
  }

  String text() {
    List<Long> columns = forecast.rounds().stream()
        .filter(each -> each != PlanForecast.LIMIT || !oneSigma)
        .toList();
    List<String> heading = new ArrayList<>(List.of("mechanism"));
    if (oneSigma) {
      heading.add("sigma");
    }
    columns.forEach(each ->
        heading.add((each == PlanForecast.LIMIT ? "endless" : FigureWording.count(each)) + " "));
    TextTable table = new TextTable(heading);
    for (Group group : forecast.groups()) {
      if (group.rows().value().isEmpty()) {
        continue; // another table has the reason
      }
      List<String> line = new ArrayList<>(List.of(FigureWording.label(group.candidate())));
      String reason = reason(group);
      if (reason.isEmpty()) {
        if (oneSigma) {
          rows(group)
              .findFirst()
              .ifPresent(row -> line.add(
                  figure.apply(row).text(noise -> FigureWording.number(noise.sigma()), "-")));
        }
        columns.forEach(column -> line.add(cell(group, column)));
      }
      table.line(line, reason);
    }
    return table.text();
  }

  /** Why a mechanism has no line; empty where it has. */
  private String reason(Group group) {
    return rows(group)
        .map(figure)
        .filter(each -> oneSigma)
        .map(FigureOrReason::reason)
        .findFirst()
        .orElse("");
  }

  private String cell(Group group, long column) {
    double best = forecast.groups().stream()
        .filter(this::comparable)
        .flatMap(each -> worst(each, column).stream())
        .min(Double::compare)
        .orElse(Double.NaN);
    return worst(group, column)
        .map(mine -> {
          String shown = FigureWording.number(mine / forecast.scenario().plan().batch());
          return comparable(group) && mine <= best * (1 + TIE) ? "[" + shown + "]" : shown + " ";
        })
        .orElse("- ");
  }

  /** Noise against gradients cut in another norm is not. */
  private boolean comparable(Group group) {
    return group.candidate().mechanism().isPure()
        == forecast.scenario().plan().mechanism().isPure();
  }

  private Optional<Double> worst(Group group, long column) {
    if (column != PlanForecast.LIMIT) {
      return noise(group, column).map(noise -> noise.error().worst());
    }
    long last = forecast.rounds().get(forecast.rounds().size() - 2);
    return noise(group, column)
        .flatMap(endless -> noise(group, last)
            .map(noise -> endless.sigma() / noise.sigma() * noise.error().worst()));
  }

  private Optional<Noise> noise(Group group, long column) {
    return rows(group)
        .filter(row -> row.rounds() == column)
        .flatMap(row -> figure.apply(row).value().stream())
        .findFirst();
  }

  private static Stream<Row> rows(Group group) {
    return group.rows().value().stream().flatMap(List::stream);
  }
}

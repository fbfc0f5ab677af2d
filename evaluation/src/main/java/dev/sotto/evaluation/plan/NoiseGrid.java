package dev.sotto.evaluation.plan;

import static dev.sotto.learner.description.FigureFormat.number;

import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.Noise;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  Table table() {
    List<Long> columns = forecast.rounds().stream()
        .filter(each -> each != PlanForecast.LIMIT || !oneSigma)
        .toList();
    List<Column> shown = new ArrayList<>(List.of(Column.text("mechanism", "mechanism")));
    if (oneSigma) {
      shown.add(Column.text("sigma", "sigma"));
    }
    columns.forEach(each -> shown.add(Column.text(
        each.toString(),
        each == PlanForecast.LIMIT ? "endless " : String.format(Locale.ROOT, "%,d ", each))));
    Table table = Table.forPeople(shown.toArray(Column[]::new));
    for (Group group : forecast.groups()) {
      if (group.rows().value().isEmpty()) {
        continue; // another table has the reason
      }
      Section line = Section.untitled().fact("mechanism", FigureWording.label(group.option()));
      String reason = reason(group);
      if (reason.isEmpty()) {
        if (oneSigma) {
          rows(group)
              .findFirst()
              .ifPresent(row ->
                  line.fact("sigma", figure.apply(row).text(noise -> number(noise.sigma()), "-")));
        }
        columns.forEach(column -> line.fact(column.toString(), cell(group, column)));
      }
      table.row(line, reason);
    }
    return table;
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
          String shown = number(mine / forecast.scenario().plan().batch());
          return comparable(group) && mine <= best * (1 + TIE) ? "[" + shown + "]" : shown + " ";
        })
        .orElse("- ");
  }

  /** Noise against gradients cut in another norm is not. */
  private boolean comparable(Group group) {
    return group.option().mechanism().norm()
        == forecast.scenario().plan().mechanism().norm();
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

package dev.sotto.app.plan;

import dev.sotto.app.plan.Outlook.Group;
import dev.sotto.app.plan.Outlook.Noise;
import dev.sotto.app.plan.Outlook.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Worst errors of the prefix of means, mechanisms against rounds; the best of each column in brackets. */
final class NoiseGrid {
  private static final double TIE = 1e-9;

  private final Outlook outlook;
  private final Function<Row, Answer<Noise>> figure;
  private final boolean oneSigma;

  /**
   * A grid.
   *
   * @param oneSigma whether a mechanism's noise is the same in all columns, and shown in one of its own
   */
  NoiseGrid(Outlook outlook, Function<Row, Answer<Noise>> figure, boolean oneSigma) {
    this.outlook = outlook;
    this.figure = figure;
    this.oneSigma = oneSigma;
  }

  String text() {
    List<Long> columns = outlook.rounds().stream()
        .filter(each -> each != Outlook.LIMIT || !oneSigma)
        .toList();
    List<String> heading = new ArrayList<>(List.of("mechanism"));
    if (oneSigma) {
      heading.add("sigma");
    }
    columns.forEach(
        each -> heading.add((each == Outlook.LIMIT ? "endless" : Words.count(each)) + " "));
    TextTable table = new TextTable(heading);
    for (Group group : outlook.groups()) {
      if (group.rows().value().isEmpty()) {
        continue; // told elsewhere
      }
      List<String> line = new ArrayList<>(List.of(Words.label(group.candidate())));
      String reason = reason(group);
      if (reason.isEmpty()) {
        if (oneSigma) {
          rows(group)
              .findFirst()
              .ifPresent(row ->
                  line.add(figure.apply(row).text(noise -> Words.number(noise.sigma()), "-")));
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
        .map(Answer::reason)
        .findFirst()
        .orElse("");
  }

  private String cell(Group group, long column) {
    double best = outlook.groups().stream()
        .filter(this::comparable)
        .flatMap(each -> worst(each, column).stream())
        .min(Double::compare)
        .orElse(Double.NaN);
    return worst(group, column)
        .map(mine -> {
          String shown = Words.number(mine / outlook.scenario().plan().batch());
          return comparable(group) && mine <= best * (1 + TIE) ? "[" + shown + "]" : shown + " ";
        })
        .orElse("- ");
  }

  /** Noise against gradients cut in another norm is not. */
  private boolean comparable(Group group) {
    return group.candidate().mechanism().isPure()
        == outlook.scenario().plan().mechanism().isPure();
  }

  private Optional<Double> worst(Group group, long column) {
    if (column != Outlook.LIMIT) {
      return noise(group, column).map(noise -> noise.error().worst());
    }
    long last = outlook.rounds().get(outlook.rounds().size() - 2);
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

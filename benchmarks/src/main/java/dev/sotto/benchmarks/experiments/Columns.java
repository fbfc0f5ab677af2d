package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The columns of a table, each by what a row says. */
final class Columns<R> {
  private final Map<String, Function<? super R, ?>> cells = new LinkedHashMap<>();

  /** One more column. */
  Columns<R> add(String name, Function<? super R, ?> cell) {
    cells.put(name, cell);
    return this;
  }

  /** The mean, the smallest and the largest of a figure. */
  Columns<R> range(String mean, Function<? super R, ? extends Measured<?>> of, int figure) {
    return add(mean, row -> of.apply(row).mean(figure))
        .add("least", row -> of.apply(row).min(figure))
        .add("largest", row -> of.apply(row).max(figure));
  }

  /** A table of rows. */
  ResultTable of(Collection<? extends R> rows) {
    ResultTable table = new ResultTable(cells.keySet().toArray(String[]::new));
    rows.forEach(
        row -> table.add(cells.values().stream().map(cell -> cell.apply(row)).toArray()));
    return table;
  }
}

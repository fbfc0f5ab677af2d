package dev.sotto.benchmarks.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Named columns of numbers and texts, for reports in Markdown and for files. */
public final class ResultTable {
  private final List<String> columns;
  private final List<List<Object>> rows = new ArrayList<>();

  /** A table without rows. */
  public ResultTable(String... columns) {
    this.columns = List.of(columns);
  }

  /** Adds a row with a cell for each column. */
  public void add(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "a row must have " + columns.size() + " cells, but had " + cells.length);
    }
    rows.add(List.of(cells));
  }

  /** Markdown: numbers with four digits. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    line(text, columns);
    line(text, columns.stream().map(each -> "---").toList());
    rows.forEach(row -> line(text, row.stream().map(ResultTable::brief).toList()));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /**
   * Comma-separated values: numbers with six digits. No cell has a comma, so there are no quotes.
   */
  public String csv() {
    StringBuilder text = new StringBuilder(String.join(",", columns)).append('\n');
    rows.forEach(row -> text.append(
            String.join(",", row.stream().map(ResultTable::exact).toList()))
        .append('\n'));
    return text.toString();
  }

  /** One map for each row, by column. */
  public List<Map<String, Object>> objects() {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (List<Object> row : rows) {
      Map<String, Object> object = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        object.put(columns.get(i), row.get(i));
      }
      objects.add(object);
    }
    return objects;
  }

  private static String brief(Object cell) {
    if (!(cell instanceof Double number)) {
      return cell.toString();
    }
    if (number.isInfinite()) {
      return "none";
    }
    boolean small = Math.abs(number) < 0.01 && number != 0;
    return String.format(Locale.ROOT, small ? "%.1e" : "%.4g", number);
  }

  private static String exact(Object cell) {
    return cell instanceof Double number
        ? String.format(Locale.ROOT, "%.6g", number)
        : cell.toString();
  }
}

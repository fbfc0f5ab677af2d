package dev.sotto.learner.description;

import java.util.ArrayList;
import java.util.List;

/** Rows of facts: for programs all of them, for people those that have a column. */
public final class Table implements Part {
  private final String id;
  private final List<Column> columns;
  private final List<Row> rows = new ArrayList<>();
  private int most = Integer.MAX_VALUE;

  /**
   * A row.
   *
   * @param note what people read behind it; empty for nothing
   */
  public record Row(Section facts, String note) {}

  /**
   * A table without rows.
   *
   * @param id its name for programs; empty where only people see it
   * @param columns none where only programs get it
   */
  public Table(String id, List<Column> columns) {
    this.id = id;
    this.columns = List.copyOf(columns);
  }

  /** One that only people see. */
  public static Table forPeople(Column... columns) {
    return new Table("", List.of(columns));
  }

  /** One that only people see, of texts under these headings. */
  public static Table headed(List<String> headings) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < headings.size(); i++) {
      columns.add(Column.text(Integer.toString(i), headings.get(i)));
    }
    return new Table("", columns);
  }

  /** Adds texts for the first columns, in their order, and a note behind the last of them. */
  public Table line(List<String> cells, String note) {
    Section facts = Section.untitled();
    for (int i = 0; i < cells.size(); i++) {
      facts.fact(columns.get(i).id(), cells.get(i));
    }
    return row(facts, note);
  }

  /** Adds a row. */
  public Table row(Section facts) {
    return row(facts, "");
  }

  /** Adds a row with a note behind it. */
  public Table row(Section facts, String note) {
    rows.add(new Row(facts, note));
    return this;
  }

  /** Of the rows people see this number at most. */
  public Table shownTo(int rowsAtMost) {
    most = rowsAtMost;
    return this;
  }

  public String id() {
    return id;
  }

  public List<Column> columns() {
    return columns;
  }

  public List<Row> rows() {
    return List.copyOf(rows);
  }

  /** The rows that people see. */
  public List<Row> shown() {
    return List.copyOf(rows.subList(0, Math.min(most, rows.size())));
  }
}

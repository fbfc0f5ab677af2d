package dev.sotto.evaluation.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of cells under a heading: the first column to the left, the others to the right. */
final class TextTable {
  private static final int FIRST = 21;
  private static final int OTHER = 10;
  private static final String GAP = "  ";

  private record Line(List<String> cells, String note) {}

  private final List<Line> lines = new ArrayList<>();

  /** A table with a heading. */
  TextTable(List<String> heading) {
    line(heading, "");
  }

  /** Cells for the first columns, and a note behind the last of them. */
  void line(List<String> cells, String note) {
    lines.add(new Line(List.copyOf(cells), note));
  }

  /** All lines: columns of usual widths if these fit a line, otherwise as narrow as their cells. */
  String text() {
    int[] usual = widths(FIRST, OTHER);
    boolean fits = Arrays.stream(usual).sum() + usual.length * GAP.length() <= TextRenderer.WIDTH;
    int[] widths = fits ? usual : widths(0, 0);
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      StringBuilder row = new StringBuilder();
      for (int column = 0; column < line.cells().size(); column++) {
        String cell = line.cells().get(column);
        String blanks = " ".repeat(widths[column] - cell.length());
        row.append(GAP).append(column == 0 ? cell + blanks : blanks + cell);
      }
      row.append(line.note().isEmpty() ? "" : GAP + line.note());
      text.append(row.toString().stripTrailing()).append(System.lineSeparator());
    }
    return text.toString();
  }

  private int[] widths(int first, int other) {
    int[] widths = new int[lines.get(0).cells().size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = column == 0 ? first : other;
      for (Line line : lines) {
        if (column < line.cells().size()) {
          widths[column] = Math.max(widths[column], line.cells().get(column).length());
        }
      }
    }
    return widths;
  }
}

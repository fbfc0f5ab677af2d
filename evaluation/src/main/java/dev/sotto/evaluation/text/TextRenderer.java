package dev.sotto.evaluation.text;

import dev.sotto.learner.description.Column;
import dev.sotto.learner.description.Detail;
import dev.sotto.learner.description.Fact;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.Items;
import dev.sotto.learner.description.Nested;
import dev.sotto.learner.description.Part;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.description.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes descriptions for people: sentences, tables, and a blank line before each section. */
public final class TextRenderer {
  /** Columns of a line where no terminal says otherwise. */
  public static final int WIDTH = 96;

  /** What ends a text that leaves something out. */
  public static final String MORE = "The rest: --all";

  private static final String LINE = System.lineSeparator();

  private final int width;
  private final boolean all;
  private final StringBuilder text = new StringBuilder();
  private boolean leftOut;

  private TextRenderer(int width, boolean all) {
    this.width = width;
    this.all = all;
  }

  /** The text with all details; it ends with a line end unless it is empty. */
  public static String of(Section section) {
    return of(section, WIDTH, true);
  }

  /**
   * The text.
   *
   * @param width of the lines into which sentences are broken, in columns
   * @param all whether details are shown; if not, and there are any, the last line says so
   */
  public static String of(Section section, int width, boolean all) {
    TextRenderer renderer = new TextRenderer(width, all);
    renderer.section(section);
    if (renderer.leftOut) {
      renderer.line(MORE);
    }
    return renderer.text.toString();
  }

  /** One table. */
  public static String of(Table table) {
    return of(Section.untitled().add(table));
  }

  private void section(Section section) {
    line(section.title());
    section.parts().forEach(this::part);
  }

  private void part(Part part) {
    if (part instanceof Fact fact) {
      line(fact.sentence());
    } else if (part instanceof Words words) {
      line(words.wrapped() ? wrapped(words.text(), width) : words.text());
    } else if (part instanceof Nested nested) {
      section(nested.section());
    } else if (part instanceof Items items) {
      items.all().forEach(this::section);
    } else if (part instanceof Table table) {
      text.append(table(table));
    } else if (part instanceof Detail detail) {
      detail(detail.section());
    } else if (part instanceof Section section) {
      TextRenderer inner = new TextRenderer(width, all);
      inner.section(section);
      leftOut |= inner.leftOut;
      text.append(text.length() == 0 || inner.text.isEmpty() ? "" : LINE).append(inner.text);
    }
  }

  private void detail(Section section) {
    if (all) {
      part(section);
    } else {
      leftOut |= !of(section).isEmpty();
    }
  }

  private void line(String line) {
    if (!line.isEmpty()) {
      text.append(line).append(LINE);
    }
  }

  private static String table(Table table) {
    if (table.columns().isEmpty() || table.rows().isEmpty()) {
      return "";
    }
    TextTable shown = new TextTable(table.columns().stream().map(Column::label).toList());
    for (Table.Row row : table.shown()) {
      List<String> cells = new ArrayList<>();
      for (Column column : table.columns()) {
        Optional<Object> value = row.facts().value(column.id());
        boolean endless = column.format() == Column.Format.LIMIT && row.facts().has(column.id());
        if (value.isEmpty() && !endless) {
          break; // what follows is not known either; the note says why
        }
        cells.add(cell(value.orElse("limit"), column.format()));
      }
      shown.line(cells, row.note());
    }
    return shown.text();
  }

  private static String cell(Object value, Column.Format format) {
    return switch (format) {
      case TEXT -> value.toString();
      case LIMIT ->
        value instanceof Number count
            ? String.format(Locale.ROOT, "%,d", count.longValue())
            : value.toString();
      case NUMBER -> FigureFormat.number(((Number) value).doubleValue());
      case BYTES -> FigureFormat.bytes(((Number) value).doubleValue());
    };
  }

  /** A sentence in lines that fit a terminal. */
  static String wrapped(String sentence, int width) {
    StringBuilder lines = new StringBuilder();
    int column = 0;
    for (String word : sentence.split(" ")) {
      if (column > 0 && column + 1 + word.length() > width) {
        lines.append(LINE);
        column = 0;
      }
      lines.append(column == 0 ? "" : " ").append(word);
      column += word.length() + (column == 0 ? 0 : 1);
    }
    return lines.toString();
  }
}

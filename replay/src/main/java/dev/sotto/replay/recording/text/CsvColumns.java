package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes the cells of a row as a JSON object. Dots in names of columns part levels, as in the paths
 * of features, unless two names would then take the same place ({@code a} and {@code a.b}): then
 * all names stay whole.
 */
final class CsvColumns {
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
  private static final Pattern PATH = Pattern.compile("[^.]+(?:\\.[^.]+)+");
  private static final int NONE = -1;

  private Node root = new Node();

  /** A column, or what is below the beginning of several names. */
  private static final class Node {
    private final Map<String, Node> below = new LinkedHashMap<>();
    private int column = NONE;
  }

  /** Columns with these names, each of which is there once. */
  CsvColumns(List<String> names) {
    if (!fits(names, true)) {
      root = new Node();
      fits(names, false);
    }
  }

  private boolean fits(List<String> names, boolean levels) {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      Node node = root;
      for (String part :
          levels && PATH.matcher(name).matches() ? name.split("\\.") : new String[] {name}) {
        node = node.below.computeIfAbsent(part, each -> new Node());
        if (node.column != NONE) {
          return false;
        }
      }
      if (!node.below.isEmpty()) {
        return false;
      }
      node.column = i;
    }
    return true;
  }

  /** The names of the levels of each column, in the order of the row of names. */
  List<List<String>> paths() {
    SortedMap<Integer, List<String>> paths = new TreeMap<>();
    collect(root, List.of(), paths);
    return List.copyOf(paths.values());
  }

  private static void collect(
      Node node, List<String> above, SortedMap<Integer, List<String>> paths) {
    if (node.column != NONE) {
      paths.put(node.column, above);
    }
    node.below.forEach((name, child) -> {
      List<String> path = new ArrayList<>(above);
      path.add(name);
      collect(child, path, paths);
    });
  }

  /** Writes one row; cells that are empty or not there are left out. */
  void write(JsonGenerator out, String[] cells) throws IOException {
    out.writeStartObject();
    write(out, root, cells);
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Node node, String[] cells) throws IOException {
    for (Map.Entry<String, Node> each : node.below.entrySet()) {
      Node child = each.getValue();
      if (!isThere(child, cells)) {
        continue;
      }
      out.writeFieldName(each.getKey());
      if (child.column != NONE) {
        write(out, cells[child.column]);
      } else {
        out.writeStartObject();
        write(out, child, cells);
        out.writeEndObject();
      }
    }
  }

  private static boolean isThere(Node node, String[] cells) {
    return node.column == NONE
        ? node.below.values().stream().anyMatch(each -> isThere(each, cells))
        : node.column < cells.length && !cells[node.column].isEmpty();
  }

  private static void write(JsonGenerator out, String cell) throws IOException {
    if (isNumber(cell)) {
      out.writeNumber(cell);
    } else if (cell.equals("true") || cell.equals("false")) {
      out.writeBoolean(cell.equals("true"));
    } else {
      out.writeString(cell);
    }
  }

  /** Whether a cell reads as a JSON number. */
  static boolean isNumber(String cell) {
    return NUMBER.matcher(cell).matches();
  }
}

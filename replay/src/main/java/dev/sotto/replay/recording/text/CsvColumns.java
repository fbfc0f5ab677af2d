package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.SerializedString;
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
  private static final Pattern PATH = Pattern.compile("[^.]+(?:\\.[^.]+)+");
  private static final int NONE = -1;

  private Node root = new Node("");

  /** A column, or what is below the beginning of several names. */
  private static final class Node {
    private static final Node[] NOTHING = {};

    private final SerializableString name;
    private final Map<String, Node> below = new LinkedHashMap<>();
    private Node[] children = NOTHING; // the same, for loops over rows
    private int column = NONE;

    Node(String name) {
      this.name = new SerializedString(name);
    }

    void seal() {
      children = below.values().toArray(NOTHING);
      for (Node child : children) {
        child.seal();
      }
    }
  }

  /** Columns with these names, each of which is there once. */
  CsvColumns(List<String> names) {
    if (!fits(names, true)) {
      root = new Node("");
      fits(names, false);
    }
    root.seal();
  }

  private boolean fits(List<String> names, boolean levels) {
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      Node node = root;
      for (String part :
          levels && PATH.matcher(name).matches() ? name.split("\\.") : new String[] {name}) {
        node = node.below.computeIfAbsent(part, Node::new);
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
    for (Node child : node.children) {
      if (!isThere(child, cells)) {
        continue;
      }
      out.writeFieldName(child.name);
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
    if (node.column != NONE) {
      return node.column < cells.length && !cells[node.column].isEmpty();
    }
    for (Node child : node.children) {
      if (isThere(child, cells)) {
        return true;
      }
    }
    return false;
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

  /** Whether a cell reads as a JSON number (RFC 8259, "Numbers"). */
  static boolean isNumber(String cell) {
    int end = cell.length();
    int at = cell.startsWith("-") ? 1 : 0;
    int integer = afterDigits(cell, at);
    if (integer == at || integer > at + 1 && cell.charAt(at) == '0') {
      return false;
    }
    at = integer;
    if (at < end && cell.charAt(at) == '.') {
      int fraction = afterDigits(cell, at + 1);
      if (fraction == at + 1) {
        return false;
      }
      at = fraction;
    }
    if (at == end || (cell.charAt(at) | 0x20) != 'e') {
      return at == end;
    }
    at++;
    at += at < end && (cell.charAt(at) == '+' || cell.charAt(at) == '-') ? 1 : 0;
    return at < end && afterDigits(cell, at) == end;
  }

  private static int afterDigits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}

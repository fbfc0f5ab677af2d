package dev.sotto.serdes.feature;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The fields that a feature map reads, each path once: a tree by name, and a place per path. Dots
 * in a path part the names of objects within each other, or stand in a name: each way to split the
 * path leads to its place. Where one record has several of them, the one whose first name is
 * longest counts, so that a name with a dot in it is the field of that name, whatever else is
 * there.
 */
public final class FieldPaths {
  /** How far ways reach that a record does not have. */
  static final int UNCLAIMED = Integer.MAX_VALUE;

  /** A name somewhere in the tree; several ways may lead to it. */
  public static final class Node {
    private final Map<String, Node> children = new HashMap<>();
    private final List<Integer> gathered = new ArrayList<>();
    private final int level;
    private int[] below = {};
    private int place = -1;

    private Node(int depth) {
      level = 1 << FeatureChecks.MAX_SEGMENTS - depth;
    }

    /** What is wanted of the field with this name, or null. */
    public Node child(String name) {
      return children.get(name);
    }

    public Map<String, Node> children() {
      return children;
    }

    /** Whether something is wanted of an object here. */
    public boolean hasChildren() {
      return !children.isEmpty();
    }

    /** The place of the field's own value, or -1. */
    public int place() {
      return place;
    }

    /**
     * The bit of a way that goes through an object here. A way is the sum of those bits: the
     * smaller one counts.
     */
    public int level() {
      return level;
    }

    /** The places of the field and of everything below it. */
    int[] below() {
      return below;
    }
  }

  private final Node root = new Node(0);
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final List<Boolean> asText = new ArrayList<>();
  private final NumberComma comma;
  private final MissingMarks missing;

  /** Without paths yet, of fields whose texts have no numbers with commas. */
  public FieldPaths() {
    this(NumberComma.NONE, MissingMarks.NONE);
  }

  /** Without paths yet. */
  FieldPaths(NumberComma comma, MissingMarks missing) {
    this.comma = comma;
    this.missing = missing;
  }

  /**
   * The place of a path, a new one if nobody asked for it before; {@code text}: its text is wanted.
   */
  public int place(String path, boolean text) {
    Integer known = places.putIfAbsent(path, places.size());
    if (known != null) {
      asText.set(known, asText.get(known) || text);
      return known;
    }
    int place = asText.size();
    asText.add(text);
    String[] names = path.split("\\.", -1);
    Node[] nodes = new Node[names.length + 1];
    nodes[0] = root;
    for (int i = 0; i < names.length; i++) {
      int depth = i + 1;
      Node node = nodes[i].children.computeIfAbsent(names[i], n -> new Node(depth));
      node.gathered.add(place);
      node.below = node.gathered.stream().mapToInt(Integer::intValue).toArray();
      nodes[depth] = node;
    }
    nodes[names.length].place = place;
    for (int from = 0; from < names.length; from++) {
      StringBuilder name = new StringBuilder(names[from]);
      for (int to = from + 1; to < names.length; to++) {
        name.append('.').append(names[to]);
        nodes[from].children.put(name.toString(), nodes[to + 1]);
      }
    }
    return place;
  }

  public Node root() {
    return root;
  }

  /** The place of a path that somebody has asked for. */
  int placeOf(String path) {
    return places.get(path);
  }

  /** Goes through all paths with their places. */
  void forEach(BiConsumer<String, Integer> visitor) {
    places.forEach(visitor);
  }

  /** The paths, in the order of their places. */
  List<String> paths() {
    return List.copyOf(places.keySet());
  }

  boolean wantsText(int place) {
    return asText.get(place);
  }

  NumberComma comma() {
    return comma;
  }

  MissingMarks missing() {
    return missing;
  }
}

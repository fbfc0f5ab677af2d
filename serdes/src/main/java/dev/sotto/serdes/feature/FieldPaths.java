package dev.sotto.serdes.feature;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The fields that a feature map reads, each path once: a tree by name, and a place per path. */
public final class FieldPaths {
  /** A name somewhere in the tree. */
  public static final class Node {
    private final Map<String, Node> children = new HashMap<>();
    private final List<Integer> gathered = new ArrayList<>();
    private int[] below = {};
    private int place = -1;

    /** What is wanted of the field with this name, or null. */
    public Node child(String name) {
      return children.get(name);
    }

    public Map<String, Node> children() {
      return children;
    }

    /** The place of the field's own value, or -1. */
    public int place() {
      return place;
    }

    /** The places of the field and of everything below it. */
    public int[] below() {
      return below;
    }
  }

  private final Node root = new Node();
  private final Map<String, Integer> places = new LinkedHashMap<>();
  private final List<Boolean> asText = new ArrayList<>();

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
    Node node = root;
    for (String name : path.split("\\.")) {
      node = node.children.computeIfAbsent(name, n -> new Node());
      node.gathered.add(place);
      node.below = node.gathered.stream().mapToInt(Integer::intValue).toArray();
    }
    node.place = place;
    return place;
  }

  public Node root() {
    return root;
  }

  /** The paths, in the order of their places. */
  List<String> paths() {
    return List.copyOf(places.keySet());
  }

  boolean wantsText(int place) {
    return asText.get(place);
  }
}

package dev.sotto.app.command;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** Which of the published entries a reading command prints, and how: a picocli mixin. */
final class EntryOptions {
  @Option(names = "--model", paramLabel = "ID", description = "Only this model.")
  private String model;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "How many of the newest to print of each model; 0 for all. Default: ${DEFAULT-VALUE}.")
  private int last;

  @Option(names = "--json", description = "Print JSON, in one line.")
  private boolean json;

  boolean json() {
    return json;
  }

  /** The newest entries of each model, oldest first. */
  final class Newest<T> {
    private final Map<String, Deque<T>> models = new TreeMap<>();

    void add(String modelId, T entry) {
      if (model == null || model.equals(modelId)) {
        Deque<T> kept = models.computeIfAbsent(modelId, id -> new ArrayDeque<>());
        kept.addLast(entry);
        if (last > 0 && kept.size() > last) {
          kept.removeFirst();
        }
      }
    }

    /** By model, in alphabetical order. */
    List<List<T>> byModel() {
      return models.values().stream().map(List::copyOf).toList();
    }

    List<T> all() {
      return models.values().stream().flatMap(Collection::stream).toList();
    }
  }
}

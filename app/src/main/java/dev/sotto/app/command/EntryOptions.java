package dev.sotto.app.command;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** Which of the published entries a reading command prints, and how: a picocli mixin. */
final class EntryOptions {
  private static final int USUAL = 20;

  @Option(names = "--model", paramLabel = "ID", description = "Only this model.")
  private String model;

  @Option(
      names = "--last",
      paramLabel = "N",
      description = "How many of the newest to print of each model; 0 for all. Default: 20, and of"
          + " ledger without --all and --json the newest 3.")
  private Integer last;

  @Option(names = "--json", description = "Print JSON, in one line.")
  private boolean json;

  /** How many of the newest a text shows that is an answer alone; {@code few} unless named. */
  int shown(int few) {
    return last == null ? few : last == 0 ? Integer.MAX_VALUE : last;
  }

  private int kept() {
    return shown(USUAL);
  }

  boolean json() {
    return json;
  }

  /** The newest entries of each model, oldest first. */
  final class Newest<T> {
    private final Map<String, Deque<T>> models = new TreeMap<>();
    private final Map<String, Long> counts = new HashMap<>();
    private final Set<String> seen = new TreeSet<>();

    void add(String modelId, T entry) {
      seen.add(modelId);
      if (model == null || model.equals(modelId)) {
        Deque<T> kept = models.computeIfAbsent(modelId, id -> new ArrayDeque<>());
        kept.addLast(entry);
        counts.merge(modelId, 1L, Long::sum);
        if (kept.size() > kept()) {
          kept.removeFirst();
        }
      }
    }

    /**
     * Nothing of a model that is misspelt looks like nothing at all.
     *
     * @throws SottoException where one is named that has no entry, and others have
     */
    void requireNamed(String topic) {
      if (models.isEmpty() && !seen.isEmpty()) {
        throw new SottoException(
            FailureKind.UNVERIFIED,
            "topic " + topic + " holds nothing of model " + model + "; it holds entries of "
                + String.join(", ", seen));
      }
    }

    /** How many there are of a model, kept or not. */
    long count(String modelId) {
      return counts.getOrDefault(modelId, 0L);
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

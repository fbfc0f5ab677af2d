package dev.sotto.topology.settings;

import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The configurations that learn from the same slots beside each other (docs/candidates.md). Without
 * any, a model learns alone and has the id that its records say; else there is a model for each
 * candidate, whose id is {@code <model>.<candidate>}.
 *
 * @param all in the order in which a slot is given to them, that of their names; empty for none
 */
public record CandidateModels(List<One> all) {
  /** A model learns alone. */
  public static final CandidateModels NONE = new CandidateModels(List.of());

  /**
   * One of them.
   *
   * @param name the end of its models' ids, without dots
   * @param plan whose rounds, versions, unit and admission are those of the others
   * @param decoder makes one decoder of event values a task
   */
  public record One(String name, Plan plan, Supplier<EventDecoder> decoder) {
    EventDecoder newDecoder() {
      return WatchedLabels.of(decoder.get().admittedBy(plan.objective()));
    }
  }

  public CandidateModels {
    all = List.copyOf(all);
    Set<String> names = new HashSet<>();
    for (One each : all) {
      if (each.name().isEmpty() || each.name().contains(".") || !names.add(each.name())) {
        throw new IllegalArgumentException(
            "a candidate's name must be one of its own, without dots, but was " + each.name());
      }
      if (each.plan().candidates().number() != all.size()) {
        throw new IllegalArgumentException("candidate " + each.name() + " pays for "
            + each.plan().candidates().number() + " models, but there are " + all.size());
      }
      same(each.name(), "the round size", each.plan().batch(), all.get(0).plan().batch());
      same(each.name(), "unit", each.plan().unit(), all.get(0).plan().unit());
      same(each.name(), "adjacency", each.plan().adjacency(), all.get(0).plan().adjacency());
      same(each.name(), "budget", each.plan().budget(), all.get(0).plan().budget());
      same(
          each.name(),
          "participation",
          each.plan().participation(),
          all.get(0).plan().participation());
      same(
          each.name(),
          "generations",
          each.plan().generations(),
          all.get(0).plan().generations());
      same(
          each.name(),
          "the mechanism",
          mechanism(each.plan()),
          mechanism(all.get(0).plan()));
      same(
          each.name(),
          "versions",
          each.plan().learning().versions(),
          all.get(0).plan().learning().versions());
      same(
          each.name(), "candidates", each.plan().candidates(), all.get(0).plan().candidates());
    }
  }

  /** What all of them must have in common for one price to be that of all. */
  private static void same(String name, String what, Object mine, Object others) {
    if (!mine.equals(others)) {
      throw new IllegalArgumentException("candidates must share " + what + ", but candidate " + name
          + " has " + mine + ", another one " + others);
    }
  }

  private static String mechanism(Plan plan) {
    return plan.mechanism().name() + " " + plan.mechanism().parameters();
  }

  /** Whether a model learns alone. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Models that learn from a slot: at least 1. */
  public int number() {
    return Math.max(1, all.size());
  }

  /** The ids of the models that learn from the records of one. */
  public List<String> idsOf(String modelId) {
    return isEmpty()
        ? List.of(modelId)
        : all.stream().map(each -> modelId + "." + each.name()).toList();
  }

  /** The id that the records of a model name: all of its candidates have the home of that id. */
  public byte[] recordsOf(byte[] modelId) {
    if (isEmpty()) {
      return modelId;
    }
    int end = modelId.length - 1;
    while (end > 0 && modelId[end] != '.') { // a candidate's name has none
      end--;
    }
    return Arrays.copyOf(modelId, end);
  }

  /** The candidate that a model is; null where there is none of that name. */
  public One of(String modelId) {
    String name = modelId.substring(modelId.lastIndexOf('.') + 1);
    return all.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }

  /** The largest number of weights of any; 0 without candidates. */
  int dimension() {
    return all.stream().mapToInt(each -> each.plan().dimension()).max().orElse(0);
  }

  /** The names, as people list them. */
  public String names() {
    return String.join(", ", Arrays.asList(all.stream().map(One::name).toArray(String[]::new)));
  }
}

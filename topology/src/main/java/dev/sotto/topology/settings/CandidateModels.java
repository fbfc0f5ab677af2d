package dev.sotto.topology.settings;

import dev.sotto.learner.training.Plan;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The models that learn from the same slots: at least one. One alone has the id that its records
 * say. Of several candidates beside each other (docs/candidates.md), each has the id {@code
 * <model>.<candidate>}.
 *
 * @param all in the order in which a slot is given to them, that of their names
 */
public record CandidateModels(List<One> all) {
  /**
   * One of them.
   *
   * @param name the end of its models' ids, without dots; empty where it is alone
   * @param plan whose rounds, versions, unit and admission are those of the others
   */
  public record One(String name, Plan plan) {
    /** The id of the model that learns from the records of one. */
    public String idOf(String modelId) {
      return name.isEmpty() ? modelId : modelId + "." + name;
    }

    /** The id that the records of one of its models name. */
    String recordsOf(String modelId) {
      return name.isEmpty() ? modelId : modelId.substring(0, modelId.length() - name.length() - 1);
    }

    private boolean has(String modelId) {
      return name.isEmpty() || modelId.endsWith("." + name);
    }
  }

  /** A model that learns alone. */
  public static CandidateModels of(Plan plan) {
    return new CandidateModels(List.of(new One("", plan)));
  }

  public CandidateModels {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("there must be a model that learns, but there are none");
    }
    boolean alone = all.size() == 1;
    Set<String> names = new HashSet<>();
    for (One each : all) {
      if (each.name().isEmpty() != alone || each.name().contains(".") || !names.add(each.name())) {
        throw new IllegalArgumentException(
            "a candidate's name must be one of its own, without dots, but was \"" + each.name()
                + "\"");
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
          each.name(),
          "the window in which ranges are measured",
          each.plan().ranges().window(),
          all.get(0).plan().ranges().window());
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

  /** How many learn from a slot: at least 1. */
  public int number() {
    return all.size();
  }

  /** The ids of the models that learn from the records of one. */
  public List<String> idsOf(String modelId) {
    return all.stream().map(each -> each.idOf(modelId)).toList();
  }

  /** The id that the records of a model name: all of its candidates have the home of that id. */
  public byte[] recordsOf(byte[] modelId) {
    if (number() == 1) {
      return modelId;
    }
    int end = modelId.length - 1;
    while (end > 0 && modelId[end] != '.') { // a candidate's name has none
      end--;
    }
    return Arrays.copyOf(modelId, end);
  }

  /** The one that a model is; empty where there is none of that name. */
  public Optional<One> of(String modelId) {
    return all.stream().filter(each -> each.has(modelId)).findFirst();
  }

  /** The plan of the first. */
  public Plan plan() {
    return all.get(0).plan();
  }

  /** The largest number of weights of any. */
  public int dimension() {
    return all.stream().mapToInt(each -> each.plan().dimension()).max().getAsInt();
  }

  /** What learns, for people: the loss, of several the first one's behind their names. */
  public String sentence() {
    String loss = plan().lossName();
    return number() == 1 ? loss : number() + " candidates: " + names() + "; " + loss;
  }

  /** The names, as people list them. */
  public String names() {
    return String.join(", ", all.stream().map(One::name).toList());
  }
}

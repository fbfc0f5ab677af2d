package dev.sotto.evaluation.compare;

import dev.sotto.topology.failure.FailureKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The result of a comparison.
 *
 * @param recording what was replayed, by name and value
 * @param seed of the order in which partitions were read, and of a throwaway key
 * @param limit the most examples that were read; 0 for all
 * @param configurations in the order of the command line
 * @param runs configurations first, then references
 */
public record Comparison(
    Map<String, String> recording,
    long seed,
    long limit,
    List<ComparisonEntry> configurations,
    List<ComparisonRun> runs) {
  /** The warning that goes with these figures. */
  public static final String WARNING =
      "Exact figures of recorded events: not noised, NOT PRIVATE. They must stay inside the trust"
          + " boundary, like the recording.";

  public Comparison {
    configurations = List.copyOf(configurations);
    runs = List.copyOf(runs);
  }

  /** The run of a name. */
  public Optional<ComparisonRun> run(String name) {
    return runs.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /**
   * Settings that are not the same in all valid configurations: by key in alphabetical order, the
   * values in the order of {@link #configurations}, empty where one lacks it.
   */
  public Map<String, List<String>> differences() {
    Map<String, List<String>> differing = new TreeMap<>();
    List<ComparisonEntry> valid =
        configurations.stream().filter(each -> !each.settings().isEmpty()).toList();
    valid.forEach(each -> each.settings().keySet().forEach(key -> {
      List<String> values =
          valid.stream().map(other -> other.settings().getOrDefault(key, "")).toList();
      if (values.stream().distinct().count() > 1) {
        differing.put(
            key,
            configurations.stream()
                .map(other -> other.settings().getOrDefault(key, ""))
                .toList());
      }
    }));
    return differing;
  }

  /** The excess loss of a run over the same code without privacy. */
  public Optional<ExcessLoss> overNone(ComparisonRun run) {
    return excess(run, ComparisonEntry::withoutPrivacy);
  }

  /** The excess loss over the same code with the bounds on contributions alone. */
  public Optional<ExcessLoss> overBounding(ComparisonRun run) {
    return excess(run, ComparisonEntry::boundingOnly);
  }

  private Optional<ExcessLoss> excess(
      ComparisonRun run, Function<ComparisonEntry, Optional<String>> reference) {
    return configurations.stream()
        .filter(each -> each.name().equals(run.name())
            || each.boundingOnly().filter(run.name()::equals).isPresent())
        .findFirst()
        .flatMap(reference)
        .filter(name -> !name.equals(run.name()))
        .flatMap(this::run)
        .flatMap(other -> ExcessLoss.of(run, other));
  }

  /** The kind of the first failure; empty where every run came to its end. */
  public Optional<FailureKind> failure() {
    return runs.stream()
        .map(ComparisonRun::outcome)
        .filter(RunOutcome.Failed.class::isInstance)
        .map(failed -> ((RunOutcome.Failed) failed).kind())
        .findFirst();
  }
}

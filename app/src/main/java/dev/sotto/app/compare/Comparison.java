package dev.sotto.app.compare;

import dev.sotto.topology.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Everything that a comparison found out.
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
    List<Configuration> configurations,
    List<Run> runs) {
  /** What has to be said wherever these figures are shown. */
  public static final String WARNING =
      "Exact figures of recorded events: not noised, NOT PRIVATE. They must stay inside the trust boundary, like the recording.";

  public Comparison {
    configurations = List.copyOf(configurations);
    runs = List.copyOf(runs);
  }

  /** The run of a name. */
  public Optional<Run> run(String name) {
    return runs.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /**
   * Settings that are not the same in all sound configurations: by key in alphabetical order, the values in the order
   * of {@link #configurations}, empty where one lacks it.
   */
  public Map<String, List<String>> differences() {
    Map<String, List<String>> differing = new TreeMap<>();
    List<Configuration> sound =
        configurations.stream().filter(each -> !each.settings().isEmpty()).toList();
    sound.forEach(each -> each.settings().keySet().forEach(key -> {
      List<String> values =
          sound.stream().map(other -> other.settings().getOrDefault(key, "")).toList();
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

  /** How much worse a run is than the same code without privacy. */
  public Optional<Excess> overNone(Run run) {
    return excess(run, Configuration::withoutPrivacy);
  }

  /** How much worse it is than the same code with the bounds on contributions alone. */
  public Optional<Excess> overBounding(Run run) {
    return excess(run, Configuration::boundingOnly);
  }

  private Optional<Excess> excess(Run run, Function<Configuration, Optional<String>> reference) {
    return configurations.stream()
        .filter(each -> each.name().equals(run.name())
            || each.boundingOnly().filter(run.name()::equals).isPresent())
        .findFirst()
        .flatMap(reference)
        .filter(name -> !name.equals(run.name()))
        .flatMap(this::run)
        .flatMap(other -> Excess.of(run, other));
  }

  /** What the command ends with: the first failure, or OK. */
  public ExitCode code() {
    return runs.stream()
        .map(Run::outcome)
        .filter(Outcome.Failed.class::isInstance)
        .map(failed -> ((Outcome.Failed) failed).code())
        .findFirst()
        .orElse(ExitCode.OK);
  }
}

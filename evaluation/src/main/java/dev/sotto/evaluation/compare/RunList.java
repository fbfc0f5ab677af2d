package dev.sotto.evaluation.compare;

import dev.sotto.config.SottoConfig;
import dev.sotto.config.key.SecretValues;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The runs that configurations need, with the references that they share. */
final class RunList {
  private final Optional<NoiseKey> throwaway;
  private final String keyWords;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Shared> references = new LinkedHashMap<>();

  /** A configuration with its run, or with the reason why it has none. */
  private record Entry(
      ComparedConfig compared,
      Optional<SottoConfig> config,
      Optional<ComparisonJob> job,
      Optional<ComparisonRun> fault,
      Optional<Shared> bounding,
      Optional<Shared> none) {}

  /** A reference, and the configurations it belongs to. */
  private static final class Shared {
    private final RunRole role;
    private final LearnerSettings settings;
    private final List<String> owners = new ArrayList<>();
    private String name = "";

    Shared(RunRole role, LearnerSettings settings) {
      this.role = role;
      this.settings = settings;
    }
  }

  /**
   * Reads all configurations.
   *
   * @param throwaway a key for all runs, if any
   * @param keyWords a description of the key
   */
  RunList(List<ComparedConfig> configs, Optional<NoiseKey> throwaway, String keyWords) {
    this.throwaway = throwaway;
    this.keyWords = keyWords;
    configs.forEach(each -> entries.add(read(each)));
    name();
  }

  /** The runs of valid configurations, then those of references. */
  List<ComparisonJob> jobs() {
    return Stream.concat(
            entries.stream().flatMap(each -> each.job().stream()),
            references.values().stream()
                .map(each -> new ComparisonJob(each.name, each.role, each.settings)))
        .toList();
  }

  /** Configurations that could not be read. */
  List<ComparisonRun> faults() {
    return entries.stream().flatMap(each -> each.fault().stream()).toList();
  }

  /** The names of all runs: configurations in their order, then references. */
  List<String> order() {
    return Stream.concat(
            entries.stream().map(each -> each.compared().name()),
            references.values().stream()
                .sorted(Comparator.comparing(each -> each.role))
                .map(each -> each.name))
        .toList();
  }

  List<ComparisonEntry> configurations() {
    return entries.stream()
        .map(each -> new ComparisonEntry(
            each.compared().name(),
            each.compared().file(),
            each.job()
                .map(job -> keyWords + ", id " + job.settings().key().id())
                .orElse(""),
            each.config().map(this::shown).orElse(Map.of()),
            each.bounding().map(shared -> shared.name),
            each.none().map(shared -> shared.name)))
        .toList();
  }

  private Entry read(ComparedConfig compared) {
    try {
      SottoConfig config = compared.load().apply(GuaranteeLevel.CONFIGURED);
      LearnerSettings settings = keyed(config.learner());
      if (settings.run().candidates().number() > 1) {
        throw new IllegalArgumentException("candidates are not compared here: ./sotto replay prints"
            + " the figures of each (" + settings.run().candidates().names() + "); give a"
            + " configuration without candidates for each");
      }
      boolean bounds = settings.plan().participation().remembersUnits();
      LearnerSettings none = keyed(compared.load().apply(GuaranteeLevel.NONE).learner());
      Optional<LearnerSettings> bounding = bounds
          ? Optional.of(keyed(compared.load().apply(GuaranteeLevel.BOUNDING).learner()))
          : Optional.empty();
      return new Entry(
          compared,
          Optional.of(config),
          Optional.of(new ComparisonJob(compared.name(), RunRole.CONFIGURED, settings)),
          Optional.empty(),
          bounding.map(each -> share(compared, RunRole.BOUNDING, each, config)),
          Optional.of(share(compared, RunRole.NONE, none, config)));
    } catch (RuntimeException failure) {
      ComparisonRun fault =
          new ComparisonRun(compared.name(), RunRole.CONFIGURED, ComparisonJob.failed(failure));
      return new Entry(
          compared,
          Optional.empty(),
          Optional.empty(),
          Optional.of(fault),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** All settings in force; where another key is, none of those that name keys. */
  private Map<String, String> shown(SottoConfig config) {
    Map<String, String> shown = new LinkedHashMap<>(config.effective().texts());
    if (throwaway.isPresent()) {
      shown.keySet().removeIf(SecretValues::namesASecret);
    }
    return shown;
  }

  private LearnerSettings keyed(LearnerSettings settings) {
    return throwaway.map(settings::with).orElse(settings);
  }

  /** Configurations share a reference if they differ only in settings that it does not use. */
  private Shared share(
      ComparedConfig compared, RunRole role, LearnerSettings settings, SottoConfig config) {
    StringBuilder same = new StringBuilder(role.name())
        .append(HexFormat.of().formatHex(settings.plan().fingerprint()))
        .append(settings.layout())
        .append(settings.modelIds())
        .append(settings.cadence());
    config.effective().written().forEach((setting, value) -> {
      if (setting.startsWith("events.")) {
        same.append('\n').append(setting).append('=').append(value);
      }
    });
    Shared shared =
        references.computeIfAbsent(same.toString(), fresh -> new Shared(role, settings));
    shared.owners.add(compared.name());
    return shared;
  }

  private void name() {
    List<String> names = new ArrayList<>();
    entries.forEach(each -> names.add(each.compared().name()));
    for (Shared each : references.values()) {
      long ofRole =
          references.values().stream().filter(other -> other.role == each.role).count();
      names.add(
          ofRole == 1
              ? each.role.label()
              : each.role.label() + " (" + String.join(", ", each.owners) + ")");
    }
    List<String> unique = RunNames.unique(names);
    int at = entries.size();
    for (Shared each : references.values()) {
      each.name = unique.get(at++);
    }
  }
}

package dev.sotto.app.compare;

import dev.sotto.app.config.Protection;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.unit.Participation;
import dev.sotto.topology.LearnerSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads candidates, and finds out which runs they need. */
final class Roster {
  private final Optional<NoiseKey> throwaway;
  private final String keyWords;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Shared> references = new LinkedHashMap<>();

  /** A candidate that was read: its run, or why there is none. */
  private record Entry(
      Candidate candidate,
      Optional<SottoConfig> config,
      Optional<Job> job,
      Optional<Run> fault,
      Optional<Shared> bounding,
      Optional<Shared> none) {}

  /** A reference, and whose it is. */
  private static final class Shared {
    private final Role role;
    private final LearnerSettings settings;
    private final List<String> owners = new ArrayList<>();
    private String name = "";

    Shared(Role role, LearnerSettings settings) {
      this.role = role;
      this.settings = settings;
    }
  }

  /**
   * All candidates, read.
   *
   * @param throwaway the key to use in place of a candidate's, if any
   * @param keyWords which key is used
   */
  Roster(List<Candidate> candidates, Optional<NoiseKey> throwaway, String keyWords) {
    this.throwaway = throwaway;
    this.keyWords = keyWords;
    candidates.forEach(each -> entries.add(read(each)));
    name();
  }

  /** The runs of sound candidates, then those of references. */
  List<Job> jobs() {
    return Stream.concat(
            entries.stream().flatMap(each -> each.job().stream()),
            references.values().stream().map(each -> new Job(each.name, each.role, each.settings)))
        .toList();
  }

  /** What could not be read. */
  List<Run> faults() {
    return entries.stream().flatMap(each -> each.fault().stream()).toList();
  }

  /** The names of all runs: candidates in their order, then references. */
  List<String> order() {
    return Stream.concat(
            entries.stream().map(each -> each.candidate().name()),
            references.values().stream()
                .sorted(Comparator.comparing(each -> each.role))
                .map(each -> each.name))
        .toList();
  }

  List<Configuration> configurations() {
    return entries.stream()
        .map(each -> new Configuration(
            each.candidate().name(),
            each.candidate().file(),
            each.job()
                .map(job -> keyWords + ", id " + job.settings().key().id())
                .orElse(""),
            each.config().map(this::shown).orElse(Map.of()),
            each.bounding().map(shared -> shared.name),
            each.none().map(shared -> shared.name)))
        .toList();
  }

  private Entry read(Candidate candidate) {
    try {
      SottoConfig config = candidate.load().apply(Protection.CONFIGURED);
      LearnerSettings settings = keyed(config.learner());
      boolean bounds = !(settings.plan().participation() instanceof Participation.Once);
      LearnerSettings none = keyed(candidate.load().apply(Protection.NONE).learner());
      Optional<LearnerSettings> bounding = bounds
          ? Optional.of(keyed(candidate.load().apply(Protection.BOUNDING).learner()))
          : Optional.empty();
      return new Entry(
          candidate,
          Optional.of(config),
          Optional.of(new Job(candidate.name(), Role.CONFIGURED, settings)),
          Optional.empty(),
          bounding.map(each -> share(candidate, Role.BOUNDING, each, config)),
          Optional.of(share(candidate, Role.NONE, none, config)));
    } catch (RuntimeException failure) {
      Run fault = new Run(candidate.name(), Role.CONFIGURED, Job.failed(failure));
      return new Entry(
          candidate,
          Optional.empty(),
          Optional.empty(),
          Optional.of(fault),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** All settings in force; where another key is, none of those that name keys. */
  private Map<String, String> shown(SottoConfig config) {
    Map<String, String> shown = new LinkedHashMap<>(config.shown());
    if (throwaway.isPresent()) {
      shown
          .keySet()
          .removeIf(each -> each.startsWith("noise.key.") || each.startsWith("encryption.key."));
    }
    return shown;
  }

  private LearnerSettings keyed(LearnerSettings settings) {
    return throwaway.map(settings::with).orElse(settings);
  }

  /** Configurations that differ in nothing that is left of them in a reference have one together. */
  private Shared share(
      Candidate candidate, Role role, LearnerSettings settings, SottoConfig config) {
    StringBuilder same = new StringBuilder(role.name())
        .append(HexFormat.of().formatHex(settings.plan().fingerprint()))
        .append(settings.layout())
        .append(settings.modelIds())
        .append(settings.cadence());
    config.effective().forEach((setting, value) -> {
      if (setting.startsWith("events.")) {
        same.append('\n').append(setting).append('=').append(value);
      }
    });
    Shared shared =
        references.computeIfAbsent(same.toString(), fresh -> new Shared(role, settings));
    shared.owners.add(candidate.name());
    return shared;
  }

  private void name() {
    List<String> names = new ArrayList<>();
    entries.forEach(each -> names.add(each.candidate().name()));
    for (Shared each : references.values()) {
      long ofRole =
          references.values().stream().filter(other -> other.role == each.role).count();
      names.add(
          ofRole == 1
              ? each.role.words()
              : each.role.words() + " (" + String.join(", ", each.owners) + ")");
    }
    List<String> unique = RunNames.unique(names);
    int at = entries.size();
    for (Shared each : references.values()) {
      each.name = unique.get(at++);
    }
  }
}

package dev.sotto.config;

import static dev.sotto.learner.training.PlanKeys.BATCH_SIZE;

import dev.sotto.config.settings.CandidateKeys;
import dev.sotto.config.settings.EventMapping;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.config.settings.PlanSettings;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.config.source.ConfigValues;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.config.source.EffectiveSettings.Value;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.CandidateModels;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Reads the candidates of a configuration: each is the common settings with its own over them. What
 * they must share and follows from each of them, is that of the one that needs most: the round size
 * and the slots of a version.
 */
final class CandidateLoader {
  private static final long FAR_LARGER = 4;
  private static final String LARGEST = "the largest of all candidates";

  private final Map<String, ConfigEntry> common;
  private final Map<String, Map<String, ConfigEntry>> own;
  private final ConfigErrors errors;
  private final GuaranteeLevel level;
  private final Set<ConfigKey<?>> excused;
  private final Map<String, String> environment;
  private final RegistrySettings.Shared registries = new RegistrySettings.Shared();

  /** One candidate that has been read. */
  private record Loaded(String name, ConfigValues settings, EventMapping mapping, Plan plan) {}

  /** All of them. */
  record All(
      CandidateModels models,
      List<EventMapping> mappings,
      EffectiveSettings effective,
      List<String> warnings) {}

  /**
   * A reader of candidates.
   *
   * @param common settings of all; those that they share and were derived are added
   * @param own settings of each
   * @param excused settings that need not be given
   * @param environment in which secrets may stand
   */
  CandidateLoader(
      Map<String, ConfigEntry> common,
      Map<String, Map<String, ConfigEntry>> own,
      ConfigErrors errors,
      GuaranteeLevel level,
      Set<ConfigKey<?>> excused,
      Map<String, String> environment) {
    this.common = common;
    this.own = own;
    this.errors = errors;
    this.level = level;
    this.excused = excused;
    this.environment = environment;
  }

  /** The candidates; empty where errors were recorded. */
  Optional<All> read() {
    List<Loaded> first = readEach();
    if (!errors.all().isEmpty() || !shareGenerations(first)) {
      return Optional.empty();
    }
    share(
        BATCH_SIZE, first.stream().mapToLong(each -> each.plan().batch()).max().getAsLong());
    share(
        VersionKeys.SLOTS,
        first.stream()
            .mapToLong(each -> each.plan().learning().versions().slots())
            .max()
            .getAsLong());
    List<Loaded> all = readEach();
    if (!errors.all().isEmpty()) {
      return Optional.empty();
    }
    Candidates together = new Candidates(all.size(), digest(all));
    UnaryOperator<RangeSettings> inWindow = window(all);
    return Optional.of(new All(
        new CandidateModels(all.stream()
            .map(each -> new CandidateModels.One(
                each.name(),
                each.plan().toBuilder()
                    .candidates(together)
                    .ranges(inWindow.apply(each.plan().ranges()))
                    .build()))
            .toList()),
        all.stream().map(Loaded::mapping).toList(),
        effective(all),
        warnings(first, all.get(0).plan().batch())));
  }

  /** One window whose noise and length suffice for each of them. */
  private static UnaryOperator<RangeSettings> window(List<Loaded> all) {
    return all.stream()
        .flatMap(each -> each.plan().ranges().window().stream())
        .reduce(RangeWindow::covering)
        .<UnaryOperator<RangeSettings>>map(window -> ranges -> ranges.in(window))
        .orElseGet(UnaryOperator::identity);
  }

  /** Who learns in far larger rounds than it would alone learns worse. */
  private static List<String> warnings(List<Loaded> alone, long batch) {
    List<String> smaller = alone.stream()
        .filter(each -> each.plan().batch() <= batch / FAR_LARGER)
        .map(each -> each.name() + " (" + each.plan().batch() + ")")
        .toList();
    return smaller.isEmpty()
        ? List.of()
        : List.of("candidates share rounds of " + batch + " slots, the most that one of them asks"
            + " for; far less would suit " + String.join(", ", smaller)
            + ", which learn worse in larger rounds (docs/candidates.md)");
  }

  private void share(ConfigKey<?> key, long value) {
    common.put(key.name(), ConfigEntry.of(Long.toString(value), LARGEST));
  }

  /** Noise is shared, and restarts with the generations. */
  private boolean shareGenerations(List<Loaded> all) {
    List<String> kinds = all.stream()
        .map(each -> each.plan().generations().describe())
        .distinct()
        .toList();
    if (kinds.size() > 1) {
      errors.add(
          PlanKeys.GENERATIONS.name(),
          "must be given where the algorithms of candidates differ in it, since all share the"
              + " noise: " + String.join(", ", kinds) + "; none suits private-ftrl, constant with "
              + PlanKeys.FIRST_GENERATION + " 32 accelerated-dp-srgd");
    }
    return kinds.size() == 1;
  }

  private List<Loaded> readEach() {
    List<Loaded> all = new ArrayList<>();
    Map<ConfigError, List<String>> shared = new LinkedHashMap<>();
    own.forEach((name, its) -> {
      Map<String, ConfigEntry> given = new LinkedHashMap<>(common);
      given.putAll(its);
      ConfigErrors found = new ConfigErrors(given);
      ConfigValues settings = new ConfigValues(given, found, excused);
      Optional<EventMapping> mapping =
          Settings.attempt(() -> EventMapping.read(settings, environment, registries));
      Optional<Plan> plan = Settings.attempt(
          () -> new PlanSettings(settings, level, Optional.empty(), own.size()).read(mapping));
      for (ConfigError each : found.all()) {
        if (its.containsKey(each.key())) {
          errors.add(new ConfigError(named(name, its, each.key()), each.rule()));
        } else {
          shared.computeIfAbsent(each, error -> new ArrayList<>()).add(name);
        }
      }
      if (found.all().isEmpty()) {
        all.add(new Loaded(name, settings, mapping.orElseThrow(), plan.orElseThrow()));
      }
    });
    shared.forEach((error, names) -> errors.add(
        names.size() == own.size()
            ? error
            : new ConfigError(
                error.key() + " of candidate " + String.join(", ", names), error.rule())));
    return all;
  }

  /** Errors of the first candidate, whose settings were read as if they were those of all. */
  static List<ConfigError> named(
      Map<String, Map<String, ConfigEntry>> own, List<ConfigError> found) {
    if (own.isEmpty()) {
      return found;
    }
    Map.Entry<String, Map<String, ConfigEntry>> first =
        own.entrySet().iterator().next();
    return found.stream()
        .map(each -> first.getValue().containsKey(each.key())
            ? new ConfigError(named(first.getKey(), first.getValue(), each.key()), each.rule())
            : each)
        .toList();
  }

  private static String named(String name, Map<String, ConfigEntry> its, String key) {
    return its.containsKey(key) ? CandidateKeys.PREFIX + name + "." + key : key;
  }

  /** A change of any of them is a new run of all: their versions tell of one another's cost. */
  private static String digest(List<Loaded> all) {
    MessageDigest digest = Sha256.digest();
    for (Loaded each : all) {
      digest.update((each.name() + "\n").getBytes(StandardCharsets.UTF_8));
      digest.update(each.plan().fingerprint());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** What applies to all once, what differs under the candidates' names: it can be read again. */
  private static EffectiveSettings effective(List<Loaded> all) {
    List<Map<String, Value>> each =
        all.stream().map(one -> one.settings().effective().values()).toList();
    Map<String, Value> merged = new LinkedHashMap<>();
    each.forEach(one -> one.forEach((key, value) -> {
      boolean same = each.stream().allMatch(other -> value.equals(other.get(key)));
      if (same || !CandidateKeys.mayDiffer(key)) {
        merged.put(key, value);
      }
    }));
    for (int i = 0; i < all.size(); i++) {
      String head = CandidateKeys.PREFIX + all.get(i).name() + ".";
      boolean before = false;
      for (Map.Entry<String, Value> one : each.get(i).entrySet()) {
        if (!merged.containsKey(one.getKey())) {
          merged.put(head + one.getKey(), one.getValue());
          before = true;
        }
      }
      if (!before) { // it differs from others in what it lacks
        String algorithm = Optimizers.ALGORITHM.name();
        merged.put(head + algorithm, each.get(i).get(algorithm));
      }
    }
    return new EffectiveSettings(merged);
  }
}

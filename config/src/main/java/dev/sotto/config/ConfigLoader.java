package dev.sotto.config;

import static dev.sotto.topology.settings.ApplicationKeys.BOOTSTRAP_SERVERS;

import dev.sotto.config.settings.EventMapping;
import dev.sotto.config.settings.FeatureWarnings;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.config.settings.LateLabelSettings;
import dev.sotto.config.settings.PlanSettings;
import dev.sotto.config.settings.WarmStart;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.config.source.ConfigValues;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.config.source.EnvironmentEntries;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.RangeSettings;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.registry.CopySettings;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.LearnerSettings.Start;
import dev.sotto.topology.settings.ModelIdRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One reading of a configuration: layers, single settings, rules between them, then what they add
 * up to.
 */
final class ConfigLoader {
  private static final double LARGE_EPSILON = 16;
  private static final double LARGE_DELTA = 1e-5;

  private final ConfigSource source;
  private final ConfigLayers layers;
  private final ConfigErrors errors;
  private final List<String> warnings = new ArrayList<>();
  private final Set<ConfigKey<?>> excused;
  private final ConfigValues settings;
  private final LearnerReader reader;

  ConfigLoader(ConfigSource source) {
    this.source = source;
    this.layers = new ConfigLayers(source);
    this.errors = layers.errors();
    this.excused = source.brokers().embedded() ? Set.of(BOOTSTRAP_SERVERS) : Set.of();
    this.settings = new ConfigValues(layers.given(), errors, excused);
    this.reader = new LearnerReader(settings);
  }

  /**
   * Parts that do not follow from each other, read in this order; each is empty where it has
   * errors. Names of topics and the gate are only checked.
   */
  private final class Parts {
    private final Map<String, String> environment = source.environment();
    private final boolean keyIsKnown = source.run().noiseKey().isPresent();
    final Map<String, String> clients =
        new ClientSettings(settings, layers.given(), errors, warnings).read();
    final Optional<ModelIdRule> modelIds = Settings.attempt(reader::modelIds);
    final Optional<String> topics = Settings.attempt(reader::checkTopic);
    final Optional<Path> state = Settings.attempt(reader::stateFolder);
    final Optional<NoiseKey> key = source
        .run()
        .noiseKey()
        .or(() -> Settings.attempt(() -> NoiseKeySettings.read(settings, environment)));
    final Optional<Encryption> encryption = keyIsKnown
        ? Optional.of(Encryption.none())
        : Settings.attempt(() -> EncryptionSettings.read(settings, environment));
    final Optional<EventMapping> mapping = Settings.attempt(
        () -> EventMapping.read(settings, environment, new RegistrySettings.Shared()));
    final Optional<Optional<LateLabels>> labels =
        Settings.attempt(() -> LateLabelSettings.find(settings));
    final Optional<Optional<RegistryCopies>> copies = keyIsKnown
        ? Optional.of(Optional.empty())
        : Settings.attempt(() -> CopySettings.read(settings, environment));
    final Optional<Optional<String>> gate = Settings.attempt(() -> GateSettings.read(settings));
    final Optional<Optional<HttpSettings>> http =
        Settings.attempt(() -> HttpSettings.read(settings));
  }

  SottoConfig load() {
    EnvironmentEntries.checkNames(source.environment(), secretVariables(), errors);
    Parts parts = new Parts();
    if (!layers.candidates().isEmpty()) {
      Settings.attempt(reader::checkCandidates);
    }
    Optional<Start> start = errors.all().isEmpty()
        ? Settings.attempt(() -> WarmStart.find(settings, layers.startClients(parts.clients)))
            .flatMap(found -> found)
        : Optional.empty(); // what is wrong here is reported before a cluster is asked
    return layers.candidates().isEmpty() ? ofOne(parts, start) : ofCandidates(parts);
  }

  private SottoConfig ofOne(Parts parts, Optional<Start> start) {
    Optional<Plan> plan = Settings.attempt(
        () -> new PlanSettings(settings, source.run().level(), start).read(parts.mapping));
    refuseErrors();
    EventMapping mapping = parts.mapping.orElseThrow();
    LearnerSettings learner = reader.learner(
        CandidateModels.of(plan.orElseThrow()),
        List.of(mapping),
        parts.modelIds.orElseThrow(),
        parts.key.orElseThrow(),
        start.map(each -> WarmStart.explained(each, mapping.text())));
    return config(parts, learner, settings.effective(), List.of());
  }

  private SottoConfig ofCandidates(Parts parts) {
    refuseErrors();
    Optional<CandidateLoader.All> loaded = new CandidateLoader(
            layers.common(),
            layers.candidates(),
            errors,
            source.run().level(),
            excused,
            source.environment())
        .read();
    refuseErrors();
    CandidateLoader.All all = loaded.orElseThrow();
    LearnerSettings learner = reader.learner(
        all.models(),
        all.mappings(),
        parts.modelIds.orElseThrow(),
        parts.key.orElseThrow(),
        Optional.empty());
    return config(parts, learner, all.effective(), all.warnings());
  }

  private void refuseErrors() {
    if (!errors.all().isEmpty()) {
      boolean elsewhere =
          errors.all().stream().allMatch(each -> each.key().startsWith(EnvironmentEntries.PREFIX));
      throw new ConfigException(
          elsewhere ? "the environment" : source.name(),
          CandidateLoader.named(layers.candidates(), errors.all()));
    }
  }

  private SottoConfig config(
      Parts parts, LearnerSettings learner, EffectiveSettings effective, List<String> more) {
    warnOfWeakPromises(learner.plan().budget().epsilon());
    warnings.addAll(FeatureWarnings.warnings(settings));
    warnings.addAll(more);
    if (learner.plan().ranges().numbers().ofLabel()) {
      warnings.add(RangeSettings.GROWING_LABEL);
    }
    return new SottoConfig(
        learner.with(parts.labels.orElseThrow()).with(parts.encryption.orElseThrow()),
        reader.service(parts.clients, parts.state.orElseThrow(), parts.copies.orElseThrow()),
        parts.http.orElseThrow(),
        effective,
        warnings);
  }

  /** The variables that hold secrets, so far as they are named. */
  private Set<String> secretVariables() {
    return Stream.of(
            NoiseKeySettings.VARIABLE,
            EncryptionSettings.VARIABLE,
            RegistrySettings.SECRET_VARIABLE,
            CopySettings.SECRET_VARIABLE)
        .filter(settings::isUsable)
        .map(settings::get)
        .collect(Collectors.toSet());
  }

  private void warnOfWeakPromises(double epsilon) {
    if (epsilon > LARGE_EPSILON && epsilon < Double.POSITIVE_INFINITY) {
      warnings.add("epsilon is " + NumberText.shortest(epsilon)
          + ": whoever sees the models may tell nine of ten members from others; 1 to 4 is a"
          + " promise (docs/which-epsilon.md)");
    }
    double delta = settings.get(PlanKeys.DELTA);
    if (delta > LARGE_DELTA) {
      warnings.add(PlanKeys.DELTA + " is " + NumberText.shortest(delta)
          + ": a mechanism may give away one record in " + Math.round(1 / delta)
          + " and still keep such a promise; 1e-6 or less is better");
    }
  }
}

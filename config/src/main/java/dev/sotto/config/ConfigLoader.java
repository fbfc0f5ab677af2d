package dev.sotto.config;

import static dev.sotto.topology.settings.ApplicationKeys.APP_ID;
import static dev.sotto.topology.settings.ApplicationKeys.BOOTSTRAP_SERVERS;
import static dev.sotto.topology.settings.ApplicationKeys.EVENTS_TOPIC;
import static dev.sotto.topology.settings.ApplicationKeys.LAYOUT;
import static dev.sotto.topology.settings.ApplicationKeys.MODEL_ID_SOURCE;

import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.key.SecretValues;
import dev.sotto.config.settings.CandidateKeys;
import dev.sotto.config.settings.EventMapping;
import dev.sotto.config.settings.FeatureWarnings;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.config.settings.LateLabelSettings;
import dev.sotto.config.settings.PlanSettings;
import dev.sotto.config.settings.WarmStart;
import dev.sotto.config.source.CandidateEntries;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.config.source.ConfigValues;
import dev.sotto.config.source.EnvironmentEntries;
import dev.sotto.config.source.YamlFile;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.NumberText;
import dev.sotto.learner.settings.Settings;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.EncryptionSettings;
import dev.sotto.topology.registry.CopySettings;
import dev.sotto.topology.registry.RegistryCopies;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.LearnerSettings.Start;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.RoundObserver;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.start.StartKeys;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
  private static final double LARGE_DELTA = 1e-5;

  private final ConfigSource source;
  private final Map<String, ConfigEntry> given = new LinkedHashMap<>();
  private final ConfigErrors errors = new ConfigErrors(given);
  private final List<String> warnings = new ArrayList<>();
  private ConfigValues settings;
  private ConfigEntry elsewhere; // brokers of another machine, where none are needed here

  ConfigLoader(ConfigSource source) {
    this.source = source;
  }

  SottoConfig load() {
    layers();
    Map<String, Map<String, ConfigEntry>> candidates = CandidateEntries.take(given, errors);
    Map<String, ConfigEntry> common = new LinkedHashMap<>(given);
    if (!candidates.isEmpty()) {
      if (!common.containsKey(PlanKeys.EXACT_METRICS.name())) {
        usual(common, PlanKeys.METRICS_SHARE, CandidateKeys.USUAL_METRICS_SHARE);
      }
      if (isOfOneModel(common)) {
        usual(common, GateSettings.ALIAS, CandidateKeys.USUAL_ALIAS);
      }
      given.putAll(common);
      given.putAll(candidates.values().iterator().next()); // what it shares is checked once
    }
    boolean embedded = source.brokers().embedded();
    Set<ConfigKey<?>> excused = embedded ? Set.of(BOOTSTRAP_SERVERS) : Set.of();
    settings = new ConfigValues(given, errors, excused);
    EnvironmentEntries.checkNames(source.environment(), secretVariables(), errors);
    Optional<NoiseKey> known = source.run().noiseKey();
    Map<String, String> clients = new ClientSettings(settings, given, errors, warnings).read();
    Optional<ModelIdRule> modelIds = Settings.attempt(this::modelIds);
    Settings.attempt(this::checkTopic);
    Optional<Path> state = Settings.attempt(this::stateFolder);
    Optional<NoiseKey> key = known.or(
        () -> Settings.attempt(() -> NoiseKeySettings.read(settings, source.environment())));
    Optional<Encryption> encryption = known.isPresent()
        ? Optional.of(Encryption.none())
        : Settings.attempt(() -> EncryptionSettings.read(settings, source.environment()));
    Optional<EventMapping> mapping = Settings.attempt(
        () -> EventMapping.read(settings, source.environment(), new RegistrySettings.Shared()));
    Optional<Optional<LateLabels>> labels =
        Settings.attempt(() -> LateLabelSettings.find(settings));
    Optional<Optional<RegistryCopies>> copies = known.isPresent()
        ? Optional.of(Optional.empty())
        : Settings.attempt(() -> CopySettings.read(settings, source.environment()));
    Settings.attempt(() -> GateSettings.read(settings));
    Optional<Optional<HttpSettings>> http = Settings.attempt(() -> HttpSettings.read(settings));
    if (!candidates.isEmpty()) {
      Settings.attempt(this::checkCandidates);
    }
    Optional<Start> start = errors.all().isEmpty()
        ? Settings.attempt(() -> WarmStart.find(settings, startClients(clients)))
            .flatMap(found -> found)
        : Optional.empty(); // what is wrong here is reported before a cluster is asked
    Optional<Plan> plan = candidates.isEmpty()
        ? Settings.attempt(
            () -> new PlanSettings(settings, source.run().level(), start).read(mapping))
        : Optional.empty();
    Optional<CandidateLoader.All> loaded = candidates.isEmpty() || !errors.all().isEmpty()
        ? Optional.empty()
        : new CandidateLoader(
                common, candidates, errors, source.run().level(), excused, source.environment())
            .read();
    if (!errors.all().isEmpty()) {
      throw new ConfigException(source.name(), CandidateLoader.named(candidates, errors.all()));
    }
    warnOfDelta();
    warnings.addAll(FeatureWarnings.warnings(settings));
    loaded.ifPresent(each -> warnings.addAll(each.warnings()));
    return new SottoConfig(
        learner(
                loaded.map(CandidateLoader.All::models).orElse(CandidateModels.NONE),
                loaded.map(CandidateLoader.All::plan).or(() -> plan).orElseThrow(),
                loaded.map(CandidateLoader.All::mapping).or(() -> mapping).orElseThrow(),
                modelIds.orElseThrow(),
                key.orElseThrow(),
                start.map(each -> WarmStart.explained(each, mapping.get().text())))
            .with(labels.orElseThrow())
            .with(encryption.orElseThrow()),
        service(clients, state.orElseThrow(), copies.orElseThrow()),
        http.orElseThrow(),
        loaded.map(CandidateLoader.All::effective).orElseGet(settings::effective),
        warnings);
  }

  /** A setting that has another default with candidates. */
  private static void usual(Map<String, ConfigEntry> common, ConfigKey<?> key, String value) {
    common.putIfAbsent(key.name(), ConfigEntry.of(value, "usual with candidates"));
  }

  /** An alias names one model. */
  private static boolean isOfOneModel(Map<String, ConfigEntry> common) {
    ConfigEntry source = common.get(MODEL_ID_SOURCE.name());
    return source == null || source.value().equals("constant");
  }

  private boolean checkCandidates() {
    if (settings.get(MODEL_ID_SOURCE) != ModelIdRule.Source.CONSTANT
        && settings.isGiven(GateSettings.ALIAS)) {
      throw settings.reject(
          GateSettings.ALIAS,
          "must be absent with candidates for several models, since it names one of them; set"
              + " aliases by hand (./sotto alias)");
    }
    if (layout() == Layout.ROUNDS) {
      throw settings.reject(
          LAYOUT, "must be auto, direct or ordered with candidates, but was rounds");
    }
    if (settings.isGiven(StartKeys.START_FROM)) {
      throw settings.reject(
          StartKeys.START_FROM,
          "must be absent with candidates, which begin where their loss does");
    }
    return true;
  }

  private void layers() {
    YamlFile file = YamlFile.read(source.name(), source.yaml());
    if (!file.isReadable()) { // whatever else is missing was probably there
      throw new ConfigException(source.name(), file.errors());
    }
    given.putAll(file.settings());
    given.putAll(EnvironmentEntries.settings(source.environment()));
    source.flags().forEach(this::flag);
    given.replaceAll(
        (key, setting) -> key.startsWith(KafkaSettings.PREFIX) ? joined(setting) : setting);
    String servers = BOOTSTRAP_SERVERS.name();
    if (source.brokers().servers() != null) {
      given.put(servers, ConfigEntry.of(source.brokers().servers(), "--bootstrap-server"));
    }
    if (source.brokers().embedded()
        && given.containsKey(servers)
        && !isLocal(given.get(servers).value())) {
      elsewhere = given.remove(servers);
    }
    if (source.run().noiseKey().isPresent()) {
      given.keySet().removeIf(SecretValues::namesASecret);
    }
    file.errors().stream().filter(error -> !isOverridden(error.key())).forEach(errors::add);
  }

  /** Where none are needed here, a published model may still be read from those of elsewhere. */
  private Map<String, String> startClients(Map<String, String> clients) {
    Map<String, String> asked = new HashMap<>(clients);
    String servers = BOOTSTRAP_SERVERS.name();
    if (source.brokers().embedded()) {
      asked.remove(servers);
      if (elsewhere != null) {
        asked.put(servers, String.valueOf(joined(elsewhere).value()));
      }
    }
    return asked;
  }

  /** Whether an embedded broker can listen there: one port of the loopback address. */
  private static boolean isLocal(Object servers) {
    return servers instanceof String one
        && one.strip().matches("(localhost|127\\.0\\.0\\.1):[0-9]{1,5}");
  }

  private void flag(String flag) {
    int at = flag.indexOf('=');
    if (at < 1 || at == flag.length() - 1) {
      String shown = at < 0 ? flag : flag.substring(0, at + 1);
      errors.add(new ConfigError("--set", "must be key=value, but was " + shown));
    } else {
      given.put(
          flag.substring(0, at).strip(), ConfigEntry.of(flag.substring(at + 1).strip(), "--set"));
    }
  }

  /** Whether a setting that stands in the file without a value got one elsewhere. */
  private boolean isOverridden(String key) {
    ConfigEntry winner = given.get(key);
    return winner != null && !winner.origin().startsWith(source.name() + " line ");
  }

  /** Kafka's own lists are texts with commas. */
  private static ConfigEntry joined(ConfigEntry setting) {
    return setting.value() instanceof List<?> items
        ? ConfigEntry.of(
            items.stream().map(String::valueOf).collect(Collectors.joining(",")), setting.origin())
        : setting;
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

  private Layout layout() {
    return settings.get(LAYOUT).layout(settings.get(MODEL_ID_SOURCE));
  }

  private ModelIdRule modelIds() {
    Layout layout = layout();
    ModelIdRule.Source from = settings.get(MODEL_ID_SOURCE);
    if (layout != Layout.DIRECT && from != ModelIdRule.Source.CONSTANT) {
      throw settings.reject(
          MODEL_ID_SOURCE,
          "must be constant with layout " + layout.configName()
              + ", which learns one model, but was " + from.configName()
              + "; choose layout direct for a model per " + from.configName());
    }
    return new ModelIdRule(
        from,
        switch (from) {
          case KEY -> "";
          case HEADER -> settings.get(ApplicationKeys.MODEL_ID_HEADER);
          case CONSTANT, PARTITION -> settings.get(ApplicationKeys.MODEL_ID);
        },
        from == ModelIdRule.Source.KEY || from == ModelIdRule.Source.HEADER
            ? new ModelIdRule.Limits(
                Set.copyOf(settings.find(ApplicationKeys.MODELS_ALLOWED).orElse(List.of())),
                settings.get(ApplicationKeys.MODELS_MOST),
                Set.copyOf(settings.find(ApplicationKeys.MODELS_RETIRED).orElse(List.of())))
            : ModelIdRule.Limits.NONE);
  }

  private String checkTopic() {
    String app = settings.get(APP_ID);
    Set<String> own = Set.of(
        Names.snapshots(app),
        Names.ledger(app),
        Names.registryCopy(Names.snapshots(app)),
        Names.registryCopy(Names.ledger(app)),
        Names.start(app),
        Names.metrics(app),
        Names.deadLetters(app),
        Names.order(app),
        Names.labelled(app),
        Names.control(app),
        Names.sums(app));
    if (own.contains(settings.get(EVENTS_TOPIC))) {
      throw settings.rejectValue(EVENTS_TOPIC, "be none of the learner's own topics");
    }
    if (settings.isGiven(LabelKeys.TOPIC) && own.contains(settings.get(LabelKeys.TOPIC))) {
      throw settings.rejectValue(LabelKeys.TOPIC, "be none of the learner's own topics");
    }
    return app;
  }

  private Path stateFolder() {
    try {
      return Path.of(settings.get(ApplicationKeys.STATE_DIR));
    } catch (InvalidPathException noPath) {
      throw settings.rejectValue(ApplicationKeys.STATE_DIR, "be the path of a folder");
    }
  }

  private void warnOfDelta() {
    double delta = settings.get(PlanKeys.DELTA);
    if (delta > LARGE_DELTA) {
      warnings.add(PlanKeys.DELTA + " is " + NumberText.shortest(delta)
          + ": a mechanism may give away one record in " + Math.round(1 / delta)
          + " and still keep such a promise; 1e-6 or less is better");
    }
  }

  private LearnerSettings learner(
      CandidateModels candidates,
      Plan plan,
      EventMapping mapping,
      ModelIdRule modelIds,
      NoiseKey key,
      Optional<Start> start) {
    Optional<Long> heap = modelIds.limits().equals(ModelIdRule.Limits.NONE)
        ? Optional.empty()
        : settings.find(ApplicationKeys.MODELS_HEAP);
    int dimension = candidates.all().stream()
        .mapToInt(each -> each.plan().dimension())
        .max()
        .orElse(plan.dimension());
    Cadence cadence = new Cadence(
        settings
            .find(ApplicationKeys.CHECKPOINT_SLOTS)
            .orElseGet(() -> Cadence.usualCheckpoint(dimension)),
        millis(ApplicationKeys.CHECKPOINT_INTERVAL),
        settings
            .find(ApplicationKeys.STATE_EVERY)
            .orElseGet(() -> Cadence.usualStateEvery(dimension, plan, layout())),
        heap.map(megabytes -> megabytes << 20).orElse(Cadence.quarterOfHeap()));
    return new LearnerSettings(
        settings.get(APP_ID),
        layout(),
        new LearnerSettings.Events(
            settings.get(EVENTS_TOPIC),
            modelIds,
            mapping.decoder(),
            Optional.empty(),
            mapping.registry()),
        new LearnerSettings.Run(
            plan,
            key,
            settings.get(ApplicationKeys.RUN_LABEL),
            RoundObserver.NONE,
            start,
            candidates),
        cadence);
  }

  private ServiceSettings service(
      Map<String, String> clients, Path state, Optional<RegistryCopies> copies) {
    return new ServiceSettings(
        clients,
        state,
        new ServiceSettings.FirstStart(
            settings.get(ApplicationKeys.REPLICATION).shortValue(),
            settings.get(ApplicationKeys.EVENTS_START).equals(ApplicationKeys.LATEST),
            millis(ApplicationKeys.HISTORY),
            copies),
        settings.get(ApplicationKeys.THREADS),
        Duration.ofMillis(settings.get(ApplicationKeys.TRANSACTION_TIMEOUT)),
        new ServiceSettings.Memory(
            settings
                .find(ApplicationKeys.EVENT_MEMORY)
                .orElseGet(() -> ServiceSettings.Memory.usual().events()),
            settings.get(ApplicationKeys.ROCKSDB_MEMORY)));
  }

  private Duration millis(ConfigKey<Long> key) {
    return Duration.ofMillis(settings.get(key));
  }
}

package dev.sotto.app.config;

import dev.sotto.app.http.HttpSettings;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.Plan;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.LearnerSettings.Cadence;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.Names;
import dev.sotto.topology.ServiceSettings;
import dev.sotto.topology.encryption.Encryption;
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
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** One reading of a configuration: layers, single settings, rules between them, then what they add up to. */
final class ConfigLoader {
  private static final String SERVERS = "bootstrap.servers";
  private static final String COMMIT_INTERVAL = "kafka.commit.interval.ms";
  private static final String TASK_IDLE = "kafka.max.task.idle.ms";
  private static final long DEFAULT_COMMIT_INTERVAL = 100;
  private static final double LARGE_DELTA = 1e-5;

  private final ConfigSource source;
  private final Map<String, Setting> given = new LinkedHashMap<>();
  private final Faults faults = new Faults(given);
  private final List<String> warnings = new ArrayList<>();
  private Values values;

  ConfigLoader(ConfigSource source) {
    this.source = source;
  }

  SottoConfig load() {
    layers();
    values = new Values(given, faults, source.embedded() ? Set.of(SERVERS) : Set.of());
    Environment.checkNames(source.environment(), KeySources.variables(values), faults);
    Map<String, String> clients = clients();
    ModelIds modelIds = modelIds();
    ownTopics();
    barrier();
    Path state = path("state.dir");
    transactions();
    KeySources keys = new KeySources(values, faults, source.environment());
    NoiseKey key = source.noiseKey().orElseGet(keys::noiseKey);
    Encryption encryption = source.noiseKey().isPresent() ? Encryption.none() : keys.encryption();
    Mapping mapping = new Mappings(values, faults).build();
    Optional<HttpSettings> http = http();
    Plan plan = new Plans(values, faults, source.protection()).build(mapping);
    if (!faults.isEmpty()) {
      throw new ConfigFailure(source.name(), faults.all());
    }
    if (values.number("privacy.delta") > LARGE_DELTA) {
      warnings.add("privacy.delta is " + Numbers.shortest(values.number("privacy.delta"))
          + ": a mechanism may give away one record in "
          + Math.round(1 / values.number("privacy.delta"))
          + " and still keep such a promise; 1e-6 or less is better");
    }
    return new SottoConfig(
        learner(plan, mapping, modelIds, key).with(encryption),
        service(clients, state),
        http,
        values.effective(),
        warnings);
  }

  private void layers() {
    YamlFile file = YamlFile.read(source.name(), source.yaml());
    if (!file.isReadable()) { // whatever else is missing was probably there
      throw new ConfigFailure(source.name(), file.faults());
    }
    given.putAll(file.settings());
    Environment.settings(source.environment()).forEach(given::put);
    for (String flag : source.flags()) {
      int at = flag.indexOf('=');
      if (at < 1 || at == flag.length() - 1) {
        String shown = at < 0 ? flag : flag.substring(0, at + 1);
        faults.elsewhere("--set", "--set must be key=value, but was " + shown);
      } else {
        given.put(
            flag.substring(0, at).strip(), Setting.of(flag.substring(at + 1).strip(), "--set"));
      }
    }
    given.replaceAll(
        (key, setting) -> key.startsWith(KafkaSettings.PREFIX) ? joined(setting) : setting);
    if (source.bootstrapServers() != null) {
      given.put(SERVERS, Setting.of(source.bootstrapServers(), "--bootstrap-server"));
    }
    if (source.embedded()) {
      given.remove(SERVERS);
    }
    if (source.noiseKey().isPresent()) {
      given.keySet().removeIf(KeySources::namesAKey);
    }
    file.faults().stream()
        .filter(fault -> !overridden(fault.key()))
        .forEach(fault -> faults.elsewhere(fault.key(), fault.message()));
  }

  /** Whether a key that stands in the file without a value got one elsewhere. */
  private boolean overridden(String key) {
    Setting winner = given.get(key);
    return winner != null && !winner.origin().startsWith(source.name() + " line ");
  }

  private Map<String, String> clients() {
    Map<String, String> clients = new HashMap<>();
    given.forEach((key, setting) -> {
      if (key.startsWith(KafkaSettings.PREFIX) && key.length() > KafkaSettings.PREFIX.length()) {
        String name = key.substring(KafkaSettings.PREFIX.length());
        client(key, name, setting);
        clients.put(name, (String) setting.value());
      }
    });
    if (values.has(SERVERS)) {
      clients.put(SERVERS, String.join(",", values.list(SERVERS)));
    }
    return clients;
  }

  private void client(String key, String name, Setting setting) {
    String reason = KafkaSettings.reason(name);
    if (reason != null) {
      faults.add(key, "cannot be set: " + reason + "; remove it");
      return;
    }
    ConfigKey known = KafkaSettings.definition(name);
    if (known != null && !faults.touch(key)) {
      Object value = Values.check(key, setting.value(), known, faults);
      String rule = value instanceof Number number ? KafkaSettings.tooSmall(name, number) : null;
      if (rule != null) {
        faults.must(key, rule, setting.value());
      }
    } else if (!KafkaSettings.isKnown(name)) {
      String near = Nearest.of(KafkaSettings.bare(name), KafkaSettings.names());
      warnings.add(key + " is no setting of Kafka's clients or Streams, and is passed on as it is"
          + Nearest.hint(near) + " (" + setting.origin() + ")");
    }
  }

  /** Kafka's own lists are texts with commas. */
  private static Setting joined(Setting setting) {
    return setting.value() instanceof List<?> items
        ? Setting.of(
            items.stream().map(String::valueOf).collect(Collectors.joining(",")), setting.origin())
        : setting;
  }

  private ModelIds modelIds() {
    if (!values.sound("layout", "model.id.source")) {
      return null;
    }
    String from = values.text("model.id.source");
    String layout = values.text("layout");
    if (!layout.equals(Layout.DIRECT.configName()) && !from.equals("constant")) {
      faults.add(
          "model.id.source",
          "must be constant with layout " + layout + ", which learns one model, but was " + from
              + "; choose layout direct for a model per " + from);
      return null;
    }
    String name = switch (from) {
      case "header" -> "model.id.header";
      case "key" -> null;
      default -> "model.id";
    };
    if (name != null && !values.has(name)) {
      return null;
    }
    return new ModelIds(
        ModelIds.Source.named(from).orElseThrow(), name == null ? "" : values.text(name));
  }

  private void ownTopics() {
    if (values.sound("app.id", "events.topic")) {
      String app = values.text("app.id");
      String events = values.text("events.topic");
      if (Set.of(
              Names.snapshots(app),
              Names.ledger(app),
              Names.metrics(app),
              Names.deadLetters(app),
              Names.sequence(app),
              Names.control(app),
              Names.sums(app))
          .contains(events)) {
        faults.must("events.topic", "be none of the learner's own topics", events);
      }
    }
  }

  /** Between rounds a worker waits for as long as it takes. */
  private void barrier() {
    if (values.sound("layout")
        && values.text("layout").equals(Layout.ROUNDS.configName())
        && given.containsKey(TASK_IDLE)) {
      faults.add(
          TASK_IDLE,
          "cannot be set with layout rounds, whose rounds rest on workers that wait; remove it");
    }
  }

  private void transactions() {
    boolean own = given.containsKey(COMMIT_INTERVAL);
    if (!values.sound("transaction.timeout.ms") || own && faults.touch(COMMIT_INTERVAL)) {
      return;
    }
    long commit = own
        ? Long.parseLong(((String) given.get(COMMIT_INTERVAL).value()).strip())
        : DEFAULT_COMMIT_INTERVAL;
    long timeout = values.whole("transaction.timeout.ms");
    if (!(timeout > commit)) {
      faults.must(
          "transaction.timeout.ms", "exceed the commit interval of " + commit + " ms", timeout);
    }
  }

  private Path path(String key) {
    if (!values.sound(key)) {
      return null;
    }
    try {
      return Path.of(values.text(key));
    } catch (InvalidPathException noPath) {
      faults.must(key, "be the path of a folder", values.text(key));
      return null;
    }
  }

  private LearnerSettings learner(Plan plan, Mapping mapping, ModelIds modelIds, NoiseKey key) {
    Cadence cadence = new Cadence(
        values.whole("checkpoint.slots"),
        Duration.ofMillis(values.whole("checkpoint.interval.ms")),
        values.whole("state.every.rounds"),
        values.whole("release.every.rounds"));
    return new LearnerSettings(
        values.text("app.id"),
        Layout.named(values.text("layout")).orElseThrow(),
        values.text("events.topic"),
        modelIds,
        plan,
        key,
        values.text("run.label"),
        mapping.decoder(),
        cadence);
  }

  private Optional<HttpSettings> http() {
    String age = "http.ready.round.age.ms";
    if (values.given(age) && !values.given("http.listen")) {
      faults.add(age, "means nothing here: it needs http.listen");
    }
    return values.sound("http.listen", "http.models") && !faults.touch(age)
        ? HttpSettings.parse(
            values.text("http.listen"),
            values.has(age) ? Optional.of(Duration.ofMillis(values.whole(age))) : Optional.empty(),
            (int) values.whole("http.models"))
        : Optional.empty();
  }

  private ServiceSettings service(Map<String, String> clients, Path state) {
    return new ServiceSettings(
        clients,
        state,
        (short) values.whole("topics.replication.factor"),
        values.text("events.start").equals("latest"),
        Duration.ofMillis(values.whole("topics.history.ms")),
        (int) values.whole("threads"),
        Duration.ofMillis(values.whole("transaction.timeout.ms")));
  }
}

package dev.sotto.app.command;

import dev.sotto.app.cluster.Brokers;
import dev.sotto.app.context.Context;
import dev.sotto.app.context.Contexts;
import dev.sotto.app.context.Naming;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.ConnectionSettings;
import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.source.ConfigEntry;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * How a command knows which learner it is about, and where its brokers are: a picocli mixin. What
 * wins over what stands in docs/contexts.md, and `sotto context show` says it of each value.
 */
class LearnerOptions {
  /** What wins over what, as docs/contexts.md has it. */
  static final String[] PRECEDENCE = {
    "What wins: flags; --context NAME; SOTTO_APP_ID, SOTTO_BOOTSTRAP_SERVERS, SOTTO_KAFKA_...;",
    "the file of -c; without -c, the context of SOTTO_CONTEXT or the current one. docs/contexts.md"
  };

  private static final String CONTEXT_VARIABLE = "SOTTO_CONTEXT";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "The learner's configuration: names the learner and its brokers.")
  private Path config;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--app-id",
      paramLabel = "ID",
      description = "The learner's app.id: its topics begin with it.")
  private String appId;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The brokers to connect to.")
  private String servers;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "A properties file with Kafka client settings (security and the like).")
  private Path clientProperties;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The learner of this context instead of the current one (sotto context).")
  private String context;

  /** A context, and whether the command line names it. */
  record Chosen(String name, Context context, boolean byFlag) {
    String origin() {
      return "context " + name;
    }
  }

  Map<String, String> environment() {
    return command.root().userObject() instanceof Surroundings all
        ? all.environment()
        : System.getenv();
  }

  /** The context that applies: none beside a configuration. */
  Optional<Chosen> chosen() {
    if (context != null && config != null) {
      throw misused("--context and -c exclude each other; give one of them");
    }
    if (config != null) {
      return Optional.empty();
    }
    String byVariable = environment().getOrDefault(CONTEXT_VARIABLE, "");
    Contexts all = Contexts.read(environment());
    Optional<String> name = context != null
        ? Optional.of(context)
        : byVariable.isEmpty() ? all.current() : Optional.of(byVariable);
    return name.map(each -> new Chosen(each, all.get(each), context != null));
  }

  /** The configuration's file: that of -c, or of the context. */
  Optional<Path> configFile() {
    return config != null
        ? Optional.of(config)
        : chosen()
            .filter(this::givesConfiguration)
            .flatMap(each -> each.context().file(Context.CONFIG));
  }

  /** Whether a context may name the configuration. */
  boolean givesConfiguration(Chosen chosen) {
    return true;
  }

  /** What flags name, by the names that a context has for it; files by their absolute paths. */
  static Map<String, String> settings(String appId, String servers, Path clients, Path config) {
    Map<String, String> given = new LinkedHashMap<>();
    put(given, Context.APP_ID, appId);
    put(given, Context.SERVERS, servers);
    put(given, Context.COMMAND_CONFIG, clients);
    put(given, Context.CONFIG, config);
    return given;
  }

  private static void put(Map<String, String> given, String name, Object value) {
    if (value != null) {
      given.put(
          name,
          value instanceof Path file
              ? file.toAbsolutePath().normalize().toString()
              : value.toString());
    }
  }

  /** Whether a flag names the learner. */
  boolean isNamed() {
    return appId != null;
  }

  /** All that is said of the learner and its brokers, with what wins first. */
  Naming naming() {
    List<Map<String, ConfigEntry>> layers = new ArrayList<>();
    boolean whole = context == null && appId != null && servers != null;
    Optional<Chosen> chosen = whole ? Optional.empty() : chosen(); // it would change nothing
    layers.add(Naming.layer("--app-id", settings(appId, null, null, null)));
    layers.add(Naming.layer("--bootstrap-server", settings(null, servers, null, null)));
    layers.add(ConnectionSettings.of(nothing().withFlags(settings.wellFormed())));
    if (clientProperties != null) {
      layers.add(Naming.layer(
          "--command-config " + clientProperties,
          ClientProperties.read(clientProperties, "--command-config")));
    }
    chosen.filter(Chosen::byFlag).ifPresent(each -> addContext(layers, each));
    layers.add(ConnectionSettings.of(nothing().withEnvironment(environment())));
    if (config != null) {
      layers.add(ConnectionSettings.of(ConfigSource.of(config)));
    }
    chosen.filter(each -> !each.byFlag()).ifPresent(each -> addContext(layers, each));
    return new Naming(layers);
  }

  private static ConfigSource nothing() {
    return ConfigSource.of("the command line", "{}");
  }

  /** Credentials go to the context's own brokers only: of others it names but the learner. */
  private static void addContext(List<Map<String, ConfigEntry>> layers, Chosen chosen) {
    boolean others = layers.stream().anyMatch(each -> each.containsKey(Context.SERVERS));
    Map<String, String> own = new LinkedHashMap<>(chosen.context().settings());
    own.keySet().retainAll(List.of(Context.APP_ID, Context.SERVERS));
    List<Map<String, ConfigEntry>> more = new ArrayList<>();
    more.add(Naming.layer(chosen.origin(), own));
    if (!others) {
      clientsOf(chosen).ifPresent(more::add);
    }
    chosen
        .context()
        .file(Context.CONFIG)
        .ifPresent(file -> more.add(ConnectionSettings.of(ConfigSource.of(file))));
    if (others) {
      more.forEach(each -> each.keySet().retainAll(List.of(Context.APP_ID)));
    }
    layers.addAll(more);
  }

  private static Optional<Map<String, ConfigEntry>> clientsOf(Chosen chosen) {
    return chosen
        .context()
        .file(Context.COMMAND_CONFIG)
        .map(file -> Naming.layer(
            file.toString(),
            ClientProperties.readUnshared(
                file, Context.COMMAND_CONFIG + " of " + chosen.origin() + ":")));
  }

  /**
   * The learner.
   *
   * @throws SottoException where it is not named
   */
  String appId() {
    return naming()
        .find(Context.APP_ID)
        .map(each -> (String) each.value())
        .orElseThrow(() -> misused("the learner is not named: give --app-id or -c FILE, or make a"
            + " context (sotto context set --help)"));
  }

  /** Whether learner and brokers are named. */
  boolean isComplete() {
    Naming naming = naming();
    return naming.find(Context.APP_ID).isPresent()
        && naming.find(Context.SERVERS).isPresent();
  }

  /**
   * Settings of Kafka's clients, whose brokers take connections.
   *
   * @throws SottoException where no brokers are named, or nothing listens there
   */
  Map<String, String> clients() {
    Map<String, String> clients = unasked();
    Brokers.requireAnswer(clients.get(Context.SERVERS));
    return clients;
  }

  /** The same for a command that waits for brokers. */
  Map<String, String> unasked() {
    Map<String, String> clients = new LinkedHashMap<>();
    naming().clients().forEach((name, entry) -> clients.put(name, (String) entry.value()));
    if (!clients.containsKey(Context.SERVERS)) {
      throw misused("the brokers are not named: give --bootstrap-server or -c FILE, set"
          + " SOTTO_BOOTSTRAP_SERVERS, or make a context (sotto context set --help)");
    }
    return clients;
  }

  /** The configuration with all that is said beside it; empty where no file is named. */
  Optional<ConfigSource> findSource() {
    Optional<Chosen> chosen = chosen();
    return configFile().map(file -> {
      Map<String, String> environment = environment();
      Map<String, String> properties = clientProperties == null
          ? Map.of()
          : ClientProperties.read(clientProperties, "--command-config");
      Optional<String> given = Optional.ofNullable(servers)
          .or(() -> Optional.ofNullable(properties.get(Context.SERVERS)));
      boolean others = given.isPresent()
          || settings.all().stream().anyMatch(each -> each.startsWith(Context.SERVERS + "="));
      Optional<Chosen> own = chosen.filter(
          each -> !others && (each.byFlag() || !has(environment, "SOTTO_BOOTSTRAP_SERVERS")));
      List<String> flags = new ArrayList<>();
      own.flatMap(LearnerOptions::clientsOf)
          .ifPresent(each ->
              each.forEach((name, entry) -> addClient(flags, name, String.valueOf(entry.value()))));
      properties.forEach((name, value) -> addClient(flags, name, value));
      chosen
          .filter(each -> each.byFlag() || !has(environment, "SOTTO_APP_ID"))
          .flatMap(each -> each.context().find(Context.APP_ID))
          .ifPresent(each -> flags.add(Context.APP_ID + "=" + each));
      flags.addAll(settings.all());
      if (appId != null) {
        flags.add(Context.APP_ID + "=" + appId);
      }
      return ConfigSource.of(file)
          .withEnvironment(environment)
          .withFlags(flags)
          .withBootstrapServers(given
              .or(() -> own.flatMap(each -> each.context().find(Context.SERVERS)))
              .orElse(null));
    });
  }

  private static boolean has(Map<String, String> environment, String variable) {
    return !environment.getOrDefault(variable, "").isEmpty();
  }

  private static void addClient(List<String> flags, String name, String value) {
    if (!name.equals(Context.SERVERS) && !value.isEmpty()) {
      flags.add(KafkaSettings.PREFIX + name + "=" + value);
    }
  }

  /**
   * The same for a command that needs the configuration.
   *
   * @throws SottoException where none is named
   */
  ConfigSource source() {
    return findSource()
        .orElseThrow(() -> misused(command.name() + " needs the learner's configuration: give -c"
            + " FILE, or a context that names it (sotto context set NAME -c FILE)"));
  }

  static SottoException misused(String what) {
    return new SottoException(FailureKind.USAGE, what);
  }
}

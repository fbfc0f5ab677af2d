package dev.sotto.config.settings;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.Settings;
import dev.sotto.topology.status.LearnerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Where health and metrics are served, and what counts as ready.
 *
 * @param host to listen on
 * @param port to listen on; 0 for any that is free
 * @param readyRoundAge an instance is not ready where its newest round is older; empty where age
 *     does not matter
 * @param models with series of their own, at most; at least 0
 * @param names under which it may be asked, beside addresses, {@code localhost} and its host
 */
public record HttpSettings(
    String host, int port, Optional<Duration> readyRoundAge, int models, List<String> names) {
  /** The host where only a port is given: no other machine reaches it. */
  public static final String LOOPBACK = "127.0.0.1";

  public static final ConfigKey<String> LISTEN = ConfigKey.of(
          "http.listen",
          Domain.text(
              "host:port, [IPv6]:port or a port of 0 to 65535",
              value -> parse(value, Optional.empty(), 0).isPresent()),
          "Where `run` answers health checks and /metrics (docs/monitoring.md), and serves a"
              + " page: `host:port`, or a port alone, which means 127.0.0.1; port 0 is any that is"
              + " free. Without it nothing is opened, but with `--embedded` a free port of"
              + " 127.0.0.1. There is no login.")
      .optional();

  public static final ConfigKey<Long> READY_AGE = ConfigKey.of(
          "http.ready.round.age.ms",
          Domain.atLeast(1),
          "An instance is not ready when no round has closed for longer; without it an idle stream"
              + " is ready. Needs `http.listen`.")
      .optional();

  public static final ConfigKey<Integer> MODELS = ConfigKey.of(
          "http.models",
          Domain.intBetween(0, 10_000),
          "At most this number of models, the first that come, have series of their own in"
              + " /metrics; of others there are only totals.")
      .orElse(LearnerStatus.MOST_MODELS);

  public static final ConfigKey<List<String>> NAMES = ConfigKey.of(
          "http.names",
          Domain.items(),
          "Names of hosts under which `run` may be asked, as behind a proxy: `[learner-0,"
              + " sotto.example]`. Addresses, `localhost` and the host of `http.listen` always"
              + " are; others are refused. Needs `http.listen`.")
      .optional();

  /** On any free port, for this machine alone: where nobody has said anything. */
  public static HttpSettings anyPort() {
    return new HttpSettings(LOOPBACK, 0, Optional.empty(), LearnerStatus.MOST_MODELS);
  }

  /** All of them, in the order of the manual. */
  public static final List<ConfigKey<?>> KEYS = List.of(LISTEN, READY_AGE, MODELS, NAMES);

  /** Without further names. */
  public HttpSettings(String host, int port, Optional<Duration> readyRoundAge, int models) {
    this(host, port, readyRoundAge, models, List.of());
  }

  public HttpSettings {
    names = List.copyOf(names);
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535, but was " + port);
    }
    if (models < 0) {
      throw new IllegalArgumentException("models must be at least 0, but was " + models);
    }
  }

  /** Out of settings; empty where nothing is served. */
  public static Optional<HttpSettings> read(Settings settings) {
    Optional<String> listen = settings.find(LISTEN);
    for (ConfigKey<?> each : List.of(READY_AGE, NAMES)) {
      if (listen.isEmpty() && settings.isGiven(each)) {
        throw settings.reject(each, "means nothing here: it needs " + LISTEN);
      }
    }
    Optional<Duration> age = settings.find(READY_AGE).map(Duration::ofMillis);
    int models = settings.get(MODELS);
    List<String> names = settings.find(NAMES).orElse(List.of());
    return listen
        .flatMap(address -> parse(address, age, models))
        .map(each -> new HttpSettings(each.host, each.port, age, models, names));
  }

  /**
   * A host and its port as text: {@code host:port}, {@code [::1]:port}, or a port alone.
   *
   * @return host and port; empty where it is none of these
   */
  public static Optional<HttpSettings> parse(
      String listen, Optional<Duration> readyRoundAge, int models) {
    int colon = listen.lastIndexOf(':');
    String host = colon < 0 ? LOOPBACK : listen.substring(0, colon);
    String port = listen.substring(colon + 1);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.contains(":")) {
      return Optional.empty();
    }
    boolean sound = !host.isBlank()
        && host.chars().noneMatch(Character::isWhitespace)
        && port.matches("[0-9]{1,5}")
        && Integer.parseInt(port) <= 65_535;
    return sound
        ? Optional.of(new HttpSettings(host, Integer.parseInt(port), readyRoundAge, models))
        : Optional.empty();
  }
}

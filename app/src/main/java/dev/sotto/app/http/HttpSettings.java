package dev.sotto.app.http;

import java.time.Duration;
import java.util.Optional;

/**
 * Where health and metrics are told, and what counts as ready.
 *
 * @param host to listen on
 * @param port to listen on; 0 for any that is free
 * @param readyRoundAge an instance is not ready where its newest round is older; empty where age does not matter
 * @param models told one by one at most, at least 0
 */
public record HttpSettings(String host, int port, Optional<Duration> readyRoundAge, int models) {
  /** The host where only a port is given: nobody else's machine reaches it. */
  public static final String LOOPBACK = "127.0.0.1";

  public HttpSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535, but was " + port);
    }
    if (models < 0) {
      throw new IllegalArgumentException("models must be at least 0, but was " + models);
    }
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

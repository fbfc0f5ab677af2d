package dev.sotto.app.serve;

import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Where and under which bounds a model is served.
 *
 * @param host to listen on
 * @param port to listen on; 0 for any that is free
 * @param token that requests must carry; empty where none is asked for
 * @param tls empty for plain HTTP
 * @param limits what one caller, and all of them, may take
 * @param names under which it may be asked, beside addresses and {@code localhost}; asked for only
 *     where it listens on this machine alone and without a token
 */
public record ServeSettings(
    String host,
    int port,
    Optional<String> token,
    Optional<SSLContext> tls,
    Limits limits,
    List<String> names) {
  /**
   * Bounds.
   *
   * @param bodyBytes the largest body of a request
   * @param events of one request, or rows
   * @param connections open at a time; more are not accepted until some close
   * @param seconds for a request to arrive, and for a stop to wait for those under way
   */
  public record Limits(long bodyBytes, int events, int connections, int seconds) {
    public static final Limits USUAL = new Limits(1 << 20, 10_000, 4096, 10);

    public Limits {
      atLeastOne("the largest body", bodyBytes);
      atLeastOne("events of a request", events);
      atLeastOne("connections", connections);
      atLeastOne("seconds", seconds);
    }

    private static void atLeastOne(String what, long value) {
      if (value < 1) {
        throw new IllegalArgumentException(what + " must be at least 1, but was " + value);
      }
    }
  }

  public ServeSettings {
    names = List.copyOf(names);
  }
}

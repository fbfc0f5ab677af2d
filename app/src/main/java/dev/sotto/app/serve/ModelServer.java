package dev.sotto.app.serve;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.GracefulShutdownHandler;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.xnio.Options;

/**
 * Scores over HTTP with the version in place: {@code POST /score} and the Open Inference Protocol,
 * version 2. Requests are answered by the threads that read them, since scoring takes
 * microseconds. Undertow rather than the JDK's server: it bounds bodies, times, connections and
 * requests, and answers more of them (benchmarks/README.md).
 */
public final class ModelServer implements AutoCloseable {
  /** Undertow prints a trace and answers nothing: {@link RequestBodies} bounds what is sent. */
  private static final long UNBOUNDED = -1;

  private final ServeSettings settings;
  private final RequestRoutes routes;
  private final GracefulShutdownHandler graceful;
  private final Undertow undertow;

  private ModelServer(ServeSettings settings, RequestRoutes routes) {
    this.settings = settings;
    this.routes = routes;
    this.graceful = new GracefulShutdownHandler(routes);
    ServeSettings.Limits limits = settings.limits();
    int millis = limits.seconds() * 1000;
    Undertow.Builder builder = Undertow.builder()
        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, UNBOUNDED)
        .setServerOption(UndertowOptions.MAX_HEADER_SIZE, 16 << 10)
        .setServerOption(UndertowOptions.REQUEST_PARSE_TIMEOUT, millis)
        .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, 6 * millis)
        .setSocketOption(Options.READ_TIMEOUT, 6 * millis)
        .setSocketOption(Options.WRITE_TIMEOUT, millis)
        .setSocketOption(Options.CONNECTION_HIGH_WATER, limits.connections())
        .setSocketOption(Options.CONNECTION_LOW_WATER, limits.connections())
        .setWorkerThreads(1)
        .setHandler(graceful);
    this.undertow = settings
        .tls()
        .map(tls -> builder.addHttpsListener(settings.port(), settings.host(), tls))
        .orElseGet(() -> builder.addHttpListener(settings.port(), settings.host()))
        .build();
  }

  /**
   * Listens, and answers from now on.
   *
   * @param alias the name under which the model is served too, where an alias is followed
   * @param sottoVersion of the program, for the metadata of the server
   * @throws SottoException where the address cannot be listened on
   */
  public static ModelServer start(
      ServeSettings settings, ServedModel served, Optional<String> alias, String sottoVersion) {
    ModelServer server =
        new ModelServer(settings, new RequestRoutes(settings, served, alias, sottoVersion));
    try {
      server.undertow.start();
    } catch (RuntimeException impossible) {
      Throwable cause = impossible.getCause() == null ? impossible : impossible.getCause();
      throw new SottoException(
          FailureKind.LISTEN,
          "--listen " + settings.host() + ":" + settings.port() + " cannot be listened on: "
              + cause.getMessage()
              + "; end what listens there, or choose an address of this machine and a free port",
          impossible);
    }
    return server;
  }

  /** Where it listens, as a URL. */
  public String address() {
    InetSocketAddress where =
        (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
    String host = where.getAddress().getHostAddress();
    return (settings.tls().isPresent() ? "https://" : "http://")
        + (host.contains(":") ? "[" + host + "]" : host) + ":" + where.getPort();
  }

  /** Requests under way are answered, for some seconds; new ones are refused. */
  @Override
  public void close() {
    routes.stop();
    graceful.shutdown();
    try {
      graceful.awaitShutdown(settings.limits().seconds() * 1000L);
    } catch (InterruptedException now) {
      Thread.currentThread().interrupt();
    }
    undertow.stop();
  }
}

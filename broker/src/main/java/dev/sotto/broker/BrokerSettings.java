package dev.sotto.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * How an {@link EmbeddedBroker} is to be started.
 *
 * @param folder where it keeps its logs; empty for a fresh temporary folder. A folder that an
 *     earlier broker left is opened again, with its topics
 * @param keep whether a temporary folder survives {@link EmbeddedBroker#close()}; a given folder
 *     always does
 * @param properties broker properties that go before the defaults, {@code
 *     listener.security.protocol.map} among them. The listeners are named {@code CLIENT} and {@code
 *     CONTROLLER}; their addresses, the node's role and its folder are not to be set here
 * @param ports proposes TCP ports on the loopback address, two per attempt; a port that turns out
 *     to be taken is replaced by the next proposal
 * @param port where clients connect; empty for the port that an earlier broker of the folder had,
 *     and for one that is proposed where there was none or it is taken
 */
public record BrokerSettings(
    Optional<Path> folder,
    boolean keep,
    Map<String, String> properties,
    IntSupplier ports,
    OptionalInt port) {
  private static final Set<String> OURS = Set.of(
      "process.roles",
      "node.id",
      "broker.id",
      "listeners",
      "advertised.listeners",
      "controller.listener.names",
      "controller.quorum.voters",
      "controller.quorum.bootstrap.servers",
      "inter.broker.listener.name",
      "security.inter.broker.protocol",
      "log.dir",
      "log.dirs",
      "metadata.log.dir");

  /** Checks the names of the properties. */
  public BrokerSettings {
    Objects.requireNonNull(folder, "folder");
    Objects.requireNonNull(ports, "ports");
    Objects.requireNonNull(port, "port");
    properties = Map.copyOf(properties);
    properties.forEach((name, value) -> {
      if (OURS.contains(name)) {
        throw new IllegalArgumentException(
            name + " must be left to the embedded broker, but was set to " + value);
      }
    });
  }

  /** A broker in a fresh temporary folder that goes with it. */
  public static BrokerSettings temporary() {
    return new BrokerSettings(
        Optional.empty(), false, Map.of(), BrokerSettings::freePort, OptionalInt.empty());
  }

  /** These settings with a folder, made where it is missing and never deleted. */
  public BrokerSettings withFolder(Path newFolder) {
    return new BrokerSettings(Optional.of(newFolder), keep, properties, ports, port);
  }

  /** These settings with other properties, in place of those before. */
  public BrokerSettings withProperties(Map<String, String> newProperties) {
    return new BrokerSettings(folder, keep, newProperties, ports, port);
  }

  /** These settings with another source of ports. */
  public BrokerSettings withPorts(IntSupplier newPorts) {
    return new BrokerSettings(folder, keep, properties, newPorts, port);
  }

  /** These settings with a port for clients: the broker listens there or does not start. */
  public BrokerSettings withPort(int newPort) {
    return new BrokerSettings(folder, keep, properties, ports, OptionalInt.of(newPort));
  }

  /** Whether nobody listens on a TCP port of the loopback address. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }

  /** A TCP port of the loopback address that nobody listened on a moment ago. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("a free TCP port must be available, but none was", e);
    }
  }
}

package dev.sotto.app.cluster;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * Whether anything listens where the brokers should be. Kafka's clients try again for twenty
 * seconds and more; a person who has mistyped a port should know at once.
 */
public final class Brokers {
  private static final long SECONDS = 4;

  private Brokers() {}

  /**
   * Returns where one of them takes a connection, which is closed again.
   *
   * @param servers as {@code bootstrap.servers} has them
   * @throws SottoException where none does
   */
  public static void requireAnswer(String servers) {
    String[] all = servers.split(",");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    String why = "";
    for (int i = 0; i < all.length; i++) {
      String each = all[i].strip();
      int colon = each.lastIndexOf(':');
      if (!each.substring(colon + 1).matches("[0-9]{1,5}") || colon < 1) {
        return; // Kafka's clients say what is wrong with it
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      String host = each.substring(0, colon).replaceAll("^\\[|\\]$", "");
      int port = Integer.parseInt(each.substring(colon + 1));
      why = fault(host, port, (int) Math.max(1, left / (all.length - i)));
      if (why.isEmpty()) {
        return;
      }
    }
    throw new SottoException(
        FailureKind.UNREACHABLE,
        "no broker answered at " + servers + " (" + why
            + "); check bootstrap.servers, the network and the security settings");
  }

  /** Why nothing answers at any of a host's addresses; empty where something does. */
  private static String fault(String host, int port, int millis) {
    String why = "";
    try {
      InetAddress[] addresses = InetAddress.getAllByName(host);
      for (InetAddress each : addresses) {
        try (Socket socket = new Socket()) {
          socket.connect(new InetSocketAddress(each, port), Math.max(1, millis / addresses.length));
          return "";
        } catch (IOException | IllegalArgumentException refused) {
          why = String.valueOf(refused.getMessage());
        }
      }
    } catch (IOException unknown) {
      why = host + " is no known host";
    }
    return why;
  }
}

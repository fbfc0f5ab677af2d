package dev.sotto.benchmarks;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import java.io.IOException;
import java.util.Map;

/** The broker's process: says where it listens, and runs until its input ends. */
final class BrokerMain {
  private static final Map<String, String> PROPERTIES =
      Map.of("log.segment.delete.delay.ms", "1000");

  private BrokerMain() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws IOException {
    try (var broker = EmbeddedBroker.start(BrokerSettings.temporary().withProperties(PROPERTIES))) {
      System.out.println(broker.bootstrapServers());
      while (System.in.read() >= 0) {
        // whoever started it holds the other end
      }
    }
    System.exit(0); // whatever threads Kafka leaves behind
  }
}

package dev.sotto.testbroker;

import dev.sotto.broker.EmbeddedBroker;
import java.util.HashMap;
import java.util.Map;

/** Settings of clients of an {@link EmbeddedBroker}, for tests. */
public final class Clients {
  private Clients() {}

  /** The address of the broker, and more. */
  public static Map<String, Object> settings(EmbeddedBroker broker, Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(more);
    all.put("bootstrap.servers", broker.bootstrapServers());
    return all;
  }
}

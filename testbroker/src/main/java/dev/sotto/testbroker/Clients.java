package dev.sotto.testbroker;

import java.util.HashMap;
import java.util.Map;

/** Settings of clients, for tests. */
public final class Clients {
  private Clients() {}

  /** The address of a broker, and more. */
  public static Map<String, Object> settings(String bootstrapServers, Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(more);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }
}

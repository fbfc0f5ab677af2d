package dev.sotto.topology.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Where a learner runs.
 *
 * @param clients Kafka settings passed through to every client: {@code bootstrap.servers},
 *     security, and any Streams setting
 * @param stateFolder the folder of the state stores
 * @param firstStart what a first start creates
 * @param threads stream threads
 * @param transactionTimeout after which the broker aborts a dead instance's transaction
 */
public record ServiceSettings(
    Map<String, String> clients,
    Path stateFolder,
    FirstStart firstStart,
    int threads,
    Duration transactionTimeout) {
  public ServiceSettings {
    clients = Map.copyOf(clients);
  }

  /**
   * What a first start creates.
   *
   * @param replication of topics that are created; -1 for the broker's default
   * @param fromLatest whether a first start begins behind what the event topic holds
   * @param historyHorizon for how long every snapshot stays readable before only the newest is kept
   */
  public record FirstStart(short replication, boolean fromLatest, Duration historyHorizon) {}

  /** Copies of each topic that is created; -1 for the broker's default. */
  public short replication() {
    return firstStart.replication();
  }

  /** Whether a first start begins behind what the event topic holds. */
  public boolean fromLatest() {
    return firstStart.fromLatest();
  }

  /** For how long every snapshot stays readable before only the newest is kept. */
  public Duration historyHorizon() {
    return firstStart.historyHorizon();
  }

  /** The brokers to ask first. */
  public String bootstrapServers() {
    return clients.get("bootstrap.servers");
  }
}

package dev.sotto.replay.play;

import java.time.Duration;
import java.util.Map;

/**
 * Where to, how fast, and what is allowed.
 *
 * @param topic to play into
 * @param clients Kafka client settings, {@code bootstrap.servers} among them
 * @param pace how fast
 * @param start what to do about a topic that is missing, or holds records
 * @param arrivalTimes whether records get the time at which they arrive in place of their own
 * @param bounds of one transaction
 */
public record PlaySettings(
    String topic,
    Map<String, String> clients,
    PlaybackRate pace,
    Start start,
    boolean arrivalTimes,
    Bounds bounds) {
  public PlaySettings {
    clients = Map.copyOf(clients);
  }

  /**
   * How a play may begin.
   *
   * @param create the topic, where it is missing
   * @param append to records that did not come from this recording
   * @param again from the first record on, although the topic holds some or all of the recording
   */
  public record Start(boolean create, boolean append, boolean again) {
    /** Into an empty topic that is there, or where an earlier run has stopped. */
    public static final Start PLAIN = new Start(false, false, false);
  }

  /**
   * When a transaction is committed: at the first of these.
   *
   * @param records in it
   * @param bytes of their keys, values and headers
   * @param time since its first record was sent
   */
  public record Bounds(int records, long bytes, Duration time) {
    /** 50,000 records, 16 MiB, half a second. */
    public static final Bounds USUAL = new Bounds(50_000, 16 << 20, Duration.ofMillis(500));
  }

  /** The brokers to connect to. */
  String servers() {
    return clients.get("bootstrap.servers");
  }
}

package dev.sotto.learner.participation;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The bytes of a history: one that names the rule and the version of its layout, a check of 4 over
 * what follows and the plan, the last round in 8, then what the rule counts, in eights; all
 * big-endian.
 *
 * <p>Messages of refusal hold lengths and layouts, never what a history says of its unit: they may
 * be logged.
 */
final class HistoryFormat {
  private static final int CHECKED = 1 + 4;

  private final byte version;
  private final int length;
  private final int plan;
  private final String name;

  /**
   * A layout.
   *
   * @param version names rule and version; never used again for another layout
   * @param numbers how many numbers follow the last round
   * @param name of the rule, for messages
   * @param plan what histories must not be carried across, in one line
   */
  HistoryFormat(int version, int numbers, String name, String plan) {
    this.version = (byte) version;
    this.length = CHECKED + Long.BYTES * (1 + numbers);
    this.name = name;
    byte[] line = plan.getBytes(StandardCharsets.UTF_8);
    this.plan = crc(line, 0);
  }

  /**
   * A history from its last round on, once it is known to be of this layout and plan.
   *
   * @param round the round that is being filled
   * @throws IllegalArgumentException where it is not, or is of a later round
   */
  ByteBuffer open(byte[] history, long round) {
    checkRound(round);
    if (history.length == 0 || history[0] != version) {
      throw new IllegalArgumentException("a history of the rule '" + name + "' begins with byte "
          + version + ", but "
          + (history.length == 0 ? "had no bytes" : "began with " + history[0]));
    }
    if (history.length != length) {
      throw new IllegalArgumentException("a history of the rule '" + name + "' has " + length
          + " bytes, but had " + history.length);
    }
    ByteBuffer bytes = ByteBuffer.wrap(history).position(1);
    if (bytes.getInt() != (crc(history, CHECKED) ^ plan)) {
      throw new IllegalArgumentException(
          "the history of the rule '" + name + "' is damaged or was written under another plan");
    }
    if (bytes.getLong(CHECKED) > round) {
      throw new IllegalArgumentException("the history of the rule '" + name
          + "' goes on after round " + round + ", which is being filled");
    }
    return bytes;
  }

  /** A history to be, at its last round. */
  ByteBuffer blank() {
    return ByteBuffer.allocate(length).put(version).position(CHECKED);
  }

  /** The history, complete. */
  byte[] seal(ByteBuffer filled) {
    byte[] history = filled.array();
    filled.putInt(1, crc(history, CHECKED) ^ plan);
    return history;
  }

  static void checkRound(long round) {
    if (round < 1) {
      throw new IllegalArgumentException("rounds count from 1, but round was " + round);
    }
  }

  private static int crc(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    return (int) crc.getValue();
  }
}

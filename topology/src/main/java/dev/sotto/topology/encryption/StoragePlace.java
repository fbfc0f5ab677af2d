package dev.sotto.topology.encryption;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a value is kept: it is bound to it, so that no value of one place passes for one of
 * another.
 *
 * @param kind store or topic
 * @param app the application; empty for a topic, whose name begins with it
 * @param name of the store or the topic
 * @param partition of the task or the topic
 */
public record StoragePlace(Kind kind, String app, String name, int partition) {
  /** What values are kept in. */
  public enum Kind {
    STORE,
    TOPIC
  }

  private static final String FORMAT = "sotto at rest 1";

  /** A store of the task of one partition; its changelog holds the same values. */
  public static StoragePlace store(String app, String name, int partition) {
    return new StoragePlace(Kind.STORE, app, name, partition);
  }

  /** One partition of an internal topic. */
  public static StoragePlace topic(String name, int partition) {
    return new StoragePlace(Kind.TOPIC, "", name, partition);
  }

  /**
   * The beginning of the associated data of what is kept here; none is the beginning of another's.
   */
  byte[] associatedData() {
    byte[][] parts = {utf8(FORMAT), utf8(kind.name()), utf8(app), utf8(name)};
    int length = Integer.BYTES;
    for (byte[] part : parts) {
      length += Integer.BYTES + part.length;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (byte[] part : parts) {
      bytes.putInt(part.length).put(part);
    }
    return bytes.putInt(partition).array();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return kind == Kind.STORE
        ? "store " + name + " of app.id " + app + " (partition " + partition + ")"
        : "topic " + name + " (partition " + partition + ")";
  }
}

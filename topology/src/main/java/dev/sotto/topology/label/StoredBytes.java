package dev.sotto.topology.label;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Bytes and texts that may be null, with their length before them. */
final class StoredBytes {
  private StoredBytes() {}

  static void write(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  static byte[] read(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : in.readNBytes(length);
  }

  static void writeText(DataOutputStream out, String text) throws IOException {
    write(out, text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  static String readText(DataInputStream in) throws IOException {
    byte[] bytes = read(in);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }
}

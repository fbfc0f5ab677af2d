package dev.sotto.app.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Reads a file whose content is known beforehand, and refuses any other. */
final class Checksum {
  private Checksum() {}

  /**
   * The whole file.
   *
   * @param sha256 of the file that is meant, 64 hexadecimal digits
   * @param remedy what to do when the file is missing or wrong, ending the message
   */
  static byte[] read(Path file, String sha256, String remedy) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " must exist, but does not: " + remedy, e);
    }
    String found = HexFormat.of().formatHex(sha256().digest(bytes));
    if (!found.equals(sha256)) {
      throw new IOException(
          file + " must have sha256 " + sha256 + ", but has " + found + ": " + remedy);
    }
    return bytes;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must have SHA-256", e);
    }
  }
}

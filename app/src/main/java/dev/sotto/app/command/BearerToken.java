package dev.sotto.app.command;

import dev.sotto.learner.key.SecretFile;
import java.io.IOException;
import java.nio.file.Path;

/** A token in a file that others cannot read. */
final class BearerToken {
  private static final int LONGEST = 1 << 16;

  private BearerToken() {}

  /**
   * The token.
   *
   * @throws IOException where the file cannot be read, others can read it, or it holds no token
   */
  static String read(Path file) throws IOException {
    String token = SecretFile.read(file, "token file", "one token", LONGEST).strip();
    if (token.isEmpty() || token.chars().anyMatch(each -> each <= ' ')) {
      throw new IOException(
          "the token file " + file + " must hold one token without blanks, but does not");
    }
    return token;
  }
}

package dev.sotto.connectors.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** Records as the named versions of their schemas have written them. */
final class Golden {
  private static final Path FOLDER = Path.of("..", "serdes", "src", "test", "resources", "golden");

  private Golden() {}

  /** Such as LedgerEntry-1. */
  static byte[] bytes(String name) throws IOException {
    return HexFormat.of()
        .parseHex(Files.readString(FOLDER.resolve(name + ".hex")).strip());
  }
}

package dev.sotto.app.command;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Kafka client settings from a properties file: a picocli mixin. */
final class ClientProperties {
  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "A properties file with Kafka client settings (security and the like).")
  private Path file;

  /** The settings; none where no file is named. */
  Map<String, String> read() {
    Map<String, String> clients = new HashMap<>();
    if (file != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      } catch (IOException unreadable) {
        throw new SottoException(
            FailureKind.CONFIGURATION,
            "--command-config " + file + " cannot be read: " + unreadable,
            unreadable);
      }
      properties.forEach((name, value) -> clients.put(name.toString(), value.toString()));
    }
    return clients;
  }
}

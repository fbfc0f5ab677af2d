package dev.sotto.app.command;

import dev.sotto.config.key.KafkaSettings;
import dev.sotto.config.key.SecretValues;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** Kafka client settings from a properties file, as Kafka's own commands take them. */
final class ClientProperties {
  private ClientProperties() {}

  /**
   * The settings.
   *
   * @param named what names the file, for messages
   */
  static Map<String, String> read(Path file, String named) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException unreadable) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          named + " " + file + " cannot be read: " + unreadable,
          unreadable);
    }
    Map<String, String> clients = new TreeMap<>();
    properties.forEach((name, value) -> clients.put(name.toString(), value.toString()));
    return clients;
  }

  /**
   * The same for a file that a context names: where it has a secret, others may not read it.
   *
   * @throws SottoException where they may
   */
  static Map<String, String> readUnshared(Path file, String named) {
    Map<String, String> clients = read(file, named);
    clients.keySet().stream()
        .filter(each -> SecretValues.isSecret(KafkaSettings.PREFIX + each))
        .findFirst()
        .filter(each -> isShared(file))
        .ifPresent(secret -> {
          throw new SottoException(
              FailureKind.CONFIGURATION,
              named + " " + file + " has a secret (" + secret
                  + "), so that its owner alone may read it, but others may; chmod 600 it");
        });
    return clients;
  }

  private static boolean isShared(Path file) {
    try {
      Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
      return allowed.contains(PosixFilePermission.GROUP_READ)
          || allowed.contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException unknown) {
      return false; // a file system without such permissions
    }
  }
}

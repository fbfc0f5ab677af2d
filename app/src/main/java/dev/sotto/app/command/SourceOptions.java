package dev.sotto.app.command;

import dev.sotto.app.config.ConfigFailure;
import dev.sotto.app.config.ConfigSource;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Where a command finds a topic and its keyset: by flags, or by a configuration that flags override. */
final class SourceOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "A configuration: its topic, brokers, client settings, Avro schema and encryption.")
  private Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "One setting, instead of that in the file or the environment; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The brokers to connect to.")
  private String bootstrapServers;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "A properties file with Kafka client settings (security and the like).")
  private Path commandConfig;

  @Option(
      names = "--encryption-key-file",
      paramLabel = "FILE",
      description = "The keyset under which the recording is encrypted (sotto key --encryption).")
  private Path encryptionKey;

  /** The configuration, if one is named. */
  Optional<SottoConfig> config() {
    if (config == null) {
      return Optional.empty();
    }
    return Optional.of(load(ConfigSource.of(config)
        .withEnvironment(System.getenv())
        .withFlags(settings)
        .withBootstrapServers(bootstrapServers)));
  }

  /** Recording draws no noise: its key may be missing, but never that of the encryption. */
  private static SottoConfig load(ConfigSource source) {
    try {
      return SottoConfig.load(source);
    } catch (ConfigFailure failure) {
      if (failure.faults().stream().allMatch(each -> each.key().startsWith("noise.key"))) {
        return KeylessConfig.load(source);
      }
      throw failure;
    }
  }

  /**
   * Kafka client settings: those of the configuration, then those of the properties file.
   *
   * @throws StartFailure where no brokers are named
   */
  Map<String, String> clients(Optional<SottoConfig> given) {
    Map<String, String> clients = new HashMap<>();
    given.ifPresent(each -> clients.putAll(each.service().clients()));
    if (commandConfig != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(commandConfig)) {
        properties.load(reader);
      } catch (IOException unreadable) {
        throw new StartFailure(
            ExitCode.CONFIGURATION,
            "--command-config " + commandConfig + " cannot be read: " + unreadable,
            unreadable);
      }
      properties.forEach((name, value) -> clients.put(name.toString(), value.toString()));
    }
    if (bootstrapServers != null) {
      clients.put("bootstrap.servers", bootstrapServers);
    }
    if (clients.get("bootstrap.servers") == null) {
      throw new StartFailure(
          ExitCode.USAGE, "the brokers are not named: give --bootstrap-server, or -c");
    }
    return clients;
  }

  /** The keyset of the flag, otherwise of the configuration; none where neither names one. */
  Encryption encryption(Optional<SottoConfig> given) {
    if (encryptionKey == null) {
      return given.map(each -> each.learner().encryption()).orElseGet(Encryption::none);
    }
    try {
      return Keyset.read(encryptionKey);
    } catch (IOException | IllegalArgumentException unusable) {
      throw new StartFailure(
          ExitCode.CONFIGURATION,
          "--encryption-key-file must name a usable keyset, but: " + unusable.getMessage()
              + "; make one with: sotto key --encryption FILE",
          unusable);
    }
  }
}

package dev.sotto.app.command;

import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Where a command finds a topic and its keyset: by flags, or by a configuration that flags
 * override.
 */
final class SourceOptions {
  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "A configuration: its topic, brokers, client settings, Avro schema and encryption.")
  private Path config;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The brokers to connect to.")
  private String bootstrapServers;

  @Mixin
  private ClientProperties clientProperties;

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
        .withFlags(settings.all())
        .withBootstrapServers(bootstrapServers)));
  }

  /** Recording draws no noise: its key may be missing, but never that of the encryption. */
  private static SottoConfig load(ConfigSource source) {
    try {
      return SottoConfig.load(source);
    } catch (ConfigException failure) {
      if (failure.errors().stream()
          .allMatch(each -> each.key().startsWith(NoiseKeySettings.PREFIX))) {
        return ConfigWithoutKeys.load(source);
      }
      throw failure;
    }
  }

  /**
   * Kafka client settings: those of the configuration, then those of the properties file.
   *
   * @throws SottoException where no brokers are named
   */
  Map<String, String> clients(Optional<SottoConfig> given) {
    Map<String, String> clients = new HashMap<>();
    given.ifPresent(each -> clients.putAll(each.service().clients()));
    clients.putAll(clientProperties.read());
    if (bootstrapServers != null) {
      clients.put("bootstrap.servers", bootstrapServers);
    }
    if (clients.get("bootstrap.servers") == null) {
      throw new SottoException(
          FailureKind.USAGE, "the brokers are not named: give --bootstrap-server, or -c");
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
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "--encryption-key-file must name a usable keyset, but: " + unusable.getMessage()
              + "; make one with: sotto key --encryption FILE",
          unusable);
    }
  }
}

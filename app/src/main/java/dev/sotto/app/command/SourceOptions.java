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
import picocli.CommandLine.Option;

/**
 * Where a command finds a topic and its keyset: by flags, or by a configuration that flags
 * override.
 */
final class SourceOptions extends LearnerOptions {
  @Option(
      names = "--encryption-key-file",
      paramLabel = "FILE",
      description = "The keyset under which the recording is encrypted (sotto key --encryption).")
  private Path encryptionKey;

  /** What is current decides over brokers, not over how a file is encrypted. */
  @Override
  boolean givesConfiguration(Chosen chosen) {
    return chosen.byFlag();
  }

  /** Settings of Kafka's clients, with what follows from the other settings of a configuration. */
  Map<String, String> clients(Optional<SottoConfig> given) {
    Map<String, String> clients = new HashMap<>();
    given.ifPresent(each -> clients.putAll(each.service().clients()));
    clients.putAll(clients());
    return clients;
  }

  /** The configuration, if one is named. */
  Optional<SottoConfig> config() {
    Optional<ConfigSource> source = findSource();
    if (source.isEmpty() && isNamed()) {
      throw misused("--app-id names a learner, but without its configuration this command is of a"
          + " topic alone: add -c FILE, or leave it out");
    }
    return source.map(SourceOptions::load);
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

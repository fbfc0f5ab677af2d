package dev.sotto.app.command;

import dev.sotto.config.ConfigSource;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags that name a configuration, for every command that reads one: a picocli mixin. */
public final class ConfigOptions {
  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "The configuration: YAML, see docs/configuration.md.")
  private Path file;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The brokers to ask first, instead of bootstrap.servers.")
  private String bootstrapServers;

  /** File, environment and flags together. */
  public ConfigSource source(Map<String, String> environment) {
    return ConfigSource.of(file)
        .withEnvironment(environment)
        .withFlags(settings.all())
        .withBootstrapServers(bootstrapServers);
  }

  /** The brokers of the flag, or null. */
  public String bootstrapServers() {
    return bootstrapServers;
  }
}

package dev.sotto.app.command;

import dev.sotto.app.scoring.EventSchemas;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.RegistryConfig;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.topology.registry.RegistrySettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the schemas of Avro events are: a picocli mixin. */
final class EventSchemaOptions {
  private static final String FLAGS = "the registry's flags";

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "A schema (.avsc) of Avro events; several where they have several.")
  private List<Path> schemas = List.of();

  @Option(
      names = "--registry-url",
      paramLabel = "URL",
      description = "The registry whose ids the events name (docs/registry.md).")
  private String url;

  @Option(
      names = "--registry-file",
      paramLabel = "FILE",
      description = "A file of ids and schemas, instead of the registry or beside it.")
  private String file;

  @Option(
      names = "--registry-auth",
      paramLabel = "KIND",
      description = "basic or bearer, with the secret of --registry-secret-file.")
  private String auth;

  @Option(
      names = "--registry-secret-file",
      paramLabel = "FILE",
      description = "user:password or the token, readable by its owner alone.")
  private String secretFile;

  @Option(
      names = "--registry-secret-env",
      paramLabel = "NAME",
      description = "The environment variable with the same instead.")
  private String secretVariable;

  @Option(
      names = "--registry-ca-file",
      paramLabel = "FILE",
      description = "The certificates (PEM) that vouch for the registry.")
  private String certificates;

  /**
   * All that is known; nothing is asked yet.
   *
   * @param config the learner's configuration, of which the settings of events.registry count
   */
  EventSchemas read(Optional<Path> config) {
    Map<String, String> environment = System.getenv();
    ConfigSource source = config.map(ConfigSource::of).orElseGet(() -> ConfigSource.of(FLAGS, ""));
    Optional<WriterSchemas> registry = RegistryConfig.load(
            source.withEnvironment(environment).withFlags(flags()))
        .map(each -> each);
    return new EventSchemas(schemas.stream().map(SchemaFile::read).toList(), registry);
  }

  private List<String> flags() {
    List<String> flags = new ArrayList<>();
    add(flags, RegistrySettings.URL.name(), url);
    add(flags, RegistrySettings.FILE.name(), file);
    add(flags, RegistrySettings.AUTH.name(), auth);
    add(flags, RegistrySettings.SECRET_FILE.name(), secretFile);
    add(flags, RegistrySettings.SECRET_VARIABLE.name(), secretVariable);
    add(flags, RegistrySettings.CERTIFICATES.name(), certificates);
    return flags;
  }

  private static void add(List<String> flags, String key, String value) {
    if (value != null) {
      flags.add(key + "=" + value);
    }
  }
}

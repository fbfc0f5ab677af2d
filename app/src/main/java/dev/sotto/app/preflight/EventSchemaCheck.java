package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.event.ShapeProblems;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Whether fields have types that can be read, by schemas that the configuration does not list. */
public final class EventSchemaCheck {
  /**
   * What was found.
   *
   * @param name of the subject that was looked up, or what a message calls the schemas
   * @param faults one sentence each
   * @param note why nothing could be compared; empty where it was
   */
  public record Result(String name, List<String> faults, String note) {}

  private EventSchemaCheck() {}

  /** Of which kind the schemas of events are; empty where they have none. */
  public static Optional<WriterSchema.Kind> kind(SottoConfig config) {
    return EventKeys.registered(config.effective().get(EventKeys.FORMAT));
  }

  /** Compares with schemas that somebody has at hand. */
  public static Result of(SottoConfig config, String name, List<WriterSchema> schemas) {
    WriterSchema.Kind kind = kind(config).orElseThrow();
    List<String> others = schemas.stream()
        .filter(each -> each.kind() != kind)
        .map(each -> "must be of type " + kind + ", but is of type " + each.kind())
        .distinct()
        .toList();
    if (!others.isEmpty()) {
      return new Result(name, others, "");
    }
    FeatureMap map = FeatureMapText.parse(config.learner().plan().features()).map();
    List<String> faults =
        ShapeProblems.of(map, schemas, "").stream().map(ConfigError::rule).toList();
    return new Result(name, faults, "");
  }

  /** Compares with the newest schema of the topic's values; empty where no registry is asked. */
  public static Optional<Result> ofRegistry(SottoConfig config) {
    return config
        .learner()
        .events()
        .registry()
        .flatMap(SchemaRegistry::client)
        .map(client -> ofRegistry(config, client));
  }

  private static Result ofRegistry(SottoConfig config, RegistryClient client) {
    String subject = config.learner().sourceTopic() + "-value";
    String name = "subject " + subject + " of " + client.url();
    try {
      return client
          .newest(subject)
          .map(schema -> of(config, name, List.of(schema)))
          .orElseGet(() -> new Result(
              name,
              List.of(),
              "it has no schema that can be read, so types of fields were not compared"));
    } catch (IOException none) {
      return new Result(
          name,
          List.of(),
          "the registry does not answer, so types of fields were not compared: "
              + none.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Result(name, List.of(), "interrupted, so types of fields were not compared");
    }
  }
}

package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** Whether fields have types that can be read, by schemas that the configuration does not list. */
public final class EventSchemaCheck {
  private static final String AVRO = "\nevents avro ";

  /**
   * What was found.
   *
   * @param name of the subject that was looked up, or what a message calls the schemas
   * @param faults one sentence each
   * @param note why nothing could be compared; empty where it was
   */
  public record Result(String name, List<String> faults, String note) {}

  private EventSchemaCheck() {}

  /** Whether the events are Avro. */
  public static boolean isAvro(SottoConfig config) {
    return config.learner().plan().features().contains(AVRO);
  }

  /** Compares with schemas that somebody has at hand. */
  public static Result of(SottoConfig config, String name, List<Schema> schemas) {
    FeatureMap map = FeatureMapText.parse(config.learner().plan().features()).map();
    List<String> faults =
        AvroEventDecoder.problems(map, AvroFraming.SINGLE_OBJECT, schemas).stream()
            .map(ConfigError::rule)
            .toList();
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
              name, List.of(), "it has no Avro schema, so types of fields were not compared"));
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

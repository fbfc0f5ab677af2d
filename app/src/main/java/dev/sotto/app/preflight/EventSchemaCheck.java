package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.event.ShapeProblems;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether fields have types that can be read, by schemas that the configuration does not list. */
public final class EventSchemaCheck {
  /**
   * What was found.
   *
   * @param name of the subject that was looked up, or what a message calls the schemas
   * @param faults one sentence each
   * @param unusable those of them for which no record could be used at all
   * @param note why nothing could be compared; empty where it was
   */
  public record Result(String name, List<String> faults, List<String> unusable, String note) {
    private static Result of(String name, String note) {
      return new Result(name, List.of(), List.of(), note);
    }
  }

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
      return new Result(name, others, others, "");
    }
    FeatureMap map = FeatureMapText.parse(config.learner().plan().features()).map();
    return new Result(
        name,
        rules(ShapeProblems.of(map, schemas, "")),
        rules(ShapeProblems.unusable(map, schemas)),
        "");
  }

  private static List<String> rules(List<ConfigError> problems) {
    return problems.stream().map(ConfigError::rule).toList();
  }

  /**
   * Refuses to start where no record of the newest schema could be used. What is not known, since
   * the registry does not answer, is no reason.
   */
  public static void requireUsable(SottoConfig config) {
    ofRegistry(config).filter(each -> !each.unusable().isEmpty()).ifPresent(each -> {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          each.name() + " " + String.join("; ", each.unusable())
              + "; nothing was started. Correct label.field, features.* or the schema, then check"
              + " with: sotto run --check");
    });
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
    List<String> subjects = new ArrayList<>();
    subjects.add(config.learner().sourceTopic() + "-value");
    config.learner().labels().ifPresent(labels -> subjects.add(labels.topic() + "-value"));
    String name = "subject " + String.join(" and ", subjects) + " of " + client.url();
    try {
      List<WriterSchema> schemas = new ArrayList<>();
      for (String subject : subjects) {
        client.newest(subject).ifPresent(schemas::add);
      }
      return schemas.size() == subjects.size()
          ? of(config, name, schemas)
          : Result.of(
              name, "it has no schema that can be read, so types of fields were not compared");
    } catch (IOException none) {
      return Result.of(
          name,
          "the registry does not answer, so types of fields were not compared: "
              + none.getMessage());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return Result.of(name, "interrupted, so types of fields were not compared");
    }
  }
}

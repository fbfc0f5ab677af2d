package dev.sotto.app.scoring;

import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.serdes.registry.WriterSchemas;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * What is known of the schemas of Avro events.
 *
 * @param written schemas, by themselves
 * @param byId those of a registry; empty where none is named
 */
public record EventSchemas(List<Schema> written, Optional<WriterSchemas> byId) {
  public EventSchemas {
    written = List.copyOf(written);
  }

  /**
   * A scorer for the events from which a model learns.
   *
   * @throws IllegalArgumentException where these schemas do not do; the message says which would
   */
  public Scorer scorer(ScoringModel model) {
    if (model.namesSchemasById()) {
      return model.scorer(byId.orElseThrow(() -> new IllegalArgumentException("the events of model "
          + model.modelId() + " name schemas by ids of a registry, which is not named: give"
          + " --registry-url, --registry-file, or the learner's configuration by --config")));
    }
    try {
      return model.scorer(written);
    } catch (IllegalArgumentException unfit) {
      throw new IllegalArgumentException(
          unfit.getMessage() + "; name it with --schema FILE", unfit);
    }
  }
}

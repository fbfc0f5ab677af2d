package dev.sotto.app.predict;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.key.OwnerOnly;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;

/** A published version as one JSON object; docs/wire-format.md, "A model in a file". */
public final class ExportedModel {
  /** The value of {@code format}. */
  public static final String FORMAT = "sotto-model 1";

  private ExportedModel() {}

  /** Writes it beside the file first, so that the file is replaced as a whole. */
  public static void write(PublishedModel model, Path file) throws IOException {
    write(model, Optional.empty(), file);
  }

  /**
   * The same of a version that a replay may have made.
   *
   * @param origin the replay, if there was one: then only the file's owner can read it
   */
  public static void write(PublishedModel model, Optional<ReplayOrigin> origin, Path file)
      throws IOException {
    PublishedModel written = origin.map(replay -> replay.honest(model)).orElse(model);
    WholeFile.write(file, beside -> {
      if (origin.isPresent()) {
        OwnerOnly.create(beside);
      }
      try (Writer writer = Files.newBufferedWriter(beside);
          JsonGenerator out = new JsonFactory().createGenerator(writer)) {
        write(written, origin, out);
        out.writeRaw('\n');
      }
    });
  }

  private static void write(PublishedModel model, Optional<ReplayOrigin> origin, JsonGenerator out)
      throws IOException {
    ModelSnapshot manifest = model.manifest();
    HexFormat hex = HexFormat.of();
    out.writeStartObject();
    out.writeStringField("format", FORMAT);
    out.writeStringField("modelId", manifest.modelId());
    out.writeStringField("runId", hex.formatHex(manifest.runId()));
    out.writeNumberField("generation", manifest.generation());
    out.writeNumberField("version", manifest.version());
    out.writeBooleanField("last", manifest.last());
    out.writeStringField("algorithm", manifest.algorithm());
    out.writeStringField("loss", manifest.loss());
    out.writeStringField("features", manifest.features());
    guarantee(manifest.guarantee(), out);
    if (origin.isPresent()) {
      replay(origin.get(), out);
    }
    out.writeStringField("digest", hex.formatHex(manifest.digest()));
    out.writeStringField("ledgerHash", hex.formatHex(manifest.ledgerHash()));
    out.writeStringField("fingerprint", hex.formatHex(manifest.fingerprint()));
    out.writeNumberField("dimension", manifest.dimension());
    out.writeArrayFieldStart("weights");
    for (double weight : model.weights()) {
      out.writeNumber(weight);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void replay(ReplayOrigin origin, JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("replay");
    out.writeStringField("noiseKey", origin.keyId().orElse(null));
    out.writeArrayFieldStart("notes");
    for (String note : origin.notes()) {
      out.writeString(note);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void guarantee(Guarantee guarantee, JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("guarantee");
    out.writeStringField("unit", guarantee.unit().configName());
    out.writeStringField("adjacency", guarantee.adjacency().configName());
    out.writeStringField("mechanism", guarantee.mechanism());
    figure("mu", guarantee.mu(), out);
    figure("epsilon", guarantee.epsilon(), out);
    figure("delta", guarantee.delta(), out);
    figure("muLimit", guarantee.muLimit(), out);
    figure("epsilonLimit", guarantee.epsilonLimit(), out);
    out.writeEndObject();
  }

  /** JSON has no infinity: null stands for it. */
  private static void figure(String name, double value, JsonGenerator out) throws IOException {
    if (value < Double.POSITIVE_INFINITY) {
      out.writeNumberField(name, value);
    } else {
      out.writeNullField(name);
    }
  }
}

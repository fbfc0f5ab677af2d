package dev.sotto.connectors.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.training.ModelSnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON of a model file. Bytes are hex text; every double is written so that reading it gives
 * the same double, and an infinite one, a limit where there is none, as the text {@code
 * "Infinity"}. The weights come last.
 */
final class ModelJson {
  static final String MODEL = "model";
  static final String RUN = "run";
  static final String GENERATION = "generation";
  static final String VERSION = "version";

  private static final JsonFactory FACTORY = new JsonFactory();
  private static final HexFormat HEX = HexFormat.of();

  private final PublishedVersion published;
  private final Map<String, String> besides;

  /** A part of the JSON. */
  private interface Part {
    void writeTo(JsonGenerator out) throws IOException;
  }

  /**
   * The JSON of a version.
   *
   * @param besides what it says of other files, by name
   */
  ModelJson(PublishedVersion published, Map<String, String> besides) {
    this.published = published;
    this.besides = besides;
  }

  /** With the weights in it. */
  byte[] whole() throws IOException {
    double[] weights = published.model().weights();
    return bytes(out -> {
      out.writeFieldName("weights");
      out.writeArray(weights, 0, weights.length);
    });
  }

  /** With the name of the file that has the weights, and that file's SHA-256 as hex. */
  byte[] beside(String weightsFile, String sha256) throws IOException {
    return bytes(out -> {
      out.writeStringField("weightsFile", weightsFile);
      out.writeStringField("weightsFormat", "little-endian doubles");
      out.writeStringField("weightsSha256", sha256);
    });
  }

  private byte[] bytes(Part weights) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      out.setPrettyPrinter(new DefaultPrettyPrinter());
      out.writeStartObject();
      version(out, published.model().manifest());
      guarantee(out, published.model().manifest().guarantee());
      source(out);
      for (Map.Entry<String, String> each : besides.entrySet()) {
        out.writeStringField(each.getKey(), each.getValue());
      }
      weights.writeTo(out);
      out.writeEndObject();
      out.writeRaw('\n');
    }
    return bytes.toByteArray();
  }

  private static void version(JsonGenerator out, ModelSnapshot manifest) throws IOException {
    out.writeStringField(MODEL, manifest.modelId());
    out.writeStringField(RUN, HEX.formatHex(manifest.runId()));
    out.writeNumberField(GENERATION, manifest.generation());
    out.writeNumberField(VERSION, manifest.version());
    out.writeBooleanField("last", manifest.last());
    out.writeStringField("algorithm", manifest.algorithm());
    out.writeStringField("loss", manifest.loss());
    out.writeStringField("features", manifest.features());
    out.writeNumberField("dimension", manifest.dimension());
    Optional<Objective> objective = Objectives.named(manifest.loss());
    if (objective.isPresent()) {
      out.writeNumberField("rows", objective.get().rows());
      out.writeNumberField("tail", objective.get().tail());
    }
    out.writeStringField("digest", HEX.formatHex(manifest.digest()));
    out.writeStringField("fingerprint", HEX.formatHex(manifest.fingerprint()));
    out.writeStringField("ledgerHash", HEX.formatHex(manifest.ledgerHash()));
  }

  private static void guarantee(JsonGenerator out, Guarantee guarantee) throws IOException {
    out.writeObjectFieldStart("guarantee");
    out.writeStringField("unit", guarantee.unit().configName());
    out.writeStringField("unitMeans", guarantee.unit().sentence());
    out.writeStringField("adjacency", guarantee.adjacency().configName());
    out.writeStringField("adjacencyMeans", guarantee.adjacency().sentence());
    out.writeStringField("mechanism", guarantee.mechanism());
    out.writeNumberField("mu", guarantee.mu());
    out.writeNumberField("epsilon", guarantee.epsilon());
    out.writeNumberField("delta", guarantee.delta());
    out.writeNumberField("muLimit", guarantee.muLimit());
    out.writeNumberField("epsilonLimit", guarantee.epsilonLimit());
    out.writeEndObject();
  }

  private void source(JsonGenerator out) throws IOException {
    out.writeObjectFieldStart("manifestAt");
    out.writeStringField("topic", published.partition().topic());
    out.writeNumberField("partition", published.partition().partition());
    out.writeNumberField("offset", published.offset());
    out.writeEndObject();
    out.writeArrayFieldStart("lastRoundRead");
    for (OffsetRange range : published.model().manifest().ranges()) {
      out.writeStartObject();
      out.writeNumberField("partition", range.partition());
      out.writeNumberField("from", range.from());
      out.writeNumberField("to", range.to());
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}

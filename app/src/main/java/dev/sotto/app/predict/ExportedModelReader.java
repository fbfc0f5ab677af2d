package dev.sotto.app.predict;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Reads what {@link ExportedModel} writes; the weights must have the digest that is stated. */
public final class ExportedModelReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final JsonNode json;

  private ExportedModelReader(Path file, JsonNode json) {
    this.file = file;
    this.json = json;
  }

  /** Whether a file may be one: whether it begins as JSON does. */
  public static boolean mayBe(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return in.read() == '{';
    } catch (IOException unreadable) {
      return false; // said by whoever reads it
    }
  }

  /**
   * The version in a file, which is checked once it is asked for.
   *
   * @throws SottoException where it cannot be read
   */
  public static ExportedModelReader open(Path file) {
    try {
      return new ExportedModelReader(file, JSON.readTree(Files.readAllBytes(file)));
    } catch (IOException unreadable) {
      throw new SottoException(
          FailureKind.UNVERIFIED,
          file + " is no exported model, or is cut off: "
              + (unreadable instanceof JsonProcessingException json
                  ? json.getOriginalMessage() + " (column " + json.getLocation().getColumnNr() + ")"
                  : unreadable.getMessage())
              + "; write one with: sotto export --out FILE, or sotto replay --out FOLDER",
          unreadable);
    }
  }

  /** The replay that it was learned in; empty for a published version. */
  public Optional<ReplayOrigin> origin() {
    JsonNode replay = json.get("replay");
    if (replay == null) {
      return Optional.empty();
    }
    List<String> notes = new ArrayList<>();
    field(replay, "notes").forEach(each -> notes.add(each.asText()));
    JsonNode key = field(replay, "noiseKey");
    return Optional.of(
        new ReplayOrigin(key.isNull() ? Optional.empty() : Optional.of(key.asText()), notes));
  }

  /**
   * The version.
   *
   * @throws SottoException where it is of another format, or its weights are not those of its
   *     digest
   */
  public PublishedModel model() {
    if (json.get("format") == null && json.has("weights") && json.has("digest")) {
      throw damaged("it is a line of a replay's snapshots.jsonl: the model of that replay is"
          + " model.json, beside it");
    }
    String format = text(json, "format");
    if (!format.equals(ExportedModel.FORMAT)) {
      throw damaged("format must be " + ExportedModel.FORMAT + ", but is " + format
          + ": read it with the version of Sotto that wrote it");
    }
    JsonNode listed = field(json, "weights");
    double[] weights = new double[listed.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = listed.get(i).doubleValue();
    }
    Guarantee guarantee = guarantee(field(json, "guarantee"));
    byte[] digest = bytes("digest");
    if (weights.length != field(json, "dimension").intValue()
        || !Arrays.equals(digest, ModelSnapshot.digest(weights, guarantee))) {
      throw damaged("its weights or its guarantee are not those of its digest");
    }
    return new PublishedModel(
        new ModelSnapshot(
            text(json, "modelId"),
            bytes("runId"),
            field(json, "generation").intValue(),
            field(json, "version").longValue(),
            weights.length,
            0,
            digest,
            text(json, "features"),
            text(json, "loss"),
            text(json, "algorithm"),
            field(json, "last").booleanValue(),
            guarantee,
            bytes("fingerprint"),
            List.of(),
            bytes("ledgerHash")),
        weights);
  }

  private Guarantee guarantee(JsonNode from) {
    String unit = text(from, "unit");
    String adjacency = text(from, "adjacency");
    try {
      return new Guarantee(
          PrivacyUnit.named(unit).orElseThrow(() -> damaged("unit must not be " + unit)),
          Adjacency.named(adjacency)
              .orElseThrow(() -> damaged("adjacency must not be " + adjacency)),
          text(from, "mechanism"),
          figure(from, "mu"),
          figure(from, "epsilon"),
          figure(from, "delta"),
          figure(from, "muLimit"),
          figure(from, "epsilonLimit"));
    } catch (IllegalArgumentException wrong) {
      throw damaged(wrong.getMessage());
    }
  }

  private JsonNode field(JsonNode from, String name) {
    JsonNode found = from.get(name);
    if (found == null) {
      throw damaged("it lacks " + name);
    }
    return found;
  }

  private String text(JsonNode from, String name) {
    return field(from, name).asText();
  }

  private double figure(JsonNode from, String name) {
    JsonNode found = field(from, name);
    return found.isNull() ? Double.POSITIVE_INFINITY : found.doubleValue();
  }

  private byte[] bytes(String name) {
    try {
      return HexFormat.of().parseHex(text(json, name));
    } catch (IllegalArgumentException wrong) {
      throw damaged(name + " must be hexadecimal");
    }
  }

  private SottoException damaged(String why) {
    return new SottoException(
        FailureKind.UNVERIFIED, file + " is no exported model, or is damaged: " + why);
  }
}

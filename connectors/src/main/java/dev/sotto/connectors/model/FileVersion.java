package dev.sotto.connectors.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.training.ModelSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.apache.kafka.connect.errors.ConnectException;

/** Which version a file holds: versions of one run are ordered, those of two runs are not. */
record FileVersion(String run, long generation, long version) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static FileVersion of(ModelSnapshot manifest) {
    return new FileVersion(
        HexFormat.of().formatHex(manifest.runId()), manifest.generation(), manifest.version());
  }

  /**
   * The version in a file, or null if there is no file.
   *
   * @throws ConnectException if it is the file of something else, which is not ours to replace
   */
  static FileVersion read(Path file, String modelId) throws IOException {
    if (!Files.exists(file)) {
      return null;
    }
    JsonNode found;
    try {
      found = JSON.readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw new ConnectException(
          file + " must be a file of model " + modelId + ", but was no JSON", e);
    }
    if (!modelId.equals(found.path(ModelJson.MODEL).asText(null))) {
      throw new ConnectException(file + " must be a file of model " + modelId + ", but was one of "
          + found.path(ModelJson.MODEL).asText("something else"));
    }
    return new FileVersion(
        found.path(ModelJson.RUN).asText(),
        found.path(ModelJson.GENERATION).asLong(),
        found.path(ModelJson.VERSION).asLong());
  }

  boolean replaces(FileVersion before) {
    if (!run.equals(before.run)) {
      return true;
    }
    return generation > before.generation
        || generation == before.generation && version > before.version;
  }
}

package dev.sotto.app.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.app.predict.ExportedModel;
import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Keeps the newest version of every model that a replay makes, and writes each to a file that
 * scores without a broker: {@code model.json}, or {@code model-<id>.json} where there are several.
 * Only their owner can read them.
 */
public final class ReplayedModels implements OutputListener {
  private static final String ONE = "model.json";
  private static final String SEVERAL = "model-";
  private static final String JSON = ".json";

  private final SnapshotAssembler assembler = new SnapshotAssembler();
  private final Map<String, PublishedModel> newest = new TreeMap<>();

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    assembler
        .accept(key.getBytes(StandardCharsets.UTF_8), value)
        .ifPresent(model -> newest.put(model.manifest().modelId(), model));
  }

  /** The newest version of each model, by its id. */
  public Map<String, PublishedModel> newest() {
    return newest;
  }

  /** The file of the model that learns alone. */
  public static Path file(Path folder) {
    return folder.resolve(ONE);
  }

  /**
   * Removes what an earlier replay left in a folder.
   *
   * @throws IOException where that cannot be
   */
  static void removeFrom(Path folder) throws IOException {
    try (Stream<Path> there = Files.list(folder)) {
      for (Path each : there.toList()) {
        if (each.equals(file(folder)) || isOfAReplay(each)) {
          Files.delete(each);
        }
      }
    }
  }

  /** Whether it is named for the model in it, which a replay has made: nobody else's file. */
  private static boolean isOfAReplay(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (!name.startsWith(SEVERAL) || !name.endsWith(JSON) || !Files.isRegularFile(file)) {
      return false;
    }
    String id = "";
    try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        if (field.equals("modelId")) {
          id = json.getText();
        } else if (field.equals("replay")) {
          return name.equals(name(id)); // before the weights
        }
        json.skipChildren();
      }
      return false;
    } catch (JsonProcessingException other) {
      return false;
    }
  }

  /** The name of a model's file where there are several. */
  private static String name(String id) {
    return SEVERAL + URLEncoder.encode(id, StandardCharsets.UTF_8) + JSON;
  }

  /**
   * Writes the files.
   *
   * @return which
   * @throws SottoException where that cannot be
   */
  public List<Path> write(Path folder, ReplayOrigin origin) {
    List<Path> written = new ArrayList<>();
    newest.forEach((id, model) -> {
      Path file = newest.size() == 1 ? file(folder) : folder.resolve(name(id));
      try {
        ExportedModel.write(model, Optional.of(origin), file);
      } catch (IOException unwritable) {
        throw new SottoException(
            FailureKind.STATE_FOLDER,
            file + " cannot be written: " + unwritable + "; free some space, or name another folder"
                + " with --out",
            unwritable);
      }
      written.add(file);
    });
    return written;
  }
}

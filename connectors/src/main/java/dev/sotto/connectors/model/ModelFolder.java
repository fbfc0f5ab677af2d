package dev.sotto.connectors.model;

import dev.sotto.client.ScoringModel;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.onnx.OnnxModel;
import dev.sotto.serdes.avro.PackedDoubles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder with one file for each model, {@code <model>.json}. Up to {@value #MOST_IN_JSON} weights
 * stand in it; more stand beside it in {@code <model>.weights}, as little-endian doubles, and the
 * JSON has their SHA-256: the weights are replaced first, so a reader who finds another hash reads
 * both again. If asked to, {@code <model>.onnx} is replaced before both, and the JSON has its hash
 * too.
 *
 * <p>A file is written under another name, forced to the disk, then renamed, so no reader and no
 * crash meets half of it. An older version never replaces a newer one of the same run.
 */
final class ModelFolder {
  static final int MOST_IN_JSON = 65_536;

  private static final Logger LOG = LoggerFactory.getLogger(ModelFolder.class);

  private final Path folder;
  private final boolean onnx;
  private final String temporary = "." + UUID.randomUUID() + ".tmp";
  private final Map<String, FileVersion> written = new HashMap<>();

  ModelFolder(ModelFileConfig config) {
    this.folder = config.directory();
    this.onnx = config.onnx();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private ConnectException unwritable(IOException why) {
    return new ConnectException(
        ModelFileConfig.DIRECTORY + " must be a folder that can be written, but was " + folder
            + ": " + why,
        why);
  }

  /** Looks at the files again before the next versions are written. */
  void forget() {
    written.clear();
  }

  /** Writes a version, unless the file has it or a later one. */
  void keep(PublishedVersion published) {
    ModelSnapshot manifest = published.model().manifest();
    String name = FileNames.of(manifest.modelId());
    Path json = folder.resolve(name + ".json");
    FileVersion version = FileVersion.of(manifest);
    try {
      FileVersion before = written.get(manifest.modelId());
      if (before == null) {
        before = FileVersion.read(json, manifest.modelId());
      }
      if (before == null || version.replaces(before)) {
        write(published, name, json);
        before = version;
      }
      written.put(manifest.modelId(), before);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private void write(PublishedVersion published, String name, Path json) throws IOException {
    double[] weights = published.model().weights();
    Map<String, String> besides = onnx ? writeOnnx(published, name) : Map.of();
    ModelJson text = new ModelJson(published, besides);
    if (weights.length > MOST_IN_JSON) {
      byte[] packed = PackedDoubles.pack(weights);
      String beside = name + ".weights";
      replace(folder.resolve(beside), packed);
      replace(json, text.beside(beside, HexFormat.of().formatHex(Sha256.sha256(packed))));
    } else {
      replace(json, text.whole());
      Files.deleteIfExists(folder.resolve(name + ".weights"));
    }
    if (!onnx) {
      Files.deleteIfExists(folder.resolve(name + ".onnx")); // it would be of another version
    }
    LOG.debug("Wrote version {} of model {}", published.model().manifest().version(), name);
  }

  private Map<String, String> writeOnnx(PublishedVersion published, String name)
      throws IOException {
    byte[] bytes;
    try {
      ScoringModel model = ScoringModel.of(published.model());
      bytes = OnnxModel.of(model, OnnxModel.formOf(model.inputs()));
    } catch (IllegalArgumentException | NoSuchElementException impossible) {
      ModelSnapshot manifest = published.model().manifest();
      throw new ConnectException(
          ModelFileConfig.ONNX
              + " must be false where a model cannot be written as ONNX, as version "
              + manifest.version() + " of model " + manifest.modelId() + " with loss "
              + manifest.loss() + ": " + impossible.getMessage(),
          impossible);
    }
    String file = name + ".onnx";
    replace(folder.resolve(file), bytes);
    Map<String, String> besides = new LinkedHashMap<>();
    besides.put("onnxFile", file);
    besides.put("onnxSha256", HexFormat.of().formatHex(Sha256.sha256(bytes)));
    return besides;
  }

  private void replace(Path file, byte[] content) throws IOException {
    Path draft = folder.resolve(file.getFileName() + temporary);
    try {
      try (FileChannel out = FileChannel.open(
          draft,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        out.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
    forceFolder();
  }

  /**
   * Makes the rename last; not every system can open a folder, and then it keeps renames in its own
   * way.
   */
  private void forceFolder() {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      LOG.debug("{} was not forced to the disk", folder, e);
    }
  }
}

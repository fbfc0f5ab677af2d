package dev.sotto.replay.verify;

import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Follows the records of a snapshots topic, and gives each version whose chunks are all there as
 * the bytes that make it up.
 */
final class VersionBytes {
  private final Map<String, Map<Integer, byte[]>> chunks = new HashMap<>();

  /**
   * One version.
   *
   * @param manifestBytes of its last record
   * @param chunkBytes of the others, by their number
   */
  record Version(ModelSnapshot manifest, byte[] manifestBytes, Map<Integer, byte[]> chunkBytes) {
    /** SHA-256 over all of it. */
    byte[] hash() {
      ByteArrayOutputStream hashes = new ByteArrayOutputStream();
      for (int i = 0; i < manifest.chunks(); i++) {
        hashes.writeBytes(Sha256.sha256(chunkBytes.get(i)));
      }
      hashes.writeBytes(Sha256.sha256(manifestBytes));
      return Sha256.sha256(hashes.toByteArray());
    }

    /** The weights. */
    double[] weights() {
      double[] weights = new double[manifest.dimension()];
      int done = 0;
      for (int i = 0; i < manifest.chunks(); i++) {
        double[] part =
            PackedDoubles.unpack(Codecs.CHUNK.decode(chunkBytes.get(i)).weights());
        System.arraycopy(part, 0, weights, done, part.length);
        done += part.length;
      }
      return weights;
    }

    /** One that later records leave as it is. */
    Version copy() {
      return new Version(manifest, manifestBytes, Map.copyOf(chunkBytes));
    }
  }

  /**
   * Takes a record; gives the version that a manifest completes, empty where one of its chunks is
   * of another version.
   */
  Optional<Version> take(String key, byte[] value) {
    if (!key.endsWith("/manifest")) {
      int slash = key.lastIndexOf('/');
      chunks
          .computeIfAbsent(key.substring(0, slash), id -> new HashMap<>())
          .put(Integer.parseInt(key.substring(slash + 1)), value);
      return Optional.empty();
    }
    ModelSnapshot manifest = Codecs.SNAPSHOT.decode(value);
    Map<Integer, byte[]> parts = chunks.getOrDefault(manifest.modelId(), Map.of());
    for (int i = 0; i < manifest.chunks(); i++) {
      if (parts.get(i) == null
          || Codecs.CHUNK.decode(parts.get(i)).version() != manifest.version()) {
        return Optional.empty();
      }
    }
    return Optional.of(new Version(manifest, value, parts));
  }

  static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}

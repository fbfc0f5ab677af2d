package dev.sotto.serdes.snapshot;

import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Puts model versions together from chunks and manifests. Only a version whose chunks are all there
 * and whose digest fits is given out: an older one that compaction has thinned out is passed over.
 */
public final class SnapshotAssembler {
  private static final int MOST_WEIGHTS = 1 << 28;

  private final Map<String, Map<Integer, WeightsChunk>> chunks = new HashMap<>();
  private final Map<String, PublishedModel> newest = new TreeMap<>();
  private long damaged;

  /** Whether the record of a key ends a version; else it holds some of its weights. */
  public static boolean isManifest(byte[] key) {
    return key != null && new String(key, StandardCharsets.UTF_8).endsWith("/manifest");
  }

  /** Like {@link #accept}, but a record that cannot be read counts as damaged. */
  public Optional<PublishedModel> acceptAny(byte[] key, byte[] value) {
    try {
      return accept(key, value);
    } catch (UnreadableRecordException unreadable) {
      damaged++;
      return Optional.empty();
    }
  }

  /**
   * Takes one record of the snapshots topic; gives the version that it completes, if it does.
   *
   * @throws UnreadableRecordException if the value is no record of the snapshots topic
   */
  public Optional<PublishedModel> accept(byte[] key, byte[] value) {
    if (key == null || value == null) {
      return Optional.empty();
    }
    if (!isManifest(key)) {
      WeightsChunk chunk = Codecs.CHUNK.decode(value);
      chunks.computeIfAbsent(chunk.modelId(), id -> new HashMap<>()).put(chunk.index(), chunk);
      return Optional.empty();
    }
    ModelSnapshot manifest = Codecs.SNAPSHOT.decode(value);
    double[] weights = weights(manifest);
    if (weights == null
        || !Arrays.equals(ModelSnapshot.digest(weights, manifest.guarantee()), manifest.digest())) {
      damaged++;
      return Optional.empty();
    }
    PublishedModel model = new PublishedModel(manifest, weights);
    newest.put(manifest.modelId(), model);
    return Optional.of(model);
  }

  private double[] weights(ModelSnapshot manifest) {
    Map<Integer, WeightsChunk> parts = chunks.getOrDefault(manifest.modelId(), Map.of());
    if (!whole(manifest, parts)) {
      return null;
    }
    double[] weights = new double[manifest.dimension()];
    int done = 0;
    for (int i = 0; i < manifest.chunks(); i++) {
      byte[] packed = parts.get(i).weights();
      PackedDoubles.unpack(packed, 0, weights, done, packed.length / Double.BYTES);
      done += packed.length / Double.BYTES;
    }
    return weights;
  }

  /**
   * Whether the parts are those of this version and add up: looked at before anything is allocated.
   */
  private static boolean whole(ModelSnapshot manifest, Map<Integer, WeightsChunk> parts) {
    if (manifest.dimension() < 1 || manifest.dimension() > MOST_WEIGHTS) {
      return false;
    }
    long bytes = 0;
    for (int i = 0; i < manifest.chunks(); i++) {
      WeightsChunk part = parts.get(i);
      if (part == null
          || part.version() != manifest.version()
          || part.weights().length % Double.BYTES != 0) {
        return false;
      }
      bytes += part.weights().length;
    }
    return bytes == (long) Double.BYTES * manifest.dimension();
  }

  /** The newest verified version of every model, by id. */
  public Map<String, PublishedModel> newest() {
    return Map.copyOf(newest);
  }

  /** How many manifests did not verify, and how many records {@link #acceptAny} could not read. */
  public long damaged() {
    return damaged;
  }
}

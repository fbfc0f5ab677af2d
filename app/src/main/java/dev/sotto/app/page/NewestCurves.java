package dev.sotto.app.page;

import dev.sotto.app.view.ScoreCurves;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What numbers add to the scores of each version as it is published. It keeps no weights: of
 * versions in one piece that piece until its manifest comes, of others nothing.
 */
final class NewestCurves {
  /** A model of more weights is not read: its versions are too large to look at. */
  static final int MOST_WEIGHTS = 1 << 16;

  /** As many curves as a page shows. */
  static final int MOST_CURVES = 12;

  /**
   * The curves of one version.
   *
   * @param run of the model
   * @param first those that move scores most
   * @param more how many there are beside them
   */
  record Of(String modelId, byte[] run, long version, List<ScoreCurves.Curve> first, int more) {
    boolean isOf(byte[] otherRun) {
      return Arrays.equals(run, otherRun);
    }
  }

  /** A record of the topic. */
  private record Piece(byte[] key, byte[] value) {}

  private final Map<String, Piece> pieces = new HashMap<>();

  /** Takes one record of the snapshots topic; gives the curves of the version that it ends. */
  Optional<Of> accept(byte[] key, byte[] value) {
    if (key == null || value == null) {
      return Optional.empty();
    }
    try {
      return SnapshotAssembler.isManifest(key) ? version(key, value) : piece(key, value);
    } catch (UnreadableRecordException stranger) {
      return Optional.empty(); // sotto snapshot counts it
    }
  }

  private Optional<Of> piece(byte[] key, byte[] value) {
    WeightsChunk chunk = Codecs.CHUNK.decode(value);
    if (chunk.index() > 0 || pieces.size() >= PublishedHistory.MODELS) {
      pieces.remove(chunk.modelId());
    } else {
      pieces.put(chunk.modelId(), new Piece(key, value));
    }
    return Optional.empty();
  }

  private Optional<Of> version(byte[] key, byte[] value) {
    Piece piece = pieces.remove(Codecs.SNAPSHOT.decode(value).modelId());
    if (piece == null) {
      return Optional.empty();
    }
    SnapshotAssembler assembler = new SnapshotAssembler();
    assembler.accept(piece.key(), piece.value());
    return assembler.accept(key, value).map(NewestCurves::of);
  }

  private static Of of(PublishedModel model) {
    List<ScoreCurves.Curve> all = ScoreCurves.of(model);
    long drawn = all.stream().filter(each -> !each.points().isEmpty()).count(); // the first ones
    int shown = (int) Math.min(MOST_CURVES, drawn);
    return new Of(
        model.manifest().modelId(),
        model.manifest().runId(),
        model.manifest().version(),
        List.copyOf(all.subList(0, shown)),
        all.size() - shown);
  }
}

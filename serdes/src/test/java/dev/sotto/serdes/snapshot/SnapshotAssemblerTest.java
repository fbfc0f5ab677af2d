package dev.sotto.serdes.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.WeightsChunk;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotAssemblerTest {
  private static final byte[] NONSENSE = {1, 2, 3};

  private static final Guarantee GUARANTEE =
      new Guarantee(PrivacyUnit.RECORD, Adjacency.ZERO_OUT, "binary-tree", 1, 4.9, 1e-6, 2, 11);

  private final SnapshotAssembler assembler = new SnapshotAssembler();

  @Test
  void countsWhatCannotBeRead() {
    assertThat(assembler.acceptAny(key("m/0"), NONSENSE)).isEmpty();
    assertThat(assembler.acceptAny(key("m/manifest"), NONSENSE)).isEmpty();
    assertThat(assembler.acceptAny(key("m/manifest"), null)).isEmpty();
    assertThat(assembler.damaged()).isEqualTo(2);
  }

  @Test
  void throwsForCallersWhoSetRecordsAside() {
    assertThatThrownBy(() -> assembler.accept(key("m/0"), NONSENSE))
        .isInstanceOf(UnreadableRecordException.class);
    assertThat(assembler.damaged()).isZero();
  }

  /** The digest is that of the ledger's entry: nothing else is given out. */
  @Test
  void givesOutTheWeightsOfTheDigestOnly() {
    double[] weights = {0.5, -0.25};
    byte[] manifest = manifest(ModelSnapshot.digest(weights, GUARANTEE));
    assembler.accept(key("m/0"), chunk(0.5, Math.nextUp(-0.25)));
    assertThat(assembler.accept(key("m/manifest"), manifest)).isEmpty();
    assertThat(assembler.damaged()).isEqualTo(1);
    assertThat(assembler.newest()).isEmpty();
    assembler.accept(key("m/0"), chunk(weights));
    assertThat(assembler.accept(key("m/manifest"), manifest)).isPresent();
    assertThat(assembler.newest()).containsOnlyKeys("m");
  }

  private static byte[] chunk(double... weights) {
    return Codecs.CHUNK.encode(new WeightsChunk("m", 3, 0, PackedDoubles.pack(weights)));
  }

  private static byte[] manifest(byte[] digest) {
    return Codecs.SNAPSHOT.encode(new ModelSnapshot(
        "m",
        new byte[16],
        0,
        3,
        2,
        1,
        digest,
        "features",
        "squared",
        "private-ftrl",
        false,
        GUARANTEE,
        new byte[32],
        List.of(),
        new byte[32]));
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

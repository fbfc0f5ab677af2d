package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.avro.SchemaFiles;
import dev.sotto.serdes.avro.SingleObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OldVersionsTest {

  @Test
  void readsTheFirstFormOfALedgerEntry() throws IOException {
    LedgerEntry now = Samples.ledgerEntry(new Random(7)); // that of the golden bytes, always
    LedgerEntry read = Codecs.LEDGER.decode(golden("LedgerEntry-1"));
    assertThat(read.origin()).isZero();
    assertThat(read.semantics()).isEqualTo(1);
    assertThat(read.snapshotDigest()).isEmpty();
    assertThat(read.terms()).isEqualTo(LedgerEntry.Terms.PLAIN);
    assertThat(read.firstRound()).isEqualTo(read.round());
    assertThat(read)
        .usingRecursiveComparison()
        .ignoringFields("firstRound", "origin", "semantics", "snapshotDigest", "terms")
        .isEqualTo(now);
  }

  @Test
  void readsTheFirstFormOfAnExample() throws IOException {
    Slot slot = new Slot(1001);
    var codec = new ExampleCodec(1001, 1000, UnitSource.NONE);
    assertThat(codec.decode(null, golden("Example-1"), slot)).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().indices()).startsWith(0, 3, 1000);
    assertThat(slot.example().values()).startsWith(0.5, -0.25, 1e-9);
    assertThat(slot.example().size()).isEqualTo(3);
    assertThat(slot.example().label()).isEqualTo(-1);
    assertThat(slot.example().weight()).isEqualTo(1);
    assertThat(slot.unitLength()).isEqualTo(-1);
  }

  @Test
  void asksTheFirstFormOfAnExampleForItsUnitInVain() throws IOException {
    var codec = new ExampleCodec(1001, 1000, UnitSource.UNIT);
    assertThat(codec.decode(null, golden("Example-1"), new Slot(1001)))
        .isEqualTo(RecordStatus.MISSING_FIELD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LedgerEntry",
        "Example",
        "PartitionHead",
        "ModelHead",
        "StateIndex",
        "OpenRound",
        "RoundPoint"
      })
  void keepsOldFormsReadableBySchema(String name) {
    var current = SchemaFiles.current(name);
    List<Long> fingerprints = new java.util.ArrayList<>();
    for (var old : SchemaFiles.history(name)) {
      var status = SchemaCompatibility.checkReaderWriterCompatibility(current, old);
      assertThat(status.getType()).isEqualTo(SchemaCompatibilityType.COMPATIBLE);
      fingerprints.add(SingleObject.fingerprint(old));
    }
    assertThat(fingerprints).isNotEmpty().doesNotContain(SingleObject.fingerprint(current));
  }

  static byte[] golden(String name) throws IOException {
    try (InputStream in = OldVersionsTest.class.getResourceAsStream("/golden/" + name + ".hex")) {
      String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
      return HexFormat.of().parseHex(hex);
    }
  }
}

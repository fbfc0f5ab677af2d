package dev.sotto.serdes.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.avro.SchemaFiles;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCodecTest {

  @ParameterizedTest
  @MethodSource("dev.sotto.serdes.record.Samples#kinds")
  <T> void readsBackWhatItWrites(Samples.Kind<T> kind) {
    Random random = Seed.random(1);
    for (int i = 0; i < 10; i++) {
      T record = kind.sample().apply(random);
      T read = kind.codec().decode(kind.codec().encode(record));
      assertThat(read).usingRecursiveComparison().isEqualTo(record);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.sotto.serdes.record.Samples#kinds")
  void givesEqualBytesForEqualRecords(Samples.Kind<?> kind) {
    for (int seed = 0; seed < 30; seed++) {
      byte[] bytes = kind.bytes(Seed.random(seed));
      assertThat(kind.bytes(Seed.random(seed))).isEqualTo(bytes);
      assertThat(kind.bytes(Seed.random(seed + 1000))).isNotEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.sotto.serdes.record.Samples#kinds")
  void writesWhatAnyAvroReaderReads(Samples.Kind<?> kind) throws IOException {
    var avro =
        new BinaryMessageDecoder<GenericRecord>(new GenericData(), kind.codec().schema());
    var own = SingleObject.of(kind.name());
    for (int seed = 0; seed < 30; seed++) {
      byte[] bytes = kind.bytes(Seed.random(seed));
      assertThat(avro.decode(bytes)).isEqualTo(own.decode(bytes));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.sotto.serdes.record.Samples#kinds")
  void refusesEveryCutAndTrailingBytes(Samples.Kind<?> kind) {
    byte[] bytes = kind.bytes(Seed.random(3));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> kind.codec().decode(cut))
          .isInstanceOf(UnreadableRecordException.class);
    }
    assertThatThrownBy(() -> kind.codec().decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining(kind.name() + " cannot be read: there are bytes after its end");
  }

  @Test
  void namesTheFingerprintOfAnUnknownSchema() {
    byte[] bytes = Codecs.MODEL_HEAD.encode(Samples.modelHead(Seed.random(1)));
    for (int i = 0; i < 8; i++) {
      bytes[2 + i] = (byte) (0x10 + i);
    }
    assertThatThrownBy(() -> Codecs.MODEL_HEAD.decode(bytes))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessage(
            "ModelHead cannot be read: written by a schema this version does not know: fingerprint"
                + " 1716151413121110; read it with the version that wrote it or a later one, or"
                + " check"
                + " the topic's name");
  }

  @Test
  void refusesTheRecordOfAnotherKind() {
    byte[] bytes = Codecs.MODEL_HEAD.encode(Samples.modelHead(Seed.random(1)));
    assertThatThrownBy(() -> Codecs.STATE_INDEX.decode(bytes))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("a schema this version does not know");
    assertThatThrownBy(() -> Codecs.STATE_INDEX.decode(null))
        .hasMessageContaining("StateIndex cannot be read: there is no value");
    assertThatThrownBy(
            () -> Codecs.STATE_INDEX.decode(new byte[] {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7}))
        .hasMessageContaining("its 11 bytes do not start with the mark C3 01");
  }

  @Test
  void refusesAFieldThatBreaksItsRule() {
    var format = SingleObject.of("LedgerEntry");
    var record = format.decode(Codecs.LEDGER.encode(Samples.ledgerEntry(Seed.random(1))));
    ((GenericRecord) record.get("guarantee")).put("unit", "household");
    byte[] bytes = format.encode(record);
    assertThatThrownBy(() -> Codecs.LEDGER.decode(bytes))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("LedgerEntry cannot be read: a field breaks its rule");
  }

  /** Old readers read what says nothing new, and its bytes stay what they were. */
  @Test
  void writesEntriesThatSayNothingNewAsBefore() {
    byte[] measured = Codecs.LEDGER.encode(Samples.ledgerEntry(Seed.random(1)));
    assertThat(Arrays.copyOf(measured, SingleObject.HEADER))
        .isEqualTo(SingleObject.header(SchemaFiles.current("LedgerEntry")));
    assertThat(Codecs.LEDGER.decode(measured).terms().rangeWindow()).isNotEmpty();

    GenericRecord unmeasured = SingleObject.of("LedgerEntry").decode(measured);
    unmeasured.put("rangeWindow", "");
    byte[] written = Codecs.LEDGER.encode(
        Codecs.LEDGER.decode(SingleObject.of("LedgerEntry").encode(unmeasured)));
    assertThat(Arrays.copyOf(written, SingleObject.HEADER))
        .isEqualTo(SingleObject.header(SchemaFiles.history("LedgerEntry").get(0)));
    assertThat(Codecs.LEDGER.decode(written).terms().rangeWindow()).isEmpty();
  }

  @Test
  void writesAnInfiniteLimitAsNull() {
    Random random = Seed.random(1);
    var entry = Samples.ledgerEntry(random);
    while (entry.guarantee().muLimit() != Double.POSITIVE_INFINITY) {
      entry = Samples.ledgerEntry(random);
    }
    var record = SingleObject.of("LedgerEntry").decode(Codecs.LEDGER.encode(entry));
    assertThat(((GenericRecord) record.get("guarantee")).get("muLimit")).isNull();
  }

  @Test
  void copiesLargeRecordsOnce() {
    byte[] weights = Samples.bytes(Seed.random(1), 16 << 20);
    var chunk = new WeightsChunk("model", 1, 2, weights);
    byte[] bytes = Codecs.CHUNK.encode(chunk);
    Codecs.CHUNK.decode(bytes);

    long before = Allocation.ofThisThread();
    byte[] again = Codecs.CHUNK.encode(chunk);
    long written = Allocation.ofThisThread() - before;
    WeightsChunk read = Codecs.CHUNK.decode(bytes);
    long readToo = Allocation.ofThisThread() - before - written;

    assertThat(written).isBetween(16L << 20, 17L << 20);
    assertThat(readToo).isBetween(16L << 20, 17L << 20);
    assertThat(Arrays.equals(again, bytes)).isTrue();
    assertThat(Arrays.equals(read.weights(), weights)).isTrue();
  }
}

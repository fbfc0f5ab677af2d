package dev.sotto.connectors.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelMetrics;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedRecordConverterTest {
  private static final Map<String, String> COMMITTED =
      Map.of("consumer.isolation.level", "read_committed");

  private final PublishedRecordConverter converter = new PublishedRecordConverter();

  @BeforeEach
  void configure() {
    converter.configure(COMMITTED, false);
  }

  private Struct struct(byte[] bytes) {
    SchemaAndValue read = converter.toConnectData("sotto", bytes);
    Struct struct = (Struct) read.value();
    assertThat(struct.schema()).isSameAs(read.schema());
    struct.validate();
    return struct;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void flattensAManifest() throws IOException {
    byte[] bytes = Golden.bytes("ModelSnapshot-1");
    ModelSnapshot manifest = Codecs.SNAPSHOT.decode(bytes);
    Struct struct = struct(bytes);
    assertThat(struct.schema().name()).isEqualTo("dev.sotto.ModelSnapshot");
    assertThat(struct.get("model_id")).isEqualTo(manifest.modelId());
    assertThat(struct.get("run_id")).isEqualTo(hex(manifest.runId()));
    assertThat(struct.get("version")).isEqualTo(manifest.version());
    assertThat(struct.get("dimension")).isEqualTo(manifest.dimension());
    assertThat(struct.get("last")).isEqualTo(manifest.last());
    assertThat(struct.get("guarantee_mechanism")).isEqualTo(manifest.guarantee().mechanism());
    requireBound(struct, "guarantee_epsilon", manifest.guarantee().epsilon());
    requireBound(struct, "guarantee_mu_limit", manifest.guarantee().muLimit());
    assertThat(struct.getString("ranges")).startsWith("[").endsWith("]");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void flattensLedgerEntriesOfAllVersionsWithTheNewestSchema(int version) throws IOException {
    byte[] bytes = Golden.bytes("LedgerEntry-" + version);
    LedgerEntry entry = Codecs.LEDGER.decode(bytes);
    Struct struct = struct(bytes);
    assertThat(struct.schema().version()).isEqualTo(2);
    assertThat(struct.get("sequence")).isEqualTo(entry.sequence());
    assertThat(struct.get("round")).isEqualTo(entry.round());
    assertThat(struct.get("sigma")).isEqualTo(entry.sigma());
    assertThat(struct.get("previous_hash")).isEqualTo(hex(entry.previousHash()));
    assertThat(struct.get("participation")).isEqualTo(entry.terms().participation());
    Guarantee guarantee = entry.guarantee();
    assertThat(struct.get("guarantee_unit")).isEqualTo(guarantee.unit().configName());
    requireBound(struct, "budget_epsilon", entry.budgetEpsilon());
    requireBound(struct, "epsilon_left", entry.epsilonLeft());
  }

  @Test
  void givesColumnsThatEarlierVersionsLackedADefault() {
    Schema ledger = PublishedKind.LEDGER_ENTRY.record().schema();
    assertThat(ledger.field("range_window").schema().defaultValue()).isEqualTo("");
    assertThat(ledger.field("sequence").schema().defaultValue()).isNull();
  }

  private static void requireBound(Struct struct, String column, double bound) {
    assertThat(struct.schema().field(column).schema().isOptional()).isTrue();
    assertThat(struct.get(column)).isEqualTo(Double.isInfinite(bound) ? null : bound);
  }

  @Test
  void flattensMetrics() throws IOException {
    byte[] bytes = Golden.bytes("ModelMetrics-1");
    ModelMetrics metrics = Codecs.METRICS.decode(bytes);
    Struct struct = struct(bytes);
    assertThat(struct.get("last_round")).isEqualTo(metrics.noisy().lastRound());
    assertThat(struct.get("noise_std")).isEqualTo(metrics.noisy().noiseStd());
    assertThat(struct.get("loss_sum")).isEqualTo(metrics.noisy().sums()[0]);
    assertThat(struct.getString("bins").split("negatives"))
        .hasSize(metrics.noisy().bins() + 1);
  }

  @Test
  void leavesTheWeightsOfAChunkOut() throws IOException {
    Struct struct = struct(Golden.bytes("WeightsChunk-1"));
    assertThat(struct.schema().fields())
        .extracting(Field::name)
        .containsExactly("model_id", "version", "index");
  }

  @ParameterizedTest
  @EnumSource
  void documentsEachColumn(PublishedKind kind) {
    assertThat(kind.record().schema().doc()).isNotBlank();
    assertThat(kind.record().schema().fields()).allSatisfy(field -> {
      assertThat(field.name()).matches("[a-z]+(_[a-z]+)*");
      assertThat(field.schema().doc()).endsWith(".");
      assertThat(field.schema().type().isPrimitive()).isTrue();
    });
  }

  @Test
  void passesTombstones() {
    assertThat(converter.toConnectData("sotto.snapshots", null)).isSameAs(SchemaAndValue.NULL);
  }

  @Test
  void refusesOtherBytes() throws IOException {
    assertThatThrownBy(() -> converter.toConnectData("events", "{\"x\": 1}".getBytes("UTF-8")))
        .isInstanceOf(DataException.class)
        .hasMessageContainingAll("events", "7B 22 78", "check the topic's name");
    byte[] golden = Golden.bytes("LedgerEntry-1");
    byte[] cut = Arrays.copyOf(golden, golden.length - 1);
    assertThatThrownBy(() -> converter.toConnectData("sotto.ledger", cut))
        .isInstanceOf(DataException.class)
        .hasMessageContainingAll("sotto.ledger", "LedgerEntry cannot be read");
    assertThatThrownBy(
            () -> converter.toConnectData("sotto.ledger", Golden.bytes("PartitionHead-1")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("C3 01");
  }

  @Test
  void refusesWhereNobodySaysThatCommittedRecordsAreRead() {
    PublishedRecordConverter unset = new PublishedRecordConverter();
    assertThatThrownBy(() -> unset.configure(Map.of(), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("consumer.isolation.level");
    assertThatThrownBy(
            () -> unset.configure(Map.of("consumer.isolation.level", "read_uncommitted"), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("consumer.isolation.level", "read_committed");
  }

  @Test
  void refusesKeysAndSources() {
    assertThatThrownBy(() -> converter.configure(COMMITTED, true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("key.converter must not be");
    assertThatThrownBy(() -> converter.fromConnectData("t", Schema.STRING_SCHEMA, "x"))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("cannot write to t");
  }
}

package dev.sotto.connectors.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedVersionKeyTest {
  private final PublishedRecordConverter converter = new PublishedRecordConverter();
  private final PublishedVersionKey<SinkRecord> transform = new PublishedVersionKey<>();

  private SinkRecord record(byte[] bytes) {
    transform.configure(Map.of());
    SchemaAndValue value = converter.toConnectData("sotto", bytes);
    return new SinkRecord(
        "sotto",
        3,
        Schema.OPTIONAL_BYTES_SCHEMA,
        new byte[] {1},
        value.schema(),
        value.value(),
        17,
        1234L,
        TimestampType.LOG_APPEND_TIME);
  }

  @ParameterizedTest
  @CsvSource({"ModelSnapshot-1, version", "LedgerEntry-1, round", "ModelMetrics-1, last_round"})
  void keysEachRecordByModelRunAndVersion(String name, String column) throws IOException {
    SinkRecord before = record(Golden.bytes(name));
    SinkRecord after = transform.apply(before);
    Struct value = (Struct) before.value();
    Struct key = (Struct) after.key();
    key.validate();
    assertThat(after.keySchema()).isSameAs(key.schema());
    assertThat(key.get("model_id")).isEqualTo(value.get("model_id"));
    assertThat(key.get("run_id")).isEqualTo(value.get("run_id"));
    assertThat(key.get("version")).isEqualTo(value.get(column)).isInstanceOf(Long.class);
    assertThat(after.value()).isSameAs(value);
    assertThat(after.valueSchema()).isSameAs(before.valueSchema());
    assertThat(after.kafkaOffset()).isEqualTo(17);
    assertThat(after.timestamp()).isEqualTo(1234);
  }

  @Test
  void dropsWeights() throws IOException {
    assertThat(transform.apply(record(Golden.bytes("WeightsChunk-1")))).isNull();
  }

  @Test
  void dropsTombstones() {
    assertThat(transform.apply(record(null))).isNull();
  }

  @Test
  void refusesWhatAnotherConverterHasMade() {
    SinkRecord text = new SinkRecord("sotto", 0, null, null, Schema.STRING_SCHEMA, "x", 0);
    assertThatThrownBy(() -> transform.apply(text))
        .isInstanceOf(DataException.class)
        .hasMessageContainingAll(
            "value.converter must be " + PublishedRecordConverter.class.getName(),
            "java.lang.String");
  }
}

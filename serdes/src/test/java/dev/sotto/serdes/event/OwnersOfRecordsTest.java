package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose records are that name several persons. */
class OwnersOfRecordsTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .label("y", new LabelRule.AsItIs())
      .unitFields(List.of("from", "to.id"))
      .build();

  private final JsonEventDecoder decoder = new JsonEventDecoder(MAP, 200);
  private final Slot slot = new Slot(MAP.dimension());

  private List<String> owners(String json) {
    decoder.decode(null, json.getBytes(StandardCharsets.UTF_8), slot);
    List<String> owners = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < slot.owners(); i++) {
      owners.add(new String(slot.unit(), from, slot.ownerEnd(i) - from, StandardCharsets.UTF_8));
      from = slot.ownerEnd(i);
    }
    assertThat(slot.unitLength()).isEqualTo(owners.isEmpty() ? -1 : from);
    return owners;
  }

  /** Whatever else it holds, so that this decides nobody's later slots. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"from\":\"ann\",\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1} | USED",
        "{\"y\":1,\"to\":{\"id\":\"bob\"},\"x\":0.5,\"from\":\"ann\"} | USED",
        "{\"y\":1,\"x\":\"high\",\"from\":\"ann\",\"to\":{\"id\":\"bob\"}} | WRONG_TYPE",
        "{\"y\":1,\"from\":\"ann\",\"to\":{\"id\":\"bob\"}} | MISSING_FIELD",
        "{\"y\":[],\"x\":0.5,\"from\":\"ann\",\"to\":{\"id\":\"bob\"}} | WRONG_TYPE",
        "{\"y\":1,\"x\":1e999,\"from\":\"ann\",\"to\":{\"id\":\"bob\"}} | NOT_FINITE",
        "{\"from\":\"ann\",\"to\":{\"id\":\"bob\"},\"x\":0. | UNREADABLE",
        "{\"from\":\"ann\",\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1} and more | UNREADABLE",
      })
  void areReadWhateverItHolds(String json, RecordStatus status) {
    assertThat(owners(json)).containsExactly("ann", "bob");
    assertThat(slot.status()).isEqualTo(status);
  }

  @Test
  void areReadHoweverLargeItIs() {
    String large = "{\"pad\":\"" + "p".repeat(300) + "\",\"from\":\"ann\",\"to\":{\"id\":7}}";
    assertThat(owners(large)).containsExactly("ann", "7");
    assertThat(slot.status()).isEqualTo(RecordStatus.TOO_LARGE);
  }

  /** Nobody is charged for what does not name everybody, and nothing is learned from it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"from\":\"ann\",\"x\":0.5,\"y\":1} | MISSING_FIELD",
        "{\"from\":\"\",\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1} | MISSING_FIELD",
        "{\"from\":\"ann\",\"to\":\"bob\",\"x\":0.5,\"y\":1} | MISSING_FIELD",
        "{\"from\":1.5,\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1} | WRONG_TYPE",
        "{\"from\":1.0,\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1} | WRONG_TYPE",
        "{\"from\":1e3,\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1} | WRONG_TYPE",
        "{\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1,\"from\":12 | UNREADABLE",
        "no json | UNREADABLE",
      })
  void areAllOrNone(String json, RecordStatus status) {
    assertThat(owners(json)).isEmpty();
    assertThat(slot.status()).isEqualTo(status);
  }

  /** The same form of an id, whether the record can be used or not. */
  @ParameterizedTest
  @ValueSource(strings = {"1.0", "1e3", "-0", "12", "\"a\\u0062\"", "\"a\\ud800\""})
  void haveOneForm(String id) {
    String json = "{\"from\":" + id + ",\"to\":{\"id\":\"bob\"},\"y\":1,\"x\":";
    List<String> of = owners(json + "0.5}");
    assertThat(owners(json + "\"high\"}")).isEqualTo(of);
    assertThat(owners(json + "0.5")).isEqualTo(of);
    assertThat(owners(json + "0.5,\"pad\":\"" + "p".repeat(300) + "\"}")).isEqualTo(of);
  }

  @Test
  void leaveNothingToTheNextRecord() {
    assertThat(owners("{\"from\":\"ann\",\"to\":{\"id\":\"bob\"},\"x\":0.5,\"y\":1}"))
        .hasSize(2);
    assertThat(owners("{\"from\":\"cid\"}")).isEmpty();
    assertThat(owners("{\"from\":\"dan\",\"to\":{\"id\":\"eve\"},\"x\":0.5,\"y\":1}"))
        .containsExactly("dan", "eve");
  }

  @Test
  void standInTheCanonicalText() {
    assertThat(MAP.describe()).contains("\nunit field \"from\" \"to.id\"");
    assertThat(MAP.owners()).containsExactly("from", "to.id");
    assertThat(FeatureMapText.parse(MAP.describe()).scoringMap().fields())
        .as("a map that scores reads none")
        .doesNotContain("from");
    assertThatThrownBy(() -> FeatureMap.builder()
            .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
            .label("y", new LabelRule.AsItIs())
            .unitFields(List.of("from", ""))
            .build())
        .hasMessageContaining("unit.fields");
  }
}

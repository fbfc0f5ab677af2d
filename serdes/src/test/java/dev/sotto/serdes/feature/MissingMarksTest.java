package dev.sotto.serdes.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventMapReader;
import dev.sotto.serdes.event.JsonEventDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands for a missing value: where a number is due, and only if it is configured. */
class MissingMarksTest {
  private static FeatureMap map(MissingMarks marks, boolean optional) {
    return FeatureMap.builder()
        .missing(marks)
        .numeric("x", "x", -1, 1, Transform.IDENTITY, optional)
        .categorical("c", "c", true)
        .label("y", new LabelRule.Measured())
        .build();
  }

  private static RecordStatus status(MissingMarks marks, boolean optional, String x) {
    FeatureMap map = map(marks, optional);
    return new JsonEventDecoder(map)
        .decode(null, bytes("{\"x\":" + x + ",\"y\":1}"), new Slot(map.dimension()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"NA", "n/a", "#N/A", " nan ", "NULL", "None", "nil", "?", "-", "--", "unknown"})
  void isMissingWhereItIsConfigured(String mark) {
    String quoted = "\"" + mark + "\"";
    assertThat(MissingMarks.USUAL.has(mark)).isTrue();
    assertThat(status(MissingMarks.USUAL, true, quoted)).isEqualTo(RecordStatus.USED);
    assertThat(status(MissingMarks.USUAL, false, quoted)).isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(status(MissingMarks.NONE, true, quoted)).isNotEqualTo(RecordStatus.USED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"none of it\"", "\"n\"", "\"-1-\"", "\"inf\"", "1e999", "true", "{}"})
  void isNoMarkOtherwise(String value) {
    assertThat(status(MissingMarks.USUAL, true, value)).isNotEqualTo(RecordStatus.USED);
  }

  /** The example is that of a record without the field, and a number is none of them. */
  @Test
  void givesTheExampleOfARecordWithoutTheField() {
    FeatureMap map = map(MissingMarks.USUAL, true);
    Slot slot = new Slot(map.dimension());
    Slot without = new Slot(map.dimension());
    JsonEventDecoder decoder = new JsonEventDecoder(map);
    decoder.decode(null, bytes("{\"c\":\"NA\",\"y\":1}"), without);
    for (String x : new String[] {"\"NA\"", "NaN", "\"NaN\"", "null", "\" \""}) {
      assertThat(decoder.decode(null, bytes("{\"x\":" + x + ",\"c\":\"NA\",\"y\":1}"), slot))
          .as(x)
          .isEqualTo(RecordStatus.USED);
      assertThat(slot.example().dot(ones(map)))
          .as(x)
          .isEqualTo(without.example().dot(ones(map)));
    }
    Slot other = new Slot(map.dimension());
    assertThat(new EventMapReader(map).read(null, Map.of("x", "NA", "c", "NA", "y", 1), other))
        .isEqualTo(RecordStatus.USED);
    assertThat(other.example().dot(ones(map))).isEqualTo(without.example().dot(ones(map)));
    assertThat(decoder.decode(null, bytes("{\"x\":1,\"y\":\"NA\"}"), slot))
        .isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(map.fault(decoder.values(), RecordStatus.MISSING_FIELD))
        .isEqualTo(Optional.of("field \"y\" must be a number, but is a mark of a missing value"));
  }

  private static double[] ones(FeatureMap map) {
    double[] ones = new double[map.dimension()];
    for (int i = 0; i < ones.length; i++) {
      ones[i] = 1 + i;
    }
    return ones;
  }

  @Test
  void standsInTheTextOfAMapThatHasThem() {
    String text = map(MissingMarks.USUAL, true).describe();
    assertThat(text).contains("\nmissing usual\n");
    assertThat(FeatureMapText.parse(text).map().describe()).isEqualTo(text);
    assertThat(map(MissingMarks.NONE, true).describe()).doesNotContain("missing");
  }
}

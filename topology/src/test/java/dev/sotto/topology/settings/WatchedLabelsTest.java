package dev.sotto.topology.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.LabelledDecoder;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the labels of records are looked at, and what is told of them. */
class WatchedLabelsTest {
  private final List<String> told = new ArrayList<>();
  private final EventDecoder decoder = new WatchedLabels(
      new JsonEventDecoder(FeatureMap.builder()
          .categorical("c", "c", false)
          .label("y", new LabelRule.Classes(List.of("churned")))
          .build()),
      told::add);
  private final Slot slot = new Slot(decoder.dimension());

  private void decode(String label, int times) {
    byte[] event = ("{\"c\":1,\"y\":\"" + label + "\"}").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < times; i++) {
      decoder.decode(null, event, slot);
    }
  }

  @Test
  void looksAfterAThousandRecordsAndTenTimesAsMany() {
    decode("Churned", 999);
    assertThat(told).isEmpty();
    decode("Churned", 1);
    assertThat(told).hasSize(1);
    assertThat(told.get(0))
        .startsWith("no label was \"churned\" (label.classes); the first of the others was");
    decode("Churned", 8_999);
    assertThat(told).hasSize(1);
    decode("Churned", 1);
    assertThat(told).hasSize(2);
  }

  @Test
  void saysNothingWhereLabelsAreOfBothSides() {
    decode("churned", 1);
    decode("stayed", 9_999);
    assertThat(told).isEmpty();
  }

  /** With labels in records of their own, of which some come, or none. */
  @ParameterizedTest
  @CsvSource({"EMPTY, 0", "NEGATIVE, 0", "EMPTY, 1", "NEGATIVE, 1"})
  void saysWhereNoLabelFindsItsRecord(MissingLabel missing, int labels) {
    FeatureMap map = FeatureMap.builder()
        .categorical("c", "c", false)
        .label("y", new LabelRule.Classes(List.of("churned")))
        .build();
    EventDecoder late = new WatchedLabels(
        new LabelledDecoder(map, new JsonEventDecoder(map), new JsonEventDecoder(map), missing),
        told::add);
    Slot into = new Slot(map.dimension());
    byte[] event = "{\"c\":1}".getBytes(StandardCharsets.UTF_8);
    byte[] label = "{\"y\":\"churned\"}".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 1_000; i++) {
      boolean comes = i < labels;
      LabelledEvent joined = new LabelledEvent(
          comes ? LabelledEvent.Join.LABELLED : LabelledEvent.Join.MISSING,
          new LabelledEvent.Source(0, i, 1),
          event,
          comes ? label : null);
      late.decode(null, joined.encode(), into);
    }
    if (labels == 0) {
      assertThat(told)
          .singleElement()
          .asString()
          .startsWith("no label has come to any of 1,000 rec");
    } else if (missing == MissingLabel.NEGATIVE) { // those that do not come are the other side
      assertThat(told).isEmpty();
    } else {
      assertThat(told).singleElement().asString().startsWith("every label was one of");
    }
  }

  @Test
  void isNotThereWhereNoFieldIsTheLabel() {
    EventDecoder examples = new ExampleCodec(1, 1000, UnitSource.NONE);
    assertThat(WatchedLabels.of(examples)).isSameAs(examples);
  }
}

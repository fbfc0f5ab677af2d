package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Maps are read as the JSON objects with the same fields. */
class EventMapReaderTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .label("a.b", new LabelRule.AsItIs())
      .categorical("c", "a.c", true)
      .build();

  private static double label(Map<String, ?> event) {
    Slot slot = new Slot(MAP.dimension());
    RecordStatus status = new EventMapReader(MAP).read(null, event, slot);
    return status == RecordStatus.USED ? slot.example().label() : -100;
  }

  @Test
  void findsANameWithDotsBeforeNamesWithinEachOther() {
    assertThat(label(Map.of("a", Map.of("b", 2)))).isEqualTo(2);
    assertThat(label(Map.of("a", Map.of("b", 2), "a.b", 1))).isEqualTo(1);
    assertThat(label(Map.of("a.b", "1.5"))).isEqualTo(1.5);
    assertThat(label(Map.of("a.b", "x", "a", Map.of("b", 2)))).isEqualTo(-100);
  }
}

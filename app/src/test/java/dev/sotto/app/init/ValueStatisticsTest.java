package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ValueStatisticsTest {
  @Test
  void listsFewValuesAsTheDecoderWritesThem() {
    ValueStatistics values = new ValueStatistics();
    values.number(5.0);
    values.number(5);
    values.number(-0.5);
    values.number(Double.POSITIVE_INFINITY); // left out
    assertThat(values.listed()).contains(new TreeMap<>(Map.of("5", 2L, "-0.5", 1L)));
    assertThat(values.count()).isEqualTo(3);
    assertThat(values.min()).isEqualTo(-0.5);
    assertThat(values.max()).isEqualTo(5);
    assertThat(values.isWhole()).isFalse();
    assertThat(values.isRising()).isFalse();
  }

  @Test
  void countsManyValuesWithoutListingThem() {
    ValueStatistics values = new ValueStatistics();
    for (int i = 0; i < 3000; i++) {
      values.text("user" + i % 1000);
    }
    assertThat(values.distinct()).isEqualTo(1000);
    assertThat(values.listed()).isEmpty();
    assertThat(values.isMostlyUnique()).isFalse();
    for (int i = 0; i < 3000; i++) {
      values.text("once" + i);
    }
    assertThat(values.isMostlyUnique()).isTrue();
  }
}

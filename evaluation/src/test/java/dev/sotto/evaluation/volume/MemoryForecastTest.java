package dev.sotto.evaluation.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryForecastTest {
  private static final String READER = "events that the trainer reads in their order";

  /** Its reader keeps records of partitions that wait while another is read. */
  @Test
  void countsTheReaderOfAnOrder() {
    long share = Runtime.getRuntime().maxMemory() / 16;
    MemoryForecast ordered = MemoryForecast.of(Loads.scenario(12, "layout=ordered"));
    assertThat(ordered.heap())
        .filteredOn(each -> each.use().equals(READER))
        .singleElement()
        .satisfies(
            each -> assertThat(each.bytes()).isBetween(share + (13L << 16), share + (13L << 22)));
    MemoryForecast direct = MemoryForecast.of(Loads.scenario("layout=direct"));
    assertThat(direct.heap()).noneMatch(each -> each.use().equals(READER));
  }
}

package dev.sotto.evaluation.volume;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryForecastTest {
  private static final long FETCHED =
      4_194_304; // of a partition at most, and less than 10,000 events
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

  /** Under whichever name Streams takes it. */
  @Test
  void countsFetchesThatSomebodyMadeLarger() {
    String events = "memory.events.bytes=50000000";
    long usual = MemoryForecast.of(Loads.scenario(events)).heapBytes();
    for (String prefix : new String[] {"", "consumer.", "main.consumer."}) {
      String name = "kafka." + prefix + "fetch.max.bytes=";
      assertThat(MemoryForecast.of(Loads.scenario(events, name + "1000000")).heapBytes())
          .isEqualTo(usual);
      assertThat(MemoryForecast.of(Loads.scenario(events, name + "1000000000")).heapBytes())
          .isEqualTo(usual + 2_000_000_000L - 50_000_000);
    }
  }

  /** Under the protocol for which Streams makes its own consumer. */
  @Test
  void countsRecordsWhereBytesAreNotBounded() {
    String events = "memory.events.bytes=50000000";
    String streams = "kafka.group.protocol=streams";
    long usual = MemoryForecast.of(Loads.scenario(12, events)).heapBytes();
    assertThat(MemoryForecast.of(Loads.scenario(12, events, streams)).heapBytes())
        .isEqualTo(usual - 50_000_000 + 12 * (1000 * 500 + FETCHED));
    assertThat(MemoryForecast.of(
                Loads.scenario(12, events, streams, "kafka.buffered.records.per.partition=20000"))
            .heapBytes())
        .isEqualTo(usual - 50_000_000 + 12 * (20_000 * 500 + FETCHED));
  }

  /** Those that wait for the next model, in each thread, where models give way to each other. */
  @Test
  void countsArraysOfModelsThatGiveWay() {
    String[] few = {"model.id.source=key", "features.dimension=65536", "models.heap.mb=64"};
    String[] many = {few[0], few[1], few[2], "threads=2"};
    long one = spare(few);
    assertThat(one).isBetween(65_536 * 64L, 65_536 * 200L);
    assertThat(spare(many)).isEqualTo(2 * one);
    assertThat(spare("model.id.source=partition", few[1])).isZero();
  }

  /** All states, or what Streams lets wait and a model more. */
  @Test
  void countsWhatIsNotCommitted() {
    long small = RecordBytes.of(Loads.scenario(1, 100)).state().all();
    assertThat(uncommitted()).isEqualTo(100 * small);
    String wide = "features.dimension=65536";
    long state = RecordBytes.of(Loads.scenario(1, 100, wide)).state().all();
    String byKey = "model.id.source=key";
    String limit = "kafka.statestore.uncommitted.max.bytes=1000000";
    assertThat(uncommitted(wide, byKey, limit)).isEqualTo(state + 1_000_000);
    String off = "kafka.enable.transactional.statestores=false";
    assertThat(uncommitted(wide, byKey, off)).isZero();
  }

  private static long uncommitted(String... settings) {
    return MemoryForecast.of(Loads.scenario(1, 100, settings)).heap().stream()
        .filter(each -> each.use().equals("what stores keep until it is committed"))
        .mapToLong(MemoryForecast.Part::bytes)
        .sum();
  }

  private static long spare(String... settings) {
    return MemoryForecast.of(Loads.scenario(1, 100, settings)).heap().stream()
        .filter(each -> each.use().startsWith("arrays that a model hands on"))
        .mapToLong(MemoryForecast.Part::bytes)
        .sum();
  }
}

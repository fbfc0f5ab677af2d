package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.Evictions;
import dev.sotto.evaluation.volume.MemoryForecast;
import dev.sotto.evaluation.volume.VolumeScenario;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MemoryCheckTest {
  private static final long GB = 1L << 30;

  private static MemoryForecast forecast(long models, String... settings) {
    return MemoryForecast.of(scenario(models, settings));
  }

  private static VolumeScenario scenario(long models, String... settings) {
    String text = """
        app.id: memory
        bootstrap.servers: localhost:9092
        events.topic: events
        events.format: example
        features.dimension: 1000
        layout: direct
        loss: logistic
        clip.norm: 1
        batch.size: 16
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.env: KEY
        memory.events.bytes: 100000000
        """;
    SottoConfig config = SottoConfig.load(ConfigSource.of("test.yaml", text)
        .withEnvironment(Map.of("KEY", "01".repeat(32)))
        .withFlags(List.of(settings)));
    return new VolumeScenario(
        config.learner(), config.service(), new Load(1000, 500, 12, models, 0));
  }

  /** However many there are: those that have no room lie on disk. */
  @Test
  void boundsModelsByKey() {
    MemoryForecast many = forecast(100_000, "model.id.source=key", "models.heap.mb=300");
    assertThat(many.heapBytes()).isBetween(300L << 20, 1_000_000_000L);
    assertThat(many.heap()).noneMatch(each -> each.use().contains("stored states"));
  }

  private static List<PreflightFinding> check(MemoryForecast forecast, long heap, long machine) {
    PreflightFindings findings = new PreflightFindings();
    MemoryCheck.check(findings, forecast, heap, machine);
    return findings.all();
  }

  @Test
  void saysThatModelsHaveNoRoomBesideEachOther() {
    String[] settings = {"model.id.source=key", "features.dimension=65536", "models.heap.mb=512"};
    PreflightFindings findings = new PreflightFindings();
    MemoryCheck.models(findings, Evictions.of(scenario(60, settings)));
    assertThat(findings.all()).isEmpty();
    MemoryCheck.models(findings, Evictions.of(scenario(10_000, settings)));
    assertThat(findings.all()).singleElement().satisfies(each -> {
      assertThat(each.level()).isEqualTo(Level.WARNING);
      assertThat(each.found())
          .startsWith("10,000 models (--models), room on the heap for 60 at once");
      assertThat(each.fix()).contains("models.heap.mb", "models.most", "grouped by model");
    });
  }

  @Test
  void saysThatManyUnitsWantMoreOfRocksDb() {
    PreflightFindings findings = new PreflightFindings();
    MemoryCheck.units(findings, 10_000_000, 64 << 20);
    assertThat(findings.all()).isEmpty();
    MemoryCheck.units(findings, 100_000_000, 64 << 20);
    assertThat(findings.all()).singleElement().satisfies(each -> {
      assertThat(each.level()).isEqualTo(Level.WARNING);
      assertThat(each.found()).contains("67.1 MB", "100,000,000 units", "300 MB");
      assertThat(each.fix()).isEqualTo("memory.rocksdb.bytes: 600000000, twice as much");
    });
  }

  @Test
  void addsUpWhatAnInstanceNeeds() {
    MemoryForecast small = forecast(1, "model.id.source=partition");
    assertThat(small.heapBytes())
        .isEqualTo(small.heap().stream().mapToLong(MemoryForecast.Part::bytes).sum())
        .isBetween(200_000_000L, 400_000_000L);
    assertThat(check(small, GB, 4 * GB)).singleElement().satisfies(each -> {
      assertThat(each.level()).isEqualTo(Level.OK);
      assertThat(each.found()).contains("events that wait", "RocksDB: 67.1 MB", "of 4.29 GB");
    });
  }

  @Test
  void namesWhatIsTooLarge() {
    MemoryForecast many = forecast(100_000, "model.id.source=key", "models.heap.mb=4000");
    assertThat(many.heapBytes()).isGreaterThan(4000L << 20);
    assertThat(check(many, GB, 4 * GB)).singleElement().satisfies(each -> {
      assertThat(each.level()).isEqualTo(Level.WARNING);
      assertThat(each.found()).contains("a heap of 1.07 GB", "models at work, ");
      assertThat(each.fix()).contains("models at work", "models.heap.mb", "-Xmx");
    });
    MemoryForecast wide = forecast(12, "model.id.source=partition", "features.dimension=1000000");
    assertThat(check(wide, GB / 2, 4 * GB)).singleElement().satisfies(each -> {
      assertThat(each.level()).isEqualTo(Level.WARNING);
      assertThat(each.found()).contains("stored states of models, 12 of");
    });
    MemoryForecast buffers = forecast(1, "memory.events.bytes=1000000000");
    assertThat(check(buffers, GB, 4 * GB))
        .singleElement()
        .satisfies(each -> assertThat(each.fix()).contains("memory.events.bytes"));
    assertThat(check(forecast(1), 4 * GB, 4 * GB))
        .singleElement()
        .satisfies(each -> assertThat(each.needed()).contains("the container has"));
  }
}

package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.topology.admin.AppendRate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockRetentionTest {
  private static final long HOUR = 3_600_000;

  /** 1000 events an hour, so that a block of 8000 fills in 8 hours. */
  private static BlockRetention blocks(boolean ownModels) {
    return new BlockRetention(
        "events", 8000, 399.5, ownModels, List.of(AppendRate.of(1000, Duration.ofHours(1))));
  }

  @Test
  void comparesRetentionWithTheTimeThatABlockTakes() {
    PreflightFinding lost = blocks(false).time(8 * HOUR - 1);
    assertThat(lost.level()).isEqualTo(Level.FAULT);
    assertThat(lost.subject()).isEqualTo("event topic events");
    assertThat(lost.found())
        .contains("retention.ms=28799999", "a block of 8000 events fills in about 8 h")
        .contains("0.278 events a second");
    assertThat(lost.needed()).contains("at least 86400000", "3 times as long", "400 passes");
    assertThat(lost.fix()).isEqualTo("retention.ms=86400000");
    assertThat(blocks(false).time(8 * HOUR).level()).isEqualTo(Level.WARNING);
    assertThat(blocks(false).time(24 * HOUR - 1).level()).isEqualTo(Level.WARNING);
    PreflightFinding kept = blocks(false).time(24 * HOUR);
    assertThat(kept.level()).isEqualTo(Level.OK);
    assertThat(kept.needed() + kept.fix()).isEmpty();
    assertThat(blocks(false).time(-1).level()).isEqualTo(Level.OK);
  }

  @Test
  void takesTheSlowestPartition() {
    BlockRetention two = new BlockRetention(
        "events",
        8000,
        2,
        false,
        List.of(
            AppendRate.of(1_000_000, Duration.ofHours(1)),
            AppendRate.of(1000, Duration.ofHours(1))));
    assertThat(two.time(8 * HOUR - 1).level()).isEqualTo(Level.FAULT);
    assertThat(two.time(24 * HOUR).level()).isEqualTo(Level.OK);
  }

  @Test
  void saysWhatMustHoldWhereTheRateIsUnknown() {
    BlockRetention young = new BlockRetention("events", 8000, 2, false, List.of(Optional.empty()));
    PreflightFinding unknown = young.time(365 * 24 * HOUR);
    assertThat(unknown.level()).isEqualTo(Level.WARNING);
    assertThat(unknown.found()).contains("less than a minute");
    assertThat(unknown.needed())
        .isEqualTo("longer than a model's block of 8000 events takes to fill, and 2 passes over"
            + " them: what is read again must still be there");
    assertThat(young.time(-1).level()).isEqualTo(Level.OK);
    PreflightFinding keyed = blocks(true).time(365 * 24 * HOUR);
    assertThat(keyed.level()).isEqualTo(Level.WARNING);
    assertThat(keyed.found()).contains("its own events, whose rate is unknown");
  }

  @Test
  void saysHowLongEventsMayBe() {
    assertThat(blocks(false).bytes(-1)).isEmpty();
    PreflightFinding small = blocks(false).bytes(800_000).orElseThrow();
    assertThat(small.level()).isEqualTo(Level.WARNING);
    assertThat(small.found()).contains("retention.bytes=800000", "at most 100 bytes each");
    assertThat(small.needed()).contains("24000 events");
    assertThat(blocks(false).bytes(7999).orElseThrow().level()).isEqualTo(Level.FAULT);
  }

  @Test
  void knowsNoRateOfLessThanAMinute() {
    assertThat(AppendRate.of(100, Duration.ofSeconds(59))).isEmpty();
    assertThat(AppendRate.of(0, Duration.ofHours(1))).isEmpty();
    assertThat(AppendRate.of(120, Duration.ofMinutes(1)).orElseThrow().perSecond())
        .isEqualTo(2);
  }
}

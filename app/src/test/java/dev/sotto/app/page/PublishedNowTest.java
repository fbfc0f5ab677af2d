package dev.sotto.app.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.page.PublishedNow.Version;
import dev.sotto.app.view.MadeEntries;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PublishedNowTest {
  private static Version version(String model, long round, long time) {
    return new Version(MadeEntries.entry(model, round, 0.1, false), time, null, null);
  }

  @Test
  void knowsTheVersionThatCameLastAndHowFarAllReach() {
    PublishedNow now = new PublishedNow(
        true, List.of(version("a", 7, 50), version("b", 3, 90)), Map.of(), 1, OptionalLong.empty());
    assertThat(now.last().orElseThrow().entry().modelId()).isEqualTo("b");
    assertThat(now.learned()).isEqualTo(700); // candidates learn from the same events
  }
}

package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import me.tongfei.progressbar.ProgressBarStyle;
import org.junit.jupiter.api.Test;

class ScreenTest {
  @Test
  void drawsInBlocksWhereTheyCanBeWrittenAndNeverInColor() {
    assertThat(Progress.style(Stream.of("UTF-8", "US-ASCII")))
        .isSameAs(ProgressBarStyle.UNICODE_BLOCK);
    assertThat(Progress.style(Stream.of("US-ASCII", "UTF-8"))).isSameAs(ProgressBarStyle.ASCII);
    assertThat(Progress.style(Stream.of("no-such-set", "ISO-8859-1")))
        .isSameAs(ProgressBarStyle.ASCII);
    assertThat(Progress.style(Stream.empty())).isSameAs(ProgressBarStyle.ASCII);
  }

  @Test
  void isNoTerminalWhereNothingCanBeDrawnTwice() {
    assertThat(Screen.errors(Map.of("TERM", "dumb")).isTerminal()).isFalse();
    assertThat(Screen.errors(Map.of()).isTerminal()).isFalse();
    assertThat(Screen.none().width()).isEqualTo(96);
    assertThat(Screen.terminal(() -> 0).width()).isEqualTo(80); // a terminal that does not say
  }

  @Test
  void countsWhereNobodyKnowsHowMuchThereIs() {
    assertThat(Progress.counted("replay", 20_000, " records ", 30))
        .isEqualTo("replay  20,000  records       ");
    assertThat(Progress.counted("replay", 20_000, null, 10)).isEqualTo("replay  20");
  }
}

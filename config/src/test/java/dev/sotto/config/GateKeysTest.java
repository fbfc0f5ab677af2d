package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.config.settings.GateSettings;
import org.junit.jupiter.api.Test;

class GateKeysTest {
  @Test
  void movesNoAliasByDefault() {
    assertThat(Texts.load().effective().find(GateSettings.ALIAS)).isEmpty();
    assertThat(Texts.load("metrics.share: 0.1", "gate.alias: champion")
            .effective()
            .find(GateSettings.ALIAS))
        .contains("champion");
  }

  @Test
  void namesWhatIsWrong() {
    assertThatThrownBy(() -> Texts.load("gate.alias: champion"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gate.alias means nothing here: it needs metrics.share");
    assertThatThrownBy(() -> Texts.load("metrics.share: 0.1", "gate.alias: The Champion"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("gate.alias must be an alias");
  }
}

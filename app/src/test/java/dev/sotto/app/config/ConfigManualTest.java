package dev.sotto.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.junit.jupiter.api.Test;

class ConfigManualTest {
  /** Run with -Dsotto.docs.update=true to write the page anew. */
  @Test
  void equalsTheManualInTheDocs() throws IOException {
    Path page = Texts.home().resolve("docs/configuration.md");
    if (Boolean.getBoolean("sotto.docs.update")) {
      Files.writeString(page, ConfigManual.markdown());
    }
    assertThat(Files.readString(page))
        .as(
            "docs/configuration.md, against the table of settings; -Dsotto.docs.update=true writes it anew")
        .isEqualTo(ConfigManual.markdown());
  }

  @Test
  void givesEveryKeyASentenceAndARule() {
    for (ConfigKey key : ConfigKeys.ALL.inOrder()) {
      assertThat(key.documentation).as(key.name).endsWith(".").doesNotContain("|");
      assertThat(ConfigManual.markdown()).contains("| `" + key.name + "` |");
      assertThat(ConfigManual.yaml()).containsPattern("(?m)^(# )?\\Q" + key.name + "\\E:");
    }
  }

  @Test
  void printsAFileThatLacksOnlyWhatIsRequired() {
    YamlFile file = YamlFile.read("all.yaml", ConfigManual.yaml());
    assertThat(file.isReadable()).isTrue();
    assertThat(file.settings()).isEmpty();
    assertThat(file.faults().stream().map(Fault::key))
        .containsExactly("app.id", "bootstrap.servers", "events.topic", "loss", "privacy.delta");
  }

  @Test
  void namesAValueForEveryDefault() {
    for (ConfigKey key : ConfigKeys.ALL.inOrder()) {
      if (key.hasDefault() && key.defaultValue != null) {
        Faults faults = new Faults(Map.of());
        Values.check(key.name, Numbers.text(key.defaultValue), key, faults);
        assertThat(faults.all()).as(key.name).isEmpty();
      }
    }
  }
}

package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.key.ConfigKeys;
import dev.sotto.config.key.ConfigManual;
import dev.sotto.config.source.ConfigErrors;
import dev.sotto.config.source.ConfigValues;
import dev.sotto.config.source.YamlFile;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.NumberText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
    for (ConfigKey<?> key : ConfigKeys.all()) {
      assertThat(key.sentence()).as(key.name()).endsWith(".").doesNotContain("|");
      assertThat(ConfigManual.markdown()).contains("| `" + key.name() + "` |");
      assertThat(ConfigManual.yaml()).containsPattern("(?m)^(# )?\\Q" + key.name() + "\\E:");
    }
  }

  @Test
  void printsAFileThatLacksOnlyWhatIsRequired() {
    YamlFile file = YamlFile.read("all.yaml", ConfigManual.yaml());
    assertThat(file.isReadable()).isTrue();
    assertThat(file.settings()).isEmpty();
    assertThat(file.errors().stream().map(ConfigError::key))
        .containsExactly("app.id", "bootstrap.servers", "events.topic", "loss", "privacy.delta");
  }

  @Test
  void namesAValueForEveryDefault() {
    for (ConfigKey<?> key : ConfigKeys.all()) {
      if (key.standard() != null) {
        ConfigErrors errors = new ConfigErrors(Map.of());
        ConfigValues.check(key.name(), text(key), key.domain(), errors);
        assertThat(errors.all()).as(key.name()).isEmpty();
      }
    }
  }

  private static <T> String text(ConfigKey<T> key) {
    return NumberText.text(key.domain().plain(key.standard()));
  }
}

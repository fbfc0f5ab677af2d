package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.config.key.ConfigText;
import dev.sotto.config.source.YamlFile;
import dev.sotto.learner.settings.ConfigError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configurations that somebody has yet to complete, or in which the label is a feature too. */
class ToBeStatedTest {
  private static List<ConfigError> errors(String yaml) {
    return catchThrowableOfType(ConfigException.class, () -> SottoConfig.load(Texts.source(yaml)))
        .errors();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "features.numeric.x.min | min: -1      | min: TODO",
        "label.field            | field: y     | field: TODO",
        "loss                   | loss: logistic | loss: TODO",
        "privacy.epsilon        | epsilon: 2   | epsilon: TODO",
        "events.topic           | topic: events | topic: TODO",
        "bootstrap.servers      | localhost:9092 | [TODO, 'a:1']"
      })
  void namesWhatIsStillToBeStatedAndNothingElse(String key, String stated, String open) {
    String yaml = Texts.VALID.replace(stated, open);
    assertThat(yaml).isNotEqualTo(Texts.VALID);
    assertThat(errors(yaml)).singleElement().satisfies(error -> {
      assertThat(error.key()).isEqualTo(key);
      assertThat(error.message())
          .startsWith(key + " is still TODO: state it from public knowledge. ")
          .contains("(test.yaml line ");
    });
  }

  @Test
  void namesTheRuleOfTheLabelAndTheUnit() {
    assertThat(errors(Texts.VALID + "label.classes: TODO\nprivacy.unit: TODO\n"))
        .extracting(ConfigError::key)
        .containsExactlyInAnyOrder("label.classes", "privacy.unit");
  }

  @Test
  void warnsOfALabelThatIsAFeatureToo() {
    assertThat(Texts.load("features.numeric.again: {field: y, min: 0, max: 1}").warnings())
        .singleElement()
        .satisfies(warning -> assertThat(warning)
            .startsWith("features.numeric.again.field reads y, which is label.field too"));
    assertThat(Texts.load("features.categorical.c: {field: y}").warnings()).hasSize(1);
    assertThat(Texts.load("features.cross.c: {fields: [a, y]}").warnings()).hasSize(1);
    assertThat(Texts.load("features.categorical.c: {field: y.z}").warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain.path",
        "a, b",
        "{x}",
        "null",
        "NULL",
        "~",
        "#",
        "a # b",
        "-",
        "- a",
        "1",
        "yes",
        "größe",
        "e\uD83D\uDE00",
        "\u0085\u2028\uFEFF",
        "\u0000\n\t\"\\",
        "\uD800",
        "a:1",
        "a: 1",
        "'",
        "@x",
        "*x",
        "&x",
        "!x",
        "%x",
        " x",
        "x ",
        "?",
        "| x"
      })
  void writesEveryTextSoThatItIsReadBack(String text) {
    YamlFile file = YamlFile.read(
        "f",
        "a: " + ConfigText.scalar(text) + " # c\nb: {c: " + ConfigText.scalar(text) + ", d: ["
            + ConfigText.scalar(text) + "]}\n");
    assertThat(file.errors()).isEmpty();
    assertThat(file.settings().get("a").value()).isEqualTo(text);
    assertThat(file.settings().get("b.c").value()).isEqualTo(text);
    assertThat(file.settings().get("b.d").value()).isEqualTo(List.of(text));
  }
}

package dev.sotto.config.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.settings.ConfigError;
import java.util.List;
import org.junit.jupiter.api.Test;

class YamlFileTest {
  @Test
  void flattensMapsAndKeepsListsLinesAndTheTextAsItWasWritten() {
    YamlFile file = YamlFile.read("f", """
            a:
              b.c: 1.10
              d: {e: 007, f: "x: y"}
            l: [1, b, 'c, d']
            n: 1e-6
            o: yes
            """);
    assertThat(file.errors()).isEmpty();
    assertThat(file.settings())
        .containsEntry("a.b.c", ConfigEntry.of("1.10", "f line 2"))
        .containsEntry("a.d.e", ConfigEntry.of("007", "f line 3"))
        .containsEntry("a.d.f", ConfigEntry.of("x: y", "f line 3"))
        .containsEntry("l", ConfigEntry.of(List.of("1", "b", "c, d"), "f line 4"))
        .containsEntry("n", ConfigEntry.of("1e-6", "f line 5"))
        .containsEntry("o", ConfigEntry.of("yes", "f line 6"))
        .hasSize(6);
  }

  /** A class in quotes is a text: {@code "3.1"} is not 3.10. Other settings know no quotes. */
  @Test
  void keepsTheQuotesOfClassesThatLookLikeNumbers() {
    YamlFile file = YamlFile.read("f", """
            # \ud83d\ude00
            label:
              names: [3.1, "3.1", 'True', true, 1e3, "1e3", "yes", '"4"', !!str 5, &a "6", 0x1f]
            label.classes: "3.1"
            privacy.epsilon: "3.1"
            other: ["3.1"]
            """);
    assertThat(file.errors()).isEmpty();
    assertThat(file.settings().get("label.names").value())
        .isEqualTo(List.of(
            "3.1",
            "\"3.1\"",
            "\"True\"",
            "true",
            "1e3",
            "\"1e3\"",
            "yes",
            "\"\"4\"\"",
            "\"5\"",
            "\"6\"",
            "0x1f"));
    assertThat(file.settings().get("label.classes").value()).isEqualTo("\"3.1\"");
    assertThat(file.settings().get("privacy.epsilon").value()).isEqualTo("3.1");
    assertThat(file.settings().get("other").value()).isEqualTo(List.of("3.1"));
    YamlFile blocks = YamlFile.read("f", "\ufefflabel.classes:\n- |-\n  3.1\n- 3.2\n- >-\n  x\n");
    assertThat(blocks.settings().get("label.classes").value())
        .isEqualTo(List.of("\"3.1\"", "3.2", "x"));
  }

  @Test
  void tellsWhatCannotBeASetting() {
    YamlFile file = YamlFile.read("f", """
            a: &anchor 1
            b: *anchor
            c: {}
            d:
            e: [x, {y: 1}, ]
            a: 2
            g: {h: 1}
            g.h: 2
            i: ""
            """);
    assertThat(file.settings()).containsOnlyKeys("a", "g.h");
    assertThat(file.errors().stream().map(ConfigError::message))
        .containsExactly(
            "b must be written out, but refers to an anchor (f line 2)",
            "c must hold settings, but was empty (f line 3)",
            "d must have a value, but has none; give one or remove the key (f line 4)",
            "e must be a list of plain values, but holds a map (f line 5)",
            "a must be given once, but stands in f line 1 already (f line 6)",
            "g.h must be given once, but stands in f line 7 already (f line 8)",
            "i must have a value, but has none; give one or remove the key (f line 9)");
  }

  @Test
  void tellsWhereAFileStopsBeingYaml() {
    assertThat(YamlFile.read("f", "a: 1\nb: [1, 2\nc: 3\n").isReadable()).isFalse();
    assertThat(YamlFile.read("f", "a: 1\n\tb: 2\n").errors())
        .singleElement()
        .satisfies(fault ->
            assertThat(fault.message()).startsWith("f must be YAML, but: ").contains("line 2"));
    assertThat(YamlFile.read("f", "").errors()).hasSize(1);
    assertThat(YamlFile.read("f", "a: 1\n---\nb: 2\n").errors()).hasSize(1);
    assertThat(YamlFile.read("f", "{a: ".repeat(40) + "1" + "}".repeat(40)).errors())
        .hasSize(1);
  }
}

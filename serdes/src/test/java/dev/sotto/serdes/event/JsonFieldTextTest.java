package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFieldTextTest {
  private static String read(String path, String value) {
    return new JsonFieldText(path).read(value.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":\"a\"} | a",
        " { \"x\" : [1,{\"id\":\"no\"},\"]}\"] , \"id\" : -17 } | -17",
        "{\"id\":\"a\",\"id\":\"b\"} | b",
        "{\"id\":\"a\",\"id\":null} |",
        "{\"i\\u0064\":\"\\u00e9\\n\\\"\\ud83d\\ude00\"} | é\\n\"😀",
        "{\"id\":\"\"} |",
        "{\"id\":1.5} |",
        "{\"id\":007} |",
        "{\"id\":true} |",
        "{\"id\":{\"id\":\"a\"}} |",
        "{\"id\":\"\\ud800\"} |",
        "{\"id\":\"\\uZZZZ\"} |",
        "[\"id\"] |",
        "{} |",
        "{\"id\" |",
      })
  void readsATextOrAWholeNumber(String value, String id) {
    String expected = id == null ? null : id.replace("\\n", "\n");
    assertThat(read("id", value)).isEqualTo(expected);
  }

  @Test
  void readsInside() {
    assertThat(read("a.id", "{\"a\":1,\"a\":{\"id\":\"x\"},\"id\":\"y\"}")).isEqualTo("x");
    assertThat(read("a.id", "{\"a\":{\"id\":\"x\"},\"a\":7}")).isNull();
  }

  /** A record is of one id, whatever else it holds, however large it is, and where it breaks. */
  @ParameterizedTest
  @CsvSource({
    "'', '}'",
    "'', ',\"x\":nonsense'",
    "'', ',\"x\":\"unclosed'",
    "'', ' and no more JSON'",
    "'\"x\":1e99999,', '}'",
    "'\"x\":\"\\q\\u12\",', '}'",
    "'\"x\":DEEP,', '}'",
    "'\"x\":\"LONG\",', '}'",
    "'\"LONG\":[LONG],', '}'",
    "'', ',\"x\":\"LONG'",
  })
  void looksAtNothingElse(String before, String after) {
    String long3 = "x".repeat(3 << 20);
    String deep = "[".repeat(200_000) + "]".repeat(200_000);
    String value =
        ("{" + before + "\"id\":\"a\"" + after).replace("LONG", long3).replace("DEEP", deep);
    assertThat(read("id", value)).isEqualTo("a");
  }
}

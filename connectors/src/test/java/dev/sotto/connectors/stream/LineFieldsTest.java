package dev.sotto.connectors.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineFieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"user\":{\"id\":\"ann\"}}|ann",
        "{\"a\":[{\"user\":{\"id\":1}}],\"user\":{\"x\":{\"id\":2},\"id\":\"\u00fc\"}}|\u00fc",
        "{\"user\":{\"id\":12345678901234567890.50}}|12345678901234567890.50",
        "{\"user\":{\"id\":true}}|true",
        "{\"user\":{\"id\":null}}|",
        "{\"user\":{\"id\":{\"id\":1}}}|",
        "{\"user\":{\"id\":[1]}}|",
        "{\"user\":7}|",
        "{\"id\":7}|",
        "{\"user\":{\"id\":1,\"id\":2}}|2",
      })
  void findsTheKeyByItsPath(String line, String key) {
    LineFields fields = new LineFields("user.id", "");
    fields.read(line.getBytes(UTF_8));
    assertThat(fields.key()).isEqualTo(key == null ? null : key.getBytes(UTF_8));
    assertThat(fields.timestamp()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "nonsense",
        "{\"k\":1,\"t\":2",
        "{\"k\":1,\"t\":2}{",
        "[1]",
        "3",
        "{\"k\":1,\"t\":2}}"
      })
  void findsNothingInWhatIsNoJsonObject(String line) {
    LineFields fields = new LineFields("k", "t");
    fields.read("{\"k\":\"of the line before\",\"t\":5}".getBytes(UTF_8));
    assertThat(fields.key()).isNotNull();
    fields.read(line.getBytes(UTF_8));
    assertThat(fields.key()).isNull();
    assertThat(fields.timestamp()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1262304000000, 1262304000000",
    "-1,",
    "1.5,",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808,",
    "'\"12\"',"
  })
  void takesMillisecondsOnlyAsWholeNumbers(String value, Long expected) {
    LineFields fields = new LineFields("k", "at.ms");
    fields.read(("{\"at\":{\"ms\":" + value + "},\"k\":\"x\"}").getBytes(UTF_8));
    assertThat(fields.timestamp()).isEqualTo(expected);
    assertThat(fields.key()).isEqualTo(new byte[] {'x'});
  }

  @Test
  void looksForNothingWithoutPaths() {
    LineFields fields = new LineFields("", "");
    fields.read("{\"\":1}".getBytes(UTF_8));
    assertThat(fields.key()).isNull();
    assertThat(fields.timestamp()).isNull();
  }
}

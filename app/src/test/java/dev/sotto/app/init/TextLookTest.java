package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextLookTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "12.5%",
        "$1,234.50",
        "-$5",
        "5 \u20ac",
        "(7)",
        "\u22120.5",
        "12-",
        "72 kg",
        "3 m\u00b2",
        "1 234,5",
        "1\u202f234",
        "1'234",
        "1_000",
        "\uff11\uff12",
        "~5",
        "<1",
        "21\u00b0",
        "5 GBP",
        "5,00,000",
        "\u200b42",
        "42\ufeff"
      })
  void takesForNumbersWhatHasSignsAroundIt(String text) {
    assertThat(of(text).numbers()).isOne();
    assertThat(of(text).dates()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2024-01-31", "2024-01-31T12:00:00Z", "31.1.2024", "1/31/2024 7:05 PM"})
  void knowsDates(String text) {
    assertThat(of(text).dates()).isOne();
    assertThat(of(text).numbers()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "red",
        "",
        "%",
        "3.1.2",
        "10.0.0.1",
        "12:30",
        "A12",
        "x 5",
        "1 2",
        "1/2",
        "12 Main Street",
        "555-1234",
        "a@b.c",
        "0x1f4c"
      })
  void leavesOtherTextsAlone(String text) {
    assertThat(of(text).numbers()).isZero();
    assertThat(of(text).dates()).isZero();
  }

  private static TextLook of(String text) {
    TextLook look = new TextLook();
    look.add(text);
    return look;
  }
}

package dev.sotto.replay.recording.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the fast check of a cell with RFC 8259, "Numbers", on every short text. */
class CsvNumbersTest {
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");
  private static final String LETTERS = "-+.eE019x";
  private static final int LONGEST = 6;

  @Test
  void takesWhatTheGrammarTakes() {
    int[] taken = {0};
    every("", taken);
    assertThat(taken[0]).isGreaterThan(1000);
  }

  private static void every(String text, int[] taken) {
    boolean number = NUMBER.matcher(text).matches();
    taken[0] += number ? 1 : 0;
    if (CsvColumns.isNumber(text) != number) {
      assertThat(CsvColumns.isNumber(text)).as(text).isEqualTo(number);
    }
    for (int i = 0; text.length() < LONGEST && i < LETTERS.length(); i++) {
      every(text + LETTERS.charAt(i), taken);
    }
  }
}

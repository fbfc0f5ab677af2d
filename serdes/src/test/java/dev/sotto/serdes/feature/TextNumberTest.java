package dev.sotto.serdes.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextNumberTest {
  private static final Pattern PLAIN =
      Pattern.compile("[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
  private static final String LETTERS = "-+.e019, x";
  private static final int LONGEST = 6;

  private static String read(NumberComma comma, String text) {
    TextNumber number = new TextNumber(comma);
    return number.read(text) ? String.valueOf(number.value()) : "none";
  }

  @ParameterizedTest
  @CsvSource({
    "25, 25.0, 25.0, 25.0",
    "007, 7.0, 7.0, 7.0",
    "+5, 5.0, 5.0, 5.0",
    "' 5', 5.0, 5.0, 5.0",
    "'\u00A05\t ', 5.0, 5.0, 5.0",
    "5., 5.0, none, 5.0",
    ".5, 0.5, none, 0.5",
    "'5,', none, 5.0, none",
    "'0,524', none, 0.524, none",
    "'-0,524', none, -0.524, none",
    "'1,234', none, 1.234, 1234.0",
    "1.234, 1.234, 1234.0, 1.234",
    "'1.849,78', none, 1849.78, none",
    "'1,849.78', none, none, 1849.78",
    "'1.345.678,9', none, 1345678.9, none",
    "'1234,5', none, 1234.5, none",
    "'1234.5', 1234.5, none, 1234.5",
    "'1,23', none, 1.23, none",
    "'1,2345', none, 1.2345, none",
    "'0.123,4', none, none, none",
    "'1.234,5.6', none, none, none",
    "'1,234.5,6', none, none, none",
    "'1.234e2', 123.4, 123400.0, 123.4",
    "-1e-3, -0.001, -0.001, -0.001",
    "-0, 0.0, 0.0, 0.0",
    "-0e0, -0.0, -0.0, -0.0",
    "1e400, Infinity, Infinity, Infinity",
    "1e-400, 0.0, 0.0, 0.0",
    "-inf, -Infinity, -Infinity, -Infinity",
    "NaN, NaN, NaN, NaN",
    "NA, none, none, none",
    "1 2, none, none, none",
    "0x10, none, none, none",
    "5e, none, none, none",
    "1d, none, none, none",
    "'', none, none, none",
    "., none, none, none"
  })
  void readsWhatPeopleAndProgramsWrite(String text, String none, String decimal, String thousands) {
    assertThat(read(NumberComma.NONE, text)).isEqualTo(none);
    assertThat(read(NumberComma.DECIMAL, text)).isEqualTo(decimal);
    assertThat(read(NumberComma.THOUSANDS, text)).isEqualTo(thousands);
  }

  @Test
  void takesWhatTheGrammarTakes() {
    int[] taken = {0};
    every("", taken);
    assertThat(taken[0]).isGreaterThan(1000);
  }

  private static void every(String text, int[] taken) {
    boolean number = PLAIN.matcher(text.strip()).matches();
    taken[0] += number ? 1 : 0;
    if (!read(NumberComma.NONE, text).equals("none") != number) {
      assertThat(read(NumberComma.NONE, text)).as(text).isEqualTo(number ? "a number" : "none");
    }
    for (int i = 0; text.length() < LONGEST - 1 && i < LETTERS.length(); i++) {
      every(text + LETTERS.charAt(i), taken);
    }
  }

  /** The same bits as the Java platform's, for short and long fractions. */
  @Test
  void readsTheNearestDouble() {
    compare(50_000);
  }

  @Tag("long")
  @Test
  void readsTheNearestDoubleOfMillions() {
    compare(10_000_000);
  }

  private static void compare(int texts) {
    Random random = Seed.random(1);
    TextNumber number = new TextNumber(NumberComma.NONE);
    for (int i = 0; i < texts; i++) {
      String text = switch (i % 7) {
        case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong() & ~(1L << 62)));
        case 1 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(25)).toPlainString();
        case 2 -> Double.toString(random.nextGaussian());
        case 3 ->
          BigDecimal.valueOf(random.nextLong(), random.nextInt(700) - 350).toString();
        case 4 -> halfway(random.nextLong(1L << 62));
        case 5 -> "0".repeat(random.nextInt(9)) + random.nextLong(1L << 55) + "e-22";
        default ->
          BigDecimal.valueOf(random.nextInt(1 << 20), random.nextInt(6)).toString();
      };
      assertThat(number.read(text)).as(text).isTrue();
      if (Double.doubleToLongBits(number.value())
          != Double.doubleToLongBits(Double.parseDouble(text))) {
        assertThat(number.value()).as(text).isEqualTo(Double.parseDouble(text));
      }
    }
  }

  /** Exactly between two doubles. */
  private static String halfway(long integer) {
    double below = integer;
    return new BigDecimal(below)
        .add(new BigDecimal(Math.nextUp(below)))
        .divide(BigDecimal.valueOf(2))
        .toPlainString();
  }
}

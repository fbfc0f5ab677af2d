package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Texts of a sample as numbers: by a meaning of commas, with gaps, or as codes. */
class InitCommasTest extends InitTestBase {
  /** Where some texts need a meaning of commas that the others do not tell, the file has none. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "5 | 0,5 | 30 | a comma parts its fraction in 30 texts, and thousands in 0",
        "5 | 12,345.6 | 30 | a comma parts its fraction in 0 texts, and thousands in 30",
        "red | 0,5 | 30 | a comma parts its fraction in 30 texts, and thousands in 0",
        "0,5 | red | 30 | a comma parts its fraction in 70 texts, and thousands in 0",
        "0,5 | 0.5 | 30 | a comma parts its fraction in 70 texts, and thousands in 0",
        "1,234 | 12,345 | 1 | a comma parts its fraction in 0 texts, and thousands in 0; it may do"
            + " either in 100",
        "5 | 1,234 | 30 | a comma parts its fraction in 0 texts, and thousands in 0; it may do"
            + " either in 30",
        "5 | 007 | 30 | 70 numbers and 30 texts"
      })
  void aMeaningOfCommasThatIsOpenIsLeftToAPerson(String most, String odd, int odds, String found)
      throws IOException {
    file("x.csv", "x;y\n" + (most + ";1\n").repeat(100 - odds) + (odd + ";0\n").repeat(odds));
    String yaml = made(folder + "/x.csv", "--label", "y");
    assertThat(settings(yaml)).noneMatch(each -> each.contains("x:") || each.contains("comma"));
    assertThat(yaml.lines().filter(each -> each.contains("field: x")))
        .hasSize(1)
        .allMatch(each -> each.startsWith("#") && each.contains("TODO: "));
    assertThat(errors.toString()).contains("x is left as a comment with a TODO: " + found);
  }

  /** One odd value among 99 changes no setting. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "5 | 0,5",
        "5 | 12,345.6",
        "red | 0,5",
        "0,5 | red",
        "0,5 | 0.5",
        "5 | 1,234",
        "5 | 007",
        "5 | red",
        "red | 5"
      })
  void aMeaningOfCommasIsNotThatOfOneRecord(String most, String odd) throws IOException {
    file("x.csv", "x;y\n" + (most + ";1\n").repeat(100));
    List<String> before = settings(made(folder + "/x.csv", "--label", "y"));
    file("x.csv", "x;y\n" + (most + ";1\n").repeat(99) + odd + ";0\n");
    assertThat(settings(made(folder + "/x.csv", "--label", "y"))).isEqualTo(before);
  }

  @Test
  void aMeaningOfCommasThatMostRecordsNeedIsStated() throws IOException {
    file("x.csv", "x;y\n" + "0,5;1\n".repeat(60) + "7;0\n".repeat(40));
    assertThat(settings(made(folder + "/x.csv", "--label", "y")))
        .contains("events.comma: decimal")
        .anyMatch(each -> each.contains("x: {field: x"));
    assertThat(errors.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "%d,5 | NA | events.comma: decimal | missing in 20 records",
        "1,0%d.5 | ? | events.comma: thousands | missing in 20 records",
        "10%d | 00501 | features.categorical | 21 values"
      })
  void aPublicSampleTellsGapsFromCodes(String most, String odd, String setting, String note)
      throws IOException {
    StringBuilder text = new StringBuilder("x;y\n");
    for (int i = 0; i < 100; i++) {
      text.append(i < 80 ? String.format(most, 10 + i % 20) : odd)
          .append(";")
          .append(i % 2)
          .append("\n");
    }
    file("x.csv", text.toString());
    assertThat(made(folder + "/x.csv", "--label", "y", "--sample-is-public"))
        .contains(setting, note);
  }
}

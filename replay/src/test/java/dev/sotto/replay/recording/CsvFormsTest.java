package dev.sotto.replay.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.replay.recording.Made.One;
import dev.sotto.replay.recording.text.TextRecording;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which tables are written: separators, names with dots, encodings. */
class CsvFormsTest {
  @TempDir
  Path folder;

  private List<String> values(String name, byte[] bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), bytes);
    return Made.read(file, RecordingOptions.defaults()).stream().map(One::value).toList();
  }

  private List<String> values(String name, String text) throws IOException {
    return values(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Each cursor reads the whole file: a row is counted once all the same. */
  @Test
  void countsRowsThatAreTooShort() throws IOException {
    Path file = Files.writeString(folder.resolve("short.csv"), "x,y\n1,2\n3\n4,5\n6\n7\n");
    RecordingOptions three = RecordingOptions.defaults().withPartitions(3);
    try (Recording recording = TextRecording.open(file, RecordingFormat.CSV, three)) {
      assertThat(recording.remark()).isEmpty();
      for (int partition = 0; partition < 3; partition++) {
        try (RecordCursor cursor = recording.open(partition)) {
          while (cursor.next()) {
            assertThat(cursor.value()).isNotEmpty();
          }
        }
      }
      assertThat(recording.remark())
          .hasValueSatisfying(said -> assertThat(said)
              .startsWith("line 3 has fewer cells than there are names, the first of 3 such:"));
    }
  }

  @Test
  void findsTheSeparatorInTheRowOfNames() throws IOException {
    assertThat(values("a.csv", "a;b;c\n1;\"x;y\";2,5\n"))
        .containsExactly("{\"a\":\"1\",\"b\":\"x;y\",\"c\":\"2,5\"}");
    assertThat(values("a.tsv", "\uFEFFa\tb\n1\tx,y;z\n"))
        .containsExactly("{\"a\":\"1\",\"b\":\"x,y;z\"}");
    assertThat(values("a.csv", "\n\r\n\"a;b;c\",d\n1,2\n"))
        .containsExactly("{\"a;b;c\":\"1\",\"d\":\"2\"}");
    assertThat(values("a.csv", "a;b,c;d,e\n1,2,3\n"))
        .containsExactly("{\"a;b\":\"1\",\"c;d\":\"2\",\"e\":\"3\"}");
    assertThat(values("a.CSV", "a|b\n1|2,5;3\n")).containsExactly("{\"a\":\"1\",\"b\":\"2,5;3\"}");
    assertThat(values("a.csv", "a\n1\n")).containsExactly("{\"a\":\"1\"}");
    assertThat(values("a.csv", "\"a\nb\";c\n1;2\n"))
        .containsExactly("{\"a\\nb\":\"1\",\"c\":\"2\"}");
  }

  @Test
  void leavesNamesWholeWithoutBlanksAroundThem() throws IOException {
    assertThat(values("a.csv", "a, a.b,..,No. ,\" q \"\n1, 2,3,4,5\n"))
        .containsExactly("{\"a\":\"1\",\"a.b\":\" 2\",\"..\":\"3\",\"No.\":\"4\",\"q\":\"5\"}");
    assertThatThrownBy(() -> values("a.csv", "a, a\n1,2\n")).hasMessageContaining("one twice");
  }

  @Test
  void skipsTheLineThatTellsExcelTheSeparator() throws IOException {
    assertThat(values("a.csv", "\uFEFFsep=;\r\na;b\r\n1;2,5\r\n"))
        .containsExactly("{\"a\":\"1\",\"b\":\"2,5\"}");
    assertThatThrownBy(() -> values("a.csv", "sep=;\na;b\n1;2;3\n"))
        .hasMessageContaining("line 3: the row has 3 cells, but there are 2 names in line 2");
    assertThatThrownBy(() -> values("a.csv", "sep=;\n"))
        .hasMessageContaining("there is no row of names");
  }

  /** As of tables that end in empty columns; nothing can ask for them. */
  @Test
  void takesSeveralColumnsWithoutAName() throws IOException {
    assertThat(values("a.csv", ",a,,\n0,1,,\n")).containsExactly("{\"\":\"0\",\"a\":\"1\"}");
  }

  @Test
  void tellsTheColumnsInTheirOrder() throws IOException {
    Path file = Files.writeString(folder.resolve("a.csv"), "x.b, id,x.a\n,,\n");
    assertThat(columns(file, RecordingFormat.CSV)).containsExactly("x.b", "id", "x.a");
    assertThat(columns(file, RecordingFormat.JSON_LINES)).isEmpty();
  }

  /** A quote that was not meant to open a cell swallows no row without a word. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a,b\\n1,2\\n\"3,4\\n5\\n7,8 | line 3: the quote that opens a cell there is never closed",
        "a,b,c\\n1,2,3\\n\"x,2,3\\n4,5,6\\ny\",8,9\\n | line 3: the cell that a quote opens there holds line 4,",
        "a,b\\n\"x,2\\nplain,3\\ny\",4\\n | line 2: the cell that a quote opens there holds line 3,",
        "a,b\\n\"x\\n\\n\\n\\n\\n\\ny\",1\\n | line 2: the cell that a quote opens there holds more than 5",
        "a,b,c\\r1,2,3\\r\"x,2,3\\r4,5,6\\ry\",8,9\\r | line 3: the cell that a quote opens there holds line 4,",
        "a,b\\r\"x\\r\\r\\r\\r\\r\\ry\",1\\r | line 2: the cell that a quote opens there holds more than 5",
        "a,b\\n1,\"2\"3\\n | line 2: text stands after the end of a cell in quotes; a quote",
        "a,b\\n\"1\\n2\"3,4\\n | line 3: text stands after the end of a cell in quotes, which began in line 2"
      })
  void namesTheLineWhereAQuoteOpensThatSwallowsRows(String text, String said) {
    assertThatThrownBy(() -> values("a.csv", text.replace("\\n", "\n").replace("\\r", "\r")))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining(said);
  }

  @Test
  void takesQuotesAndLineEndsThatAreMeant() throws IOException {
    assertThat(values("a.csv", "a,b\r\nbar 12\",x\"y\"\r\n\"p\"\"q\" ,\"1\n2\r\n3\"\r\n"))
        .containsExactly(
            "{\"a\":\"bar 12\\\"\",\"b\":\"x\\\"y\\\"\"}",
            "{\"a\":\"p\\\"q\",\"b\":\"1\\n2\\r\\n3\"}");
    String prose = "Well, no.\nGood, but late\n\tyes,\n{\"\"k\"\": 1,\n";
    assertThat(values("a.csv", "text,y\n\"" + prose + "\",1\n")).hasSize(1);
    String many = "a,b,c\n1,2,\"" + "x,y,z\n".repeat(50) + "\"\n";
    Path file = Files.writeString(folder.resolve("long.csv"), many);
    assertThat(Made.read(file, RecordingOptions.defaults().withCellLines(50))).hasSize(1);
    assertThatThrownBy(() -> Made.read(file, RecordingOptions.defaults().withCellLines(49)))
        .hasMessageContaining("more than 49 line ends");
  }

  /** Against cells that are known, over every border of the buffer. */
  @Test
  void readsEveryCellOverBordersOfBuffers() throws IOException {
    StringBuilder text = new StringBuilder("id,text\n");
    for (int i = 0; i < 30_000; i++) {
      text.append(i).append(i % 3 == 0 ? ",\"a\"\"" + i + ",\n\"\r\n" : ",b" + i + "\n");
    }
    List<String> values = values("a.csv", text.toString());
    assertThat(values).hasSize(30_000);
    for (int i = 0; i < 30_000; i++) {
      String cell = i % 3 == 0 ? "a\\\"" + i + ",\\n" : "b" + i;
      if (!values.get(i).equals("{\"id\":\"" + i + "\",\"text\":\"" + cell + "\"}")) {
        assertThat(values.get(i)).isEqualTo(cell);
      }
    }
  }

  /** Rows that no buffer holds at first. */
  @Test
  void readsRowsOfAnyLength() throws IOException {
    String quoted = "q\"\",".repeat(100_000);
    String plain = "é".repeat(100_000);
    assertThat(values("a.csv", "a,b,c\n1,2,3\n\"" + quoted + "\"," + plain + ",\"z\"\"\"\n4,5,6"))
        .containsExactly(
            "{\"a\":\"1\",\"b\":\"2\",\"c\":\"3\"}",
            "{\"a\":\"" + "q\\\",".repeat(100_000) + "\",\"b\":\"" + plain + "\",\"c\":\"z\\\"\"}",
            "{\"a\":\"4\",\"b\":\"5\",\"c\":\"6\"}");
  }

  @Test
  void takesTheLastOfTwoEqualNamesAsTheKeyToo() throws IOException {
    Path file = Files.writeString(
        folder.resolve("a.jsonl"), "{\"u\":\"first\",\"x\":{\"k\":1},\"u\":\"last\",\"x\":{}}\n");
    assertThat(Made.read(file, RecordingOptions.defaults().withFields("u", ""))
            .get(0)
            .key())
        .isEqualTo("last");
    assertThat(Made.read(file, RecordingOptions.defaults().withFields("x.k", ""))
            .get(0)
            .key())
        .isNull();
  }

  private static List<String> columns(Path file, RecordingFormat format) {
    try (TextRecording recording = TextRecording.open(file, format, RecordingOptions.defaults())) {
      return recording.columns();
    }
  }

  @Test
  void leavesAByteOrderMarkOutOfTheFirstLine() throws IOException {
    assertThat(values("a.jsonl", "\uFEFF{\"a\":1}\n{\"a\":2}\n"))
        .containsExactly("{\"a\":1}", "{\"a\":2}");
  }

  /** Nobody could type them, and the next file has them not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"\uFEFFa\",b",
        "\uFEFF\uFEFFa,b",
        "a\u00A0,\u2003b",
        "\u200Ba,b\u200B\u00A0",
        "a,b\u202F "
      })
  void leavesOutWhatIsNotSeenAroundNames(String names) throws IOException {
    assertThat(values("a.csv", names + "\n1,2\n")).containsExactly("{\"a\":\"1\",\"b\":\"2\"}");
  }

  /** One such byte makes no UTF-16 of a file. */
  @Test
  void namesTheLineOfAByteThatNoTextHas() throws IOException {
    assertThatThrownBy(() -> values("x.csv", "x,y\n1,0\n0.\0005,1\n"))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("line 3: it must be UTF-8, but has a byte 0; take it out")
        .hasMessageNotContaining("UTF-16");
  }

  @ParameterizedTest
  @CsvSource({
    "WINDOWS-1252, é, line 3: it must be UTF-8, iconv -f WINDOWS-1252 -t UTF-8",
    "UTF-16, é, line 1: it must be UTF-8, iconv -f UTF-16 -t UTF-8",
    "UTF-16LE, e, line 1: it must be UTF-8, iconv -f UTF-16 -t UTF-8"
  })
  void namesTheLineThatIsNotUtf8(String encoding, String letter, String line, String advice)
      throws IOException {
    byte[] bytes = ("a,b\n1,2\n3,caf" + letter + "\n").getBytes(Charset.forName(encoding));
    Path file = folder.resolve("a.csv");
    assertThatThrownBy(() -> values("a.csv", bytes))
        .isInstanceOf(RecordingException.class)
        .hasMessageContainingAll(file.toString(), line, advice);
  }

  /** Against the decoder of the JDK, on bytes of which about half are well formed. */
  @Test
  void takesWhatIsUtf8AndNothingElse() throws IOException {
    requireUtf8(300);
  }

  @Tag("long")
  @Test
  void takesWhatIsUtf8AndNothingElseInManyRounds() throws IOException {
    requireUtf8(4000);
  }

  /** The share of good ones lies outside these bounds less than once in 10^6 runs. */
  private void requireUtf8(int rounds) throws IOException {
    Random random = Seed.random(3);
    int good = 0;
    for (int i = 0; i < rounds; i++) {
      byte[] bytes = odd(random);
      String text = decoded(bytes);
      ByteBuffer all = ByteBuffer.allocate(bytes.length + 4);
      all.put(new byte[] {'a', '\n', 'x'}).put(bytes).put((byte) '\n');
      if (text == null) {
        assertThatThrownBy(() -> values("a.csv", all.array())).hasMessageContaining("UTF-8");
      } else {
        good++;
        String value = values("a.csv", all.array()).get(0);
        assertThat(new ObjectMapper().readTree(value).get("a").asText()).isEqualTo("x" + text);
      }
    }
    assertThat(good).isBetween(rounds / 5, rounds * 4 / 5);
  }

  /** One character, half of the time with a byte changed. */
  private static byte[] odd(Random random) {
    int point;
    do {
      point = 0xA0 + random.nextInt(1 << 7 + random.nextInt(14));
    } while (!Character.isDefined(point) || Character.getType(point) == Character.SURROGATE);
    byte[] bytes = new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8);
    if (random.nextBoolean()) {
      bytes[random.nextInt(bytes.length)] = (byte) (0x80 + random.nextInt(0x80));
    }
    return bytes;
  }

  private static String decoded(byte[] bytes) {
    try {
      CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return text.toString();
    } catch (CharacterCodingException malformed) {
      return null;
    }
  }
}

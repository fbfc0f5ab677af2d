package dev.sotto.connectors.stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamLineReaderTest {
  private static final int ANY_LENGTH = 1 << 30;

  @Test
  void keepsEverythingButTheLineFeed() throws IOException {
    assertThat(lines("{\"a\":1}\r\n\n\u00e9\u0000\nlast", FilePosition.START))
        .containsExactly("{\"a\":1}\r", "", "\u00e9\u0000", "last");
    assertThat(lines("one\n", FilePosition.START)).containsExactly("one");
    assertThat(lines("\n", FilePosition.START)).containsExactly("");
    assertThat(lines("", FilePosition.START)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void splitsAsTheSlowWayDoesAndResumesAnywhere(int seed) throws IOException {
    Random random = Seed.random(seed);
    String text = random
        .ints(random.nextInt(300_000), 0, 256)
        .map(each -> random.nextInt(seed * 5000) == 0 ? '\n' : each == '\n' ? ' ' : each)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
    List<String> expected = slow(text);
    try (StreamLineReader reader = reader(text, FilePosition.START, ANY_LENGTH)) {
      for (int i = 0; i < expected.size(); i++) {
        FilePosition before = reader.position();
        assertThat(before.line()).isEqualTo(i);
        List<String> rest = expected.subList(i, expected.size());
        assertThat(lines(text, before)).isEqualTo(rest);
        assertThat(lines(text, FilePosition.atLine(i))).isEqualTo(rest);
        assertThat(new String(reader.next(), ISO_8859_1)).isEqualTo(expected.get(i));
      }
      assertThat(reader.next()).isNull();
      assertThat(reader.position()).isEqualTo(new FilePosition(expected.size(), text.length()));
    }
  }

  private static List<String> slow(String text) {
    List<String> parts = new ArrayList<>(List.of(Pattern.compile("\n").split(text, -1)));
    if (parts.get(parts.size() - 1).isEmpty()) {
      parts.remove(parts.size() - 1);
    }
    return parts;
  }

  @Test
  void staysAtTheEndOfAFileWithoutALastLineFeed() throws IOException {
    assertThat(lines("one\ntwo", new FilePosition(2, 7))).isEmpty();
    assertThat(lines("one\ntwo\n", new FilePosition(2, 8))).isEmpty();
  }

  @Test
  void refusesAPositionInsideALineOrBehindTheEnd() {
    assertThatThrownBy(() -> lines("one\ntwo\n", new FilePosition(1, 3)))
        .isInstanceOf(ConnectException.class)
        .hasMessage("byte must be where a line of text begins, but was 3");
    assertThatThrownBy(() -> lines("one\ntwo\n", new FilePosition(2, 10)))
        .isInstanceOf(ConnectException.class)
        .hasMessage("byte must be at most the uncompressed size of text, but was 10");
    assertThatThrownBy(() -> lines("one\ntwo\n", new FilePosition(2, 9)))
        .isInstanceOf(ConnectException.class)
        .hasMessage("byte must be where a line of text begins, but was 9");
    assertThatThrownBy(() -> lines("one\ntwo\n", FilePosition.atLine(3)))
        .isInstanceOf(ConnectException.class)
        .hasMessage("line must be at most the 2 lines of text, but was 3");
  }

  @Test
  void refusesALineThatIsTooLong() throws IOException {
    String text = "abc\nabcd\n";
    try (StreamLineReader reader = reader(text, FilePosition.START, 3)) {
      assertThat(reader.next()).hasSize(3);
      assertThatThrownBy(reader::next)
          .isInstanceOf(ConnectException.class)
          .hasMessage("max.line.bytes must be at least the length of every line, but was 3,"
              + " and line 1 of text is longer");
    }
    try (StreamLineReader reader = reader("x".repeat(200_000), FilePosition.START, 199_999)) {
      assertThatThrownBy(reader::next).hasMessageContaining("but was 199999");
    }
  }

  private static List<String> lines(String text, FilePosition from) throws IOException {
    List<String> all = new ArrayList<>();
    try (StreamLineReader reader = reader(text, from, ANY_LENGTH)) {
      for (byte[] line = reader.next(); line != null; line = reader.next()) {
        all.add(new String(line, ISO_8859_1));
      }
    }
    return all;
  }

  /** Gives as few bytes at a time as a slow disk might. */
  private static StreamLineReader reader(String text, FilePosition from, int longest)
      throws IOException {
    InputStream in = new ByteArrayInputStream(text.getBytes(ISO_8859_1)) {
      @Override
      public synchronized int read(byte[] into, int at, int most) {
        return super.read(into, at, Math.min(most, 30_000));
      }
    };
    return new StreamLineReader("text", in, from, longest);
  }
}

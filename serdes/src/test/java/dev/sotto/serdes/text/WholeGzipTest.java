package dev.sotto.serdes.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WholeGzipTest {
  /** Sizes at which a member ends within the buffer, at its end, and behind it. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 20, 26, 27, 28, 29, 30, 31, 35, 40, 50, 55, 56, 57, 60, 512})
  void readsAllMembersAndZerosBehindThem(int size) throws IOException {
    byte[] two = joined(gzip("one\n"), gzip("two\n"));
    assertThat(read(two, size)).isEqualTo("one\ntwo\n");
    assertThat(read(joined(two, gzip(""), gzip("three\n")), size)).isEqualTo("one\ntwo\nthree\n");
    assertThat(read(joined(two, new byte[1]), size)).isEqualTo("one\ntwo\n");
    assertThat(read(joined(two, new byte[600]), size)).isEqualTo("one\ntwo\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 20, 26, 27, 28, 29, 30, 31, 35, 40, 50, 55, 56, 57, 60, 512})
  void refusesWhatWouldBeLostBehindTheEnd(int size) throws IOException {
    byte[] damaged = gzip("two\n");
    damaged[0] ^= 1;
    byte[] cut = Arrays.copyOf(gzip("two\n"), 5);
    for (byte[] more : new byte[][] {damaged, cut, "two\n".getBytes(StandardCharsets.UTF_8), {1}}) {
      assertThatThrownBy(() -> read(joined(gzip("one\n"), more), size))
          .isInstanceOf(ZipException.class)
          .hasMessageContaining("other data follows");
      assertThatThrownBy(() -> read(joined(gzip("one\n"), new byte[40], more), size))
          .isInstanceOf(ZipException.class);
    }
  }

  private static String read(byte[] bytes, int size) throws IOException {
    try (InputStream in = new WholeGzip(new ByteArrayInputStream(bytes), size)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}

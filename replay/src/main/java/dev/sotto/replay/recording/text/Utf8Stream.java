package dev.sotto.replay.recording.text;

import dev.sotto.serdes.text.SpecialBytes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Hands on bytes that are UTF-8, and names the line of the first that is not. */
final class Utf8Stream extends FilterInputStream {
  private static final String EIGHT_BITS = "WINDOWS-1252";
  private static final String UTF_16 = "UTF-16";

  private static final byte NUL = 0;

  private int left; // continuation bytes that the current character still needs
  private int low = 0x80; // the range of the next of them
  private int high = 0xBF;
  private long line = 1;

  Utf8Stream(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count = super.read(bytes, from, length);
    int end = from + count;
    for (int i = from; i < end; i++) {
      if (left == 0) {
        i = SpecialBytes.first(bytes, i, end, NUL, NUL);
      }
      if (i < end) {
        check(bytes[i] & 0xFF);
      }
    }
    if (count < 0 && left > 0) {
      throw malformed("it ends within a character", EIGHT_BITS);
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    return count > 0 && read() >= 0 ? 1 : 0;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** The table of well-formed byte sequences of the Unicode standard, chapter 3.9. */
  private void check(int next) throws MalformedTextException {
    if (left > 0) {
      if (next < low || next > high) {
        throw malformed(
            "byte 0x" + Integer.toHexString(next) + " goes on with no character", EIGHT_BITS);
      }
      left--;
      low = 0x80;
      high = 0xBF;
    } else if (next >= 0x80) {
      begin(next);
    } else if (next == '\n') {
      line++;
    } else if (next == 0 && line > 1) { // in UTF-16 there would be one in the first line
      throw new MalformedTextException(
          line, "it must be UTF-8, but has a byte 0; take it out, as with: tr -d '\\000'");
    } else if (next == 0) {
      throw malformed("it has a byte 0", UTF_16);
    }
  }

  private void begin(int lead) throws MalformedTextException {
    if (lead < 0xC2 || lead > 0xF4) {
      throw malformed(
          "byte 0x" + Integer.toHexString(lead) + " begins no character",
          lead >= 0xFE ? UTF_16 : EIGHT_BITS);
    }
    left = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  }

  private MalformedTextException malformed(String what, String encoding) {
    return new MalformedTextException(
        line,
        "it must be UTF-8, but " + what + "; convert it, perhaps with: iconv -f " + encoding
            + " -t UTF-8 FILE");
  }
}

package dev.sotto.serdes.text;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads all members of a gzip stream. {@link GZIPInputStream} takes whatever is no header of a
 * further member for the end, and with it all that follows; here it is an error, unless it is
 * nothing but zeros, as tapes and blocks are filled up.
 */
public final class WholeGzip extends GZIPInputStream {
  private static final int TRAILER = 8;

  private final Source source;

  /**
   * Reads the header of the first member.
   *
   * @param size of the buffer in bytes
   * @throws IOException where there is none
   */
  public WholeGzip(InputStream in, int size) throws IOException {
    super(new Source(in), size);
    source = (Source) this.in;
  }

  @Override
  protected void fill() throws IOException {
    super.fill();
    source.direct.reset();
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int count = super.read(bytes, from, length);
    if (count < 0) {
      requireEnd();
    }
    return count;
  }

  /** Behind the last trailer must be nothing. */
  private void requireEnd() throws IOException {
    int left = inf.getRemaining();
    var rest = new ByteArrayOutputStream();
    rest.write(buf, len - left, left);
    source.direct.writeTo(rest);
    byte[] tail = rest.toByteArray();
    requireZeros(tail, TRAILER, tail.length);
    byte[] block = new byte[buf.length];
    for (int count = source.read(block); count >= 0; count = source.read(block)) {
      source.direct.reset(); // what fills a file up may be long
      requireZeros(block, 0, count);
    }
  }

  private static void requireZeros(byte[] bytes, int from, int to) throws ZipException {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        throw new ZipException("other data follows where the file should end or go on with gzip"
            + " data, and is not read");
      }
    }
  }

  /** Keeps what was read since the buffer was filled last, which the inflater has not seen. */
  private static final class Source extends FilterInputStream {
    private final ByteArrayOutputStream direct = new ByteArrayOutputStream();

    Source(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      if (next >= 0) {
        direct.write(next);
      }
      return next;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = super.read(bytes, from, length);
      if (count > 0) {
        direct.write(bytes, from, count);
      }
      return count;
    }

    /** At least one: only a read can tell that there is nothing more. */
    @Override
    public int available() throws IOException {
      return Math.max(1, super.available());
    }
  }
}

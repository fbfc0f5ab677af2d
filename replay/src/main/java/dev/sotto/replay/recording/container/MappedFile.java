package dev.sotto.replay.recording.container;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.avro.file.SeekableInput;

/** A file in memory as the system pages it in, of any length. Safe for use by several threads. */
final class MappedFile {
  private static final int SEGMENT_BITS = 30;
  private static final int SEGMENT = 1 << SEGMENT_BITS;

  private final MappedByteBuffer[] segments;
  private final long length;

  private MappedFile(MappedByteBuffer[] segments, long length) {
    this.segments = segments;
    this.length = length;
  }

  static MappedFile of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size();
      MappedByteBuffer[] segments =
          new MappedByteBuffer[Math.toIntExact((length + SEGMENT - 1) >>> SEGMENT_BITS)];
      for (int i = 0; i < segments.length; i++) {
        long from = (long) i << SEGMENT_BITS;
        segments[i] =
            channel.map(FileChannel.MapMode.READ_ONLY, from, Math.min(SEGMENT, length - from));
      }
      return new MappedFile(segments, length);
    }
  }

  long length() {
    return length;
  }

  /** The bytes from a place on, fewer at the end of the file; returns how many. */
  int read(long at, byte[] into, int from, int most) throws IOException {
    int wanted = (int) Math.min(most, length - at);
    try {
      for (int done = 0; done < wanted; ) {
        MappedByteBuffer segment = segments[(int) ((at + done) >>> SEGMENT_BITS)];
        int start = (int) (at + done) & (SEGMENT - 1);
        int part = Math.min(wanted - done, segment.limit() - start);
        segment.get(start, into, from + done, part);
        done += part;
      }
      return wanted;
    } catch (InternalError gone) { // how Java reports a page that is no longer there
      throw new IOException("the file was cut off while it was read", gone);
    }
  }

  /** A view of it with a position, for one thread. */
  SeekableInput input(long start) {
    return new Input(start);
  }

  private final class Input implements SeekableInput {
    private long position;

    Input(long start) {
      position = start;
    }

    @Override
    public void seek(long to) {
      position = to;
    }

    @Override
    public long tell() {
      return position;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
      if (most == 0) {
        return 0;
      }
      if (position >= length) {
        return -1;
      }
      int count = MappedFile.this.read(position, into, from, most);
      position += count;
      return count;
    }

    @Override
    public void close() {
      // The mapping goes with the last view of it.
    }
  }
}

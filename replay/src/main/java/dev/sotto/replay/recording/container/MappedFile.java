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

  private final MappedByteBuffer[] segments;
  private final int segmentBits;
  private final long length;

  private MappedFile(MappedByteBuffer[] segments, int segmentBits, long length) {
    this.segments = segments;
    this.segmentBits = segmentBits;
    this.length = length;
  }

  static MappedFile of(Path file) throws IOException {
    return of(file, SEGMENT_BITS);
  }

  /** A file in segments of 2^segmentBits bytes: a mapping is of less than 2 GiB. */
  static MappedFile of(Path file, int segmentBits) throws IOException {
    long segment = 1L << segmentBits;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long length = channel.size();
      MappedByteBuffer[] segments =
          new MappedByteBuffer[Math.toIntExact((length + segment - 1) >>> segmentBits)];
      for (int i = 0; i < segments.length; i++) {
        long from = (long) i << segmentBits;
        segments[i] =
            channel.map(FileChannel.MapMode.READ_ONLY, from, Math.min(segment, length - from));
      }
      return new MappedFile(segments, segmentBits, length);
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
        MappedByteBuffer segment = segments[(int) ((at + done) >>> segmentBits)];
        int start = (int) ((at + done) & ((1L << segmentBits) - 1));
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

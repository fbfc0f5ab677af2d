package dev.sotto.replay.recording.text;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingFault;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A text file as a recording, compressed by gzip or not. Its records are dealt out to partitions by the hash of their keys, as
 * Kafka's producer does, or in turn where they have none; offsets count from 0 in each. Each cursor reads the whole file,
 * and keeps its own partition: what is read often, or in many partitions, is better turned into a container first.
 */
public final class TextRecording implements Recording {
  private static final int BUFFER = 1 << 16;
  private static final int GZIP = 0x8b1f;

  private final Path file;
  private final RecordingFormat format;
  private final RecordingOptions options;

  private TextRecording(Path file, RecordingFormat format, RecordingOptions options) {
    this.file = file;
    this.format = format;
    this.options = options;
  }

  /**
   * Opens a file; what it holds is seen as it is read.
   *
   * @throws RecordingFault where it cannot be read or has no beginning of that format
   */
  public static TextRecording open(Path file, RecordingFormat format, RecordingOptions options) {
    TextRecording recording = new TextRecording(file, format, options);
    recording.open(0).close();
    return recording;
  }

  @Override
  public RecordingHeader header() {
    List<RecordedRange> ranges = IntStream.range(0, options.partitions())
        .mapToObj(each -> new RecordedRange(each, 0, -1, -1))
        .toList();
    return new RecordingHeader(
        format.toString(), "", file.getFileName().toString(), "", ranges, options.schema(), "");
  }

  @Override
  public RecordCursor open(int partition) {
    if (partition < 0 || partition >= options.partitions()) {
      throw new RecordingFault(file + " is read as " + options.partitions()
          + " partitions, from 0 on, without " + partition);
    }
    try {
      return new TextCursor(file, source(), partition, options.partitions());
    } catch (IOException faulty) {
      throw fault(file, 1, faulty);
    }
  }

  private TextSource source() throws IOException {
    InputStream in = stream();
    try {
      return switch (format) {
        case JSON_LINES -> new JsonLines(in, options.keyField(), options.timestampField());
        case CSV -> new CsvRows(in, options.keyField(), options.timestampField());
        case LIBSVM -> new LibsvmLines(in, options.signedLabels());
        case AVRO -> throw new IllegalArgumentException("a container is no text file");
      };
    } catch (IOException | RuntimeException faulty) {
      in.close();
      throw faulty;
    }
  }

  private InputStream stream() throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    in.mark(2);
    int magic = in.read() | in.read() << 8;
    in.reset();
    try {
      return magic == GZIP ? new GZIPInputStream(in, BUFFER) : in;
    } catch (IOException damaged) {
      in.close();
      throw damaged;
    }
  }

  /** What is wrong with a file, in words. */
  static RecordingFault fault(Path file, long line, IOException cause) {
    if (cause instanceof FaultyText) {
      return new RecordingFault(file + ", " + cause.getMessage() + ". Correct the file", cause);
    }
    if (cause instanceof EOFException || cause instanceof ZipException) {
      return new RecordingFault(
          file + " is truncated or damaged near line " + line + ": gzip says " + cause.getMessage()
              + "; fetch it again",
          cause);
    }
    return new RecordingFault(
        file + " cannot be read near line " + line + ": " + cause + "; check the path", cause);
  }

  @Override
  public void close() {
    // Each cursor has the file for itself.
  }
}

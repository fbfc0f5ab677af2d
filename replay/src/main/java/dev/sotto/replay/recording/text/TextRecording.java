package dev.sotto.replay.recording.text;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.RecordingOrigin;
import dev.sotto.serdes.text.WholeGzip;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.ZipException;

/**
 * A text file as a recording, compressed by gzip or not. Its records are distributed over
 * partitions by the hash of their keys, as Kafka's producer does, or in turn where they have none;
 * offsets count from 0 in each. Each cursor reads the whole file and keeps one partition: a file
 * that is read often should be converted to a container first.
 */
public final class TextRecording implements Recording {
  private static final int BUFFER = 1 << 16;
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final Path file;
  private final RecordingFormat format;
  private final RecordingOptions options;
  private final ShortRows shortRows = new ShortRows();

  private TextRecording(Path file, RecordingFormat format, RecordingOptions options) {
    this.file = file;
    this.format = format;
    this.options = options;
  }

  /**
   * Opens a file; what it holds is seen as it is read.
   *
   * @throws RecordingException where it cannot be read or has no beginning of that format
   */
  public static TextRecording open(Path file, RecordingFormat format, RecordingOptions options) {
    TextRecording recording = new TextRecording(file, format, options);
    recording.open(0).close();
    return recording;
  }

  @Override
  public RecordingHeader header() {
    List<RecordedRange> ranges = IntStream.range(0, options.text().partitions())
        .mapToObj(each -> new RecordedRange(each, 0, -1, -1))
        .toList();
    return new RecordingHeader(
        format.toString(),
        new RecordingOrigin("", file.getFileName().toString(), ""),
        ranges,
        options.text().schema(),
        "");
  }

  @Override
  public RecordCursor open(int partition) {
    if (partition < 0 || partition >= options.text().partitions()) {
      throw new RecordingException(file + " is read as " + options.text().partitions()
          + " partitions, from 0 on, without " + partition);
    }
    try {
      return new TextCursor(file, source(), partition, options.text().partitions());
    } catch (IOException faulty) {
      throw fault(file, 1, faulty);
    }
  }

  /** The fields that a row of names states, in its order. None in other formats than CSV. */
  public List<String> columns() {
    try (TextSource source = source()) {
      return source.columns();
    } catch (IOException faulty) {
      throw fault(file, 1, faulty);
    }
  }

  @Override
  public Optional<String> remark() {
    return shortRows.remark();
  }

  private TextSource source() throws IOException {
    InputStream in = stream();
    try {
      return switch (format) {
        case JSON_LINES ->
          new JsonLines(in, options.text().keyField(), options.text().timestampField());
        case CSV ->
          new CsvRows(
              in,
              options.text().keyField(),
              options.text().timestampField(),
              options.text().cellLines(),
              shortRows::add);
        case LIBSVM -> new LibsvmLines(in, options.text().signedLabels());
        case AVRO -> throw new IllegalArgumentException("a container is no text file");
      };
    } catch (IOException | RuntimeException faulty) {
      in.close();
      throw faulty;
    }
  }

  private InputStream stream() throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
    in.mark(NoText.BYTES);
    byte[] start = in.readNBytes(NoText.BYTES);
    in.reset();
    try {
      Optional<String> other = NoText.of(start);
      if (other.isPresent()) {
        throw new RecordingException(file + " is no text, but " + other.get());
      }
      return withoutMark(
          isGzip(start) ? new BufferedInputStream(new WholeGzip(in, BUFFER), BUFFER) : in);
    } catch (IOException | RuntimeException unusable) {
      in.close();
      throw unusable;
    }
  }

  private static boolean isGzip(byte[] start) {
    return start.length > 1 && (start[0] & 0xFF) == 0x1F && (start[1] & 0xFF) == 0x8B;
  }

  /** The same behind a byte order mark, which is part of no record. */
  private static InputStream withoutMark(InputStream in) throws IOException {
    in.mark(MARK.length);
    if (!Arrays.equals(in.readNBytes(MARK.length), MARK)) {
      in.reset();
    }
    return in;
  }

  /** Says what is wrong with a file. */
  static RecordingException fault(Path file, long line, IOException cause) {
    if (cause instanceof MalformedTextException) {
      return new RecordingException(file + ", " + cause.getMessage() + ". Correct the file", cause);
    }
    if (cause instanceof EOFException || cause instanceof ZipException) {
      return new RecordingException(
          file + " is truncated or damaged near line " + line + ": gzip says " + cause.getMessage()
              + "; fetch it again",
          cause);
    }
    return new RecordingException(
        file + " cannot be read near line " + line + ": " + cause + "; check the path", cause);
  }

  @Override
  public void close() {
    // Each cursor has the file for itself.
  }
}

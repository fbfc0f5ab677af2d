package dev.sotto.app.scoring;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.serdes.text.LineReader;
import dev.sotto.serdes.text.LineTooLongException;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Events of files, topics and streams, one after the other. */
public final class ScoredEvents {
  private static final int LONGEST_LINE = 1 << 24;

  private static final Headers NONE = new RecordHeaders();

  private ScoredEvents() {}

  /** What is done with each event. */
  public interface Visitor {
    /** Takes one event; key and value may be null, and may change with the next. */
    void add(int partition, long offset, byte[] key, byte[] value, Headers headers);
  }

  /**
   * The records of a recording or a text file.
   *
   * @param check looks at what the recording says of itself, and may refuse it
   * @throws RecordingException where it cannot be read
   */
  public static void ofFile(
      Path file, RecordingOptions options, Consumer<RecordingHeader> check, Visitor visitor) {
    try (Recording recording = Recordings.open(file, options)) {
      check.accept(recording.header());
      for (RecordedRange range : recording.header().ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (cursor.next()) {
            visitor.add(
                range.partition(), cursor.offset(), cursor.key(), cursor.value(), cursor.headers());
          }
        }
      }
    }
  }

  /**
   * A topic's committed records, as far as it goes now.
   *
   * @throws SottoException where it cannot be read
   */
  public static void ofTopic(Map<String, String> clients, String topic, Visitor visitor) {
    try (CommittedTopic records = new CommittedTopic(clients, topic)) {
      records.readToEnd(record -> visitor.add(
          record.partition(), record.offset(), record.key(), record.value(), record.headers()));
    } catch (SottoException failed) {
      throw failed.kind() == FailureKind.TOPIC
          ? new SottoException(
              FailureKind.TOPIC,
              "topic " + topic + " does not exist on " + clients.get("bootstrap.servers")
                  + "; check --topic",
              failed)
          : failed;
    }
  }

  /** Lines of a stream, blank ones left out; an event's offset is the number of its line less 1. */
  public static void ofLines(InputStream in, Visitor visitor) throws IOException {
    try (LineReader lines = new LineReader(in, LONGEST_LINE, 0, 0)) {
      for (byte[] line = lines.next(); line != null; line = lines.next()) {
        if (!isBlank(line)) {
          visitor.add(0, lines.lines() - 1, null, line, NONE);
        }
      }
    } catch (LineTooLongException tooLong) {
      throw new RecordingException("standard input: " + tooLong.getMessage(), tooLong);
    }
  }

  private static boolean isBlank(byte[] line) {
    for (byte each : line) {
      if (each != ' ' && each != '\t' && each != '\r') {
        return false;
      }
    }
    return true;
  }
}

package dev.sotto.app.predict;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.topology.read.CommittedTopic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** Events to be scored, one after the other. */
public interface EventInput extends AutoCloseable {
  /** Takes one event. */
  @FunctionalInterface
  interface Visitor {
    /**
     * One event.
     *
     * @param partition in which it lies
     * @param offset its offset there, or its number from 0
     * @param key may be null
     * @param value may be null
     */
    void event(int partition, long offset, byte[] key, byte[] value);
  }

  /** Hands on every event. */
  void forEach(Visitor visitor);

  @Override
  default void close() {}

  /** The records of a recording or a text file. */
  static EventInput file(Path file, RecordingOptions options) {
    Recording recording = Recordings.open(file, options);
    return new EventInput() {
      @Override
      public void forEach(Visitor visitor) {
        for (RecordedRange range : recording.header().ranges()) {
          try (RecordCursor cursor = recording.open(range.partition())) {
            while (cursor.next()) {
              visitor.event(range.partition(), cursor.offset(), cursor.key(), cursor.value());
            }
          }
        }
      }

      @Override
      public void close() {
        recording.close();
      }
    };
  }

  /** Lines of text, one event each; empty lines are passed over. */
  static EventInput lines(InputStream in) {
    return visitor -> {
      try {
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        long number = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          if (!line.isBlank()) {
            visitor.event(0, number++, null, line.getBytes(StandardCharsets.UTF_8));
          }
        }
      } catch (IOException broken) {
        throw new UncheckedIOException("standard input cannot be read", broken);
      }
    };
  }

  /** The committed records of a topic, up to its present end. */
  static EventInput topic(Map<String, String> clients, String topic) {
    CommittedTopic records = new CommittedTopic(clients, topic);
    return new EventInput() {
      @Override
      public void forEach(Visitor visitor) {
        records.readToEnd(
            each -> visitor.event(each.partition(), each.offset(), each.key(), each.value()));
      }

      @Override
      public void close() {
        records.close();
      }
    };
  }
}

package dev.sotto.replay.recording;

import java.io.Closeable;
import java.util.Optional;

/**
 * A range of a topic in a file: records with partitions, offsets, timestamps, headers, keys and
 * values. It is raw data, as sensitive as the topic, and stays inside the trust boundary.
 */
public interface Recording extends Closeable {
  /** What was recorded, and from where. */
  RecordingHeader header();

  /**
   * Reads one partition from its first record on. Any number of cursors may be open at once, each
   * for one thread.
   *
   * @throws RecordingException where the file cannot be read
   */
  RecordCursor open(int partition);

  /**
   * What is to be known of the form of what was read so far, in a sentence; empty where there is
   * nothing to say. For inside the trust boundary: it counts records.
   */
  default Optional<String> remark() {
    return Optional.empty();
  }

  @Override
  void close();
}

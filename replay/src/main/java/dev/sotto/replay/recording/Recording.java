package dev.sotto.replay.recording;

import java.io.Closeable;

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

  @Override
  void close();
}

package dev.sotto.replay.recording;

import java.io.Closeable;

/**
 * A stretch of a topic on disk: records with their partitions, offsets, timestamps, headers, keys and values. Raw
 * events: inside the trust boundary, as sensitive as the topic.
 */
public interface Recording extends Closeable {
  /** What was recorded, and from where. */
  RecordingHeader header();

  /**
   * Reads one partition from its first record on. Any number of cursors may be open at once, each for one thread.
   *
   * @throws RecordingFault where the file cannot be read
   */
  RecordCursor open(int partition);

  @Override
  void close();
}

package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;

/** A partition of a recording. */
final class RecordedFeed implements PartitionFeed {
  private final Recording recording;
  private final RecordedRange range;
  private RecordCursor cursor;
  private boolean loaded;
  private boolean over;
  private long position;

  RecordedFeed(Recording recording, RecordedRange range) {
    this.recording = recording;
    this.range = range;
    this.position = range.from();
    this.cursor = recording.open(range.partition());
  }

  @Override
  public boolean hasNext() {
    if (!loaded && !over) {
      loaded = cursor.next();
      over = !loaded;
      if (over) {
        position = Math.max(position, range.to());
      }
    }
    return loaded;
  }

  @Override
  public RecordedRecord current() {
    return cursor;
  }

  @Override
  public void advance() {
    position = cursor.offset() + 1;
    loaded = false;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void seek(long offset) {
    cursor.close();
    cursor = recording.open(range.partition());
    loaded = false;
    over = false;
    position = range.from();
    while (hasNext() && cursor.offset() < offset) {
      advance();
    }
    position = Math.max(position, offset);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public void close() {
    cursor.close();
  }
}

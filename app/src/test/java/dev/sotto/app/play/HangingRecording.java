package dev.sotto.app.play;

import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import java.util.concurrent.locks.LockSupport;

/**
 * A recording that stands still for ever, a number of records after the first transaction of the
 * player that reports to it.
 */
final class HangingRecording implements Recording, PlayProgress {
  private final Recording recording;
  private int left;
  private long before = Long.MAX_VALUE;
  private boolean hasCommitted;

  HangingRecording(Recording recording, int records) {
    this.recording = recording;
    this.left = records;
  }

  @Override
  public void checked(long done, long most) {}

  @Override
  public void played(long done, long most, long waitMillis) {
    hasCommitted |= done > before;
    before = Math.min(before, done);
  }

  @Override
  public RecordingHeader header() {
    return recording.header();
  }

  @Override
  public RecordCursor open(int partition) {
    return new Cursor(recording.open(partition));
  }

  @Override
  public void close() {
    recording.close();
  }

  private final class Cursor implements RecordCursor {
    private final RecordCursor cursor;

    Cursor(RecordCursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean next() {
      if (hasCommitted) {
        while (left == 0) {
          LockSupport.park(this);
        }
        left--;
      }
      return cursor.next();
    }

    @Override
    public RecordedRecord current() {
      return cursor;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}

package dev.sotto.replay.cluster;

import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;

/** Reads what a feed has, up to an offset, but no more than a number of records and of bytes. */
final class FeedReading implements SlotLog.Reading {
  private final PartitionFeed feed;
  private final long to;
  private final SourceReading reading;
  private int left;
  private long bytes;

  FeedReading(PartitionFeed feed, long to, int most, long bytes, SourceReading reading) {
    this.feed = feed;
    this.to = to;
    this.left = most;
    this.bytes = bytes;
    this.reading = reading;
  }

  @Override
  public SourceRecord next() {
    if (left == 0 || bytes <= 0 || !hasMore()) {
      return null;
    }
    left--;
    bytes -= feed.bytes();
    SourceRecord record =
        reading.record(feed.offset(), feed.timestamp(), feed.key(), feed.value(), feed.headers());
    feed.advance();
    return record;
  }

  private boolean hasMore() {
    return feed.hasNext() && feed.offset() < to;
  }

  @Override
  public boolean isWhole() {
    return !hasMore();
  }

  @Override
  public void close() {
    feed.close();
  }
}

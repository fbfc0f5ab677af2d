package dev.sotto.topology.log;

import dev.sotto.topology.settings.ModelRouting;

/**
 * One record of the source, as it is handed over or read again.
 *
 * @param place its {@link Place} in what is read: the offset in a partition, or that in an order
 * @param appended its timestamp, in milliseconds since 1970: when the broker appended it, where the
 *     topic has LogAppendTime; 0 or below where it has none
 * @param key may be null
 * @param value may be null
 * @param modelHeader value of the header that names the model; null where there is none
 */
public record SourceRecord(
    long place, long appended, byte[] key, byte[] value, byte[] modelHeader) {
  /** {@link #appended} of a record that has no log time. */
  public static final long NO_TIME = 0;

  /** A record without a log time and a model. */
  public static SourceRecord of(long place, byte[] key, byte[] value) {
    return new SourceRecord(place, NO_TIME, key, value, null);
  }

  /** The same at another place, and of another time: that of the order in which it is read. */
  SourceRecord at(long otherPlace, long time) {
    return new SourceRecord(otherPlace, time, key, value, modelHeader);
  }

  /** The id of the model whose slot it fills; null where it fills none. */
  public String modelBy(ModelRouting routing) {
    return routing.modelOf(key, modelHeader);
  }
}

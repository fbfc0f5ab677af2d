package dev.sotto.topology.log;

/** Where the events of slots lie, whatever a {@link Place} is to whoever takes them. */
public interface EventPlaces {
  /** Of a log whose places are the offsets of one partition. */
  static EventPlaces of(int partition) {
    return new EventPlaces() {
      @Override
      public int partitionAt(long place) {
        return partition;
      }

      @Override
      public long offsetAt(long place) {
        return place;
      }
    };
  }

  /** The partition of the event at a place. */
  int partitionAt(long place);

  /** The offset of the event at a place, in its partition. */
  long offsetAt(long place);
}

package dev.sotto.topology.log;

/**
 * Announces the committed ends of the event partitions at a fixed cadence, by {@link OrderTurns},
 * until it is closed. It knows nothing of what is read or learned meanwhile.
 */
public interface Announcing extends AutoCloseable {
  /**
   * Where events and announcements are.
   *
   * @param group whose committed offsets say where learning begins in a partition that no
   *     announcement names
   * @param events the event topic
   * @param order the topic of the announcements
   */
  record Topics(String group, String events, String order) {}

  /** Throws what has ended it, if anything has. */
  default void check() {}

  @Override
  void close();
}

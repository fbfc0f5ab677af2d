package dev.sotto.evaluation.volume;

/**
 * What one topic, or one folder, takes: before replication.
 *
 * @param topic its name
 * @param bytesPerDay that are written
 * @param heldAtMost bytes that it ever holds; infinite where nothing bounds them, NaN where the
 *     users' own settings do
 * @param bound what bounds it, or why nothing does
 */
public record TopicVolume(String topic, double bytesPerDay, double heldAtMost, String bound) {
  /** Whether it grows for ever. */
  public boolean isUnbounded() {
    return heldAtMost == Double.POSITIVE_INFINITY;
  }
}

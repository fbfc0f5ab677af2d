package dev.sotto.topology.status;

import java.time.Duration;

/**
 * A store that is being restored. Its changelog's length depends on what records held (histories of
 * units, pages that changed), so that only a coarse share is shown and no count.
 *
 * @param store name of the store
 * @param partition of the changelog
 * @param tenths of the changelog that have been read, 0 to 10
 * @param running since the restore began
 */
public record RestoreStatus(String store, int partition, int tenths, Duration running) {
  /** What is left as a share, in steps of a tenth. */
  public double remaining() {
    return (10 - tenths) / 10.0;
  }
}

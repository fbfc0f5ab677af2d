package dev.sotto.learner.key;

import java.util.Arrays;
import javax.crypto.Mac;

/**
 * Names under which histories of privacy units are stored: 16 bytes that follow from the noise key,
 * the run and the unit's id, so that no id lies in a store in clear. Not safe for use by several
 * threads.
 */
public final class UnitPseudonyms {
  /** The length of a name. */
  public static final int BYTES = 16;

  private final Mac mac;

  /** The names of one run. */
  public UnitPseudonyms(NoiseKey key, byte[] runId) {
    mac = KeyDerivation.mac(key.unitKey(runId));
  }

  /** The name of the unit whose id some bytes of a buffer are. */
  public byte[] of(byte[] ids, int from, int length) {
    mac.update(ids, from, length);
    return Arrays.copyOf(mac.doFinal(), BYTES);
  }
}

package dev.sotto.topology.encryption;

import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.core.StateTable;
import java.util.Optional;

/** No encryption; what is encrypted is recognised, and refused. */
record InClear() implements Encryption {
  @Override
  public StateTable table(StateTable store, Place place) {
    if (store.get(SealedTable.MARK) != null) {
      throw encrypted(place);
    }
    return store;
  }

  @Override
  public TopicCipher topic(Place place) {
    return new TopicCipher() {
      @Override
      public byte[] seal(byte[] value) {
        return value;
      }

      @Override
      public byte[] open(byte[] written) {
        if (Ciphertext.is(written)) {
          throw encrypted(place);
        }
        return written;
      }
    };
  }

  @Override
  public Optional<RecordingCipher> recording(byte[] file) {
    return Optional.empty();
  }

  private static Refusal encrypted(Place place) {
    return new Refusal(place + " is encrypted, but no encryption key is given. Set"
        + " encryption.key.file (or encryption.key.env) to the keyset that wrote it");
  }
}

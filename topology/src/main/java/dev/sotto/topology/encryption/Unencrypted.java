package dev.sotto.topology.encryption;

import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.StateTable;
import java.util.Optional;

/** No encryption; what is encrypted is recognised, and refused. */
record Unencrypted() implements Encryption {
  @Override
  public StateTable table(StateTable store, StoragePlace place) {
    if (store.get(SealedTable.MARK) != null) {
      throw encrypted(place);
    }
    return store;
  }

  @Override
  public TopicCipher topic(StoragePlace place) {
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

  private static UnsafeToContinueException encrypted(StoragePlace place) {
    return new UnsafeToContinueException(
        place + " is encrypted, but no encryption key is given. Set"
            + " encryption.key.file (or encryption.key.env) to the keyset that wrote it");
  }
}

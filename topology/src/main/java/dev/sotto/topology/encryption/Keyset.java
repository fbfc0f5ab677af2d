package dev.sotto.topology.encryption;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AeadKey;
import com.google.crypto.tink.aead.AeadParameters;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import dev.sotto.learner.key.SecretFile;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.StateTable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Tink keyset of authenticated ciphers (AEAD): the primary key encrypts, all keys decrypt. It
 * comes from a file or an environment variable, is never logged, and gives itself out by the public
 * ids of its keys only.
 *
 * <p>Fresh keys are AES-256 in counter mode with HMAC-SHA256 and 128 random bits for each value:
 * 2^40 values of a kilobyte under one key overlap somewhere with a probability near 2^-42.
 * AES-GCM's 96 bits bear 2^32 values (NIST SP 800-38D section 8.3), which a busy topic gets
 * within a day; XAES-GCM takes twice the time for values as short as events; and AES-GCM-SIV is not
 * in the Java platform. A keyset with other AEAD keys works all the same.
 */
public final class Keyset implements Encryption {
  private static final long MOST_BYTES = 1 << 16;
  private static final String HOLDS = "a Tink keyset in JSON";

  private static final AeadParameters FRESH = PredefinedAeadParameters.AES256_CTR_HMAC_SHA256;

  static {
    try {
      AeadConfig.register();
    } catch (GeneralSecurityException absent) {
      throw new ExceptionInInitializerError(absent);
    }
  }

  private final KeysetHandle handle;
  private final Aead aead;
  private final List<String> ids;

  private Keyset(KeysetHandle handle) throws GeneralSecurityException {
    this.handle = handle;
    this.aead = handle.getPrimitive(RegistryConfiguration.get(), Aead.class);
    this.ids = new ArrayList<>();
    for (int i = 0; i < handle.size(); i++) {
      KeysetHandle.Entry entry = handle.getAt(i);
      if (!(entry.getKey() instanceof AeadKey key)
          || !Ciphertext.beginsWith(key.getOutputPrefix().toByteArray())) {
        throw new GeneralSecurityException("no prefix");
      }
      if (entry.getStatus() == KeyStatus.ENABLED) {
        ids.add(Integer.toUnsignedString(entry.getId()));
      }
    }
  }

  /**
   * A keyset in Tink's JSON format, in clear.
   *
   * @throws IllegalArgumentException without any of it in its message
   */
  public static Keyset ofJson(String json) {
    try {
      return new Keyset(TinkJsonProtoKeysetFormat.parseKeyset(json, InsecureSecretKeyAccess.get()));
    } catch (GeneralSecurityException | RuntimeException unusable) {
      // No cause: its message may repeat what it read.
      throw new IllegalArgumentException("an encryption key must be " + HOLDS
          + ", not itself encrypted, of AEAD keys with the output prefix TINK");
    }
  }

  /**
   * Reads a keyset file. Refused where the file can be read or written by others than its owner.
   */
  public static Keyset read(Path file) throws IOException {
    return ofJson(SecretFile.read(file, "encryption key file", HOLDS, MOST_BYTES));
  }

  /** Makes a keyset of one fresh key and writes it to a new file that only its owner can read. */
  public static Keyset create(Path file) throws IOException {
    try {
      Keyset keyset = new Keyset(KeysetHandle.generateNew(FRESH));
      SecretFile.create(file, keyset.json());
      return keyset;
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("a fresh key must be made, but was not", absent);
    }
  }

  /**
   * Adds a fresh key to a keyset file and makes it the primary one; the old ones stay, for reading.
   */
  public static Keyset rotate(Path file) throws IOException {
    Keyset old = read(file);
    try {
      Keyset keyset = new Keyset(KeysetHandle.newBuilder(old.handle)
          .addEntry(
              KeysetHandle.generateEntryFromParameters(FRESH).withRandomId().makePrimary())
          .build());
      SecretFile.replace(file, keyset.json());
      return keyset;
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("a fresh key must be made, but was not", absent);
    }
  }

  private String json() throws GeneralSecurityException {
    return TinkJsonProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get()) + "\n";
  }

  /** The public id of the key that encrypts. */
  public String primaryId() {
    return Integer.toUnsignedString(handle.getPrimary().getId());
  }

  @Override
  public StateTable table(StateTable store, StoragePlace place) {
    return new SealedTable(store, this, place);
  }

  @Override
  public TopicCipher topic(StoragePlace place) {
    byte[] associated = place.associatedData();
    return new TopicCipher() {
      @Override
      public byte[] seal(byte[] value) {
        return Keyset.this.seal(value, associated);
      }

      @Override
      public byte[] open(byte[] written) {
        return Keyset.this.open(written, place, associated);
      }
    };
  }

  @Override
  public Optional<RecordingCipher> recording(byte[] file) {
    return Optional.of(new RecordingCipher(this, file));
  }

  boolean has(String id) {
    return ids.contains(id);
  }

  String ids() {
    return String.join(", ", ids);
  }

  byte[] decrypt(byte[] written, byte[] associatedData) throws GeneralSecurityException {
    return aead.decrypt(written, associatedData);
  }

  byte[] seal(byte[] value, byte[] associatedData) {
    try {
      return aead.encrypt(value, associatedData);
    } catch (GeneralSecurityException tooLong) {
      throw new IllegalStateException("a value must be encrypted, but was not", tooLong);
    }
  }

  byte[] open(byte[] written, StoragePlace place, byte[] associatedData) {
    if (!Ciphertext.is(written)) {
      throw inClear(place);
    }
    try {
      return decrypt(written, associatedData);
    } catch (GeneralSecurityException closed) {
      String id = Ciphertext.keyId(written);
      if (!has(id)) {
        throw new UnsafeToContinueException(
            place + " is encrypted under key " + id + ", but the keyset has only "
                + ids()
                + ". Put back the keyset that wrote it; a rotated one keeps its older keys");
      }
      throw new UnsafeToContinueException(place + " holds a value that its key " + id
          + " does not open: it was changed, or comes from another place. Stop whoever else"
          + " writes there; a state"
          + " folder can be removed, so that it is restored from the changelog");
    }
  }

  static UnsafeToContinueException inClear(StoragePlace place) {
    return new UnsafeToContinueException(
        place + " was written without encryption, but an encryption key is given;"
            + " what is there would stay readable. Remove encryption.key.file (or"
            + " encryption.key.env) to go on"
            + " without, or " + NewHistory.START);
  }

  @Override
  public String toString() {
    return "Keyset " + ids + ", primary " + primaryId();
  }
}

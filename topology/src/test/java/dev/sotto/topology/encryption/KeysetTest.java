package dev.sotto.topology.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeyStatus;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.daead.DeterministicAeadConfig;
import com.google.crypto.tink.daead.PredefinedDeterministicAeadParameters;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysetTest {
  private static final StoragePlace PLACE = StoragePlace.topic("t", 0);

  @TempDir
  Path folder;

  @BeforeAll
  static void register() throws GeneralSecurityException {
    AeadConfig.register(); // whichever test comes first
  }

  private static String json(KeysetHandle handle) throws GeneralSecurityException {
    return TinkJsonProtoKeysetFormat.serializeKeyset(handle, InsecureSecretKeyAccess.get());
  }

  private static String json(Parameters parameters) throws GeneralSecurityException {
    return json(KeysetHandle.generateNew(parameters));
  }

  @Test
  void makesAFileThatOnlyItsOwnerCanRead() throws IOException {
    Path file = folder.resolve("keys");
    Keyset keyset = Keyset.create(file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Keyset.read(file).primaryId()).isEqualTo(keyset.primaryId());
    assertThatIOException()
        .isThrownBy(() -> Keyset.create(file))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-"})
  void refusesAFileThatOthersCanReadOrWrite(String permissions) throws IOException {
    Path file = folder.resolve("keys");
    Keyset.create(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    assertThatIOException()
        .isThrownBy(() -> Keyset.read(file))
        .withMessageContainingAll("encryption key file", "by its owner alone", "chmod 600");
    assertThatIOException().isThrownBy(() -> Keyset.rotate(file));
  }

  @Test
  void keepsPermissionsAndOldKeysWhenItRotates() throws IOException {
    Path file = folder.resolve("keys");
    Keyset first = Keyset.create(file);
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    Keyset second = Keyset.rotate(link);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Keyset.read(file))
        .hasToString("Keyset [" + first.primaryId() + ", " + second.primaryId() + "], primary "
            + second.primaryId());
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, link);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{}", "secret-digits", "{\"primaryKeyId\":1,\"key\":\"secret-digits\"}"})
  void refusesWhatIsNoKeysetWithoutRepeatingIt(String text) {
    assertThatThrownBy(() -> Keyset.ofJson(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a Tink keyset in JSON")
        .hasMessageNotContaining("secret-digits")
        .hasNoCause();
  }

  @Test
  void refusesKeysThatAreNoAeadOrLeaveNoMark() throws GeneralSecurityException {
    DeterministicAeadConfig.register();
    String deterministic = json(PredefinedDeterministicAeadParameters.AES256_SIV);
    String unmarked = json(AesGcmParameters.builder()
        .setKeySizeBytes(32)
        .setIvSizeBytes(12)
        .setTagSizeBytes(16)
        .setVariant(AesGcmParameters.Variant.NO_PREFIX)
        .build());
    String legacy = json(AesGcmParameters.builder()
        .setKeySizeBytes(32)
        .setIvSizeBytes(12)
        .setTagSizeBytes(16)
        .setVariant(AesGcmParameters.Variant.CRUNCHY)
        .build());
    for (String each : new String[] {deterministic, unmarked, legacy}) {
      assertThatThrownBy(() -> Keyset.ofJson(each)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void takesEveryAeadThatTinkMakes() throws GeneralSecurityException {
    byte[] value = new byte[1];
    for (Parameters each : new Parameters[] {
      PredefinedAeadParameters.AES256_GCM,
      PredefinedAeadParameters.AES256_EAX,
      PredefinedAeadParameters.AES128_CTR_HMAC_SHA256,
      PredefinedAeadParameters.XCHACHA20_POLY1305,
      PredefinedAeadParameters.XAES_256_GCM_192_BIT_NONCE
    }) {
      TopicCipher cipher = Keyset.ofJson(json(each)).topic(PLACE);
      assertThat(cipher.open(cipher.seal(value))).isEqualTo(value);
      assertThat(Ciphertext.is(cipher.seal(new byte[0]))).isTrue();
    }
  }

  @Test
  void doesNotOpenWhatADisabledKeyWrote() throws GeneralSecurityException {
    KeysetHandle old = KeysetHandle.generateNew(PredefinedAeadParameters.AES256_GCM);
    Keyset before = Keyset.ofJson(json(old));
    KeysetHandle.Builder builder = KeysetHandle.newBuilder(old);
    builder.getAt(0).setStatus(KeyStatus.DISABLED);
    builder.addEntry(KeysetHandle.generateEntryFromParameters(PredefinedAeadParameters.AES256_GCM)
        .withRandomId()
        .makePrimary());
    Keyset after = Keyset.ofJson(json(builder.build()));
    byte[] written = before.topic(PLACE).seal(new byte[3]);
    assertThatThrownBy(() -> after.topic(PLACE).open(written))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "under key " + before.primaryId(), "has only " + after.primaryId());
  }
}

package dev.sotto.topology.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sealed piece opens where it was sealed, under its keyset, and nowhere else. */
class RecordingCipherTest {
  private static final byte[] FILE = {1, 2, 3};
  private static final byte[] PIECE = "a piece".getBytes(StandardCharsets.UTF_8);

  @TempDir
  Path folder;

  private Keyset keyset;
  private byte[] sealed;

  @BeforeEach
  void seal() throws IOException {
    keyset = Keyset.create(folder.resolve("key"));
    sealed = cipher(keyset, FILE).seal(PIECE, 2, 5);
  }

  private static RecordingCipher cipher(Encryption encryption, byte[] file) {
    return encryption.recording(file).orElseThrow();
  }

  @Test
  void opensInItsPlaceAlone() throws IOException {
    assertThat(cipher(keyset, FILE).open(sealed, 2, 5)).isEqualTo(PIECE);
    assertThat(cipher(Keyset.rotate(folder.resolve("key")), FILE).open(sealed, 2, 5))
        .isEqualTo(PIECE);
    assertThat(Encryption.none().recording(FILE)).isEmpty();
    assertRefused(cipher(keyset, FILE), sealed, 3, 5, "damaged or was changed");
    assertRefused(cipher(keyset, FILE), sealed, 2, 6, "damaged or was changed");
    assertRefused(cipher(keyset, new byte[] {1, 2, 4}), sealed, 2, 5, "damaged or was changed");
    byte[] changed = sealed.clone();
    changed[changed.length - 1] ^= 1;
    assertRefused(cipher(keyset, FILE), changed, 2, 5, "damaged or was changed");
    assertRefused(cipher(keyset, FILE), new byte[0], 2, 5, "damaged or was changed");
    Keyset other = Keyset.create(folder.resolve("other"));
    assertRefused(
        cipher(other, FILE),
        sealed,
        2,
        5,
        "is encrypted under key " + keyset.primaryId() + ", but the keyset has only "
            + other.primaryId());
  }

  private static void assertRefused(
      RecordingCipher cipher, byte[] written, int partition, long place, String said) {
    assertThatThrownBy(() -> cipher.open(written, partition, place))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining(said);
  }
}

package dev.sotto.learner.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyDerivationTest {
  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  @Test
  void derivesTheKeysOfRfc5869() {
    byte[] basic = KeyDerivation.hkdf(
        hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"),
        hex("000102030405060708090a0b0c"),
        hex("f0f1f2f3f4f5f6f7f8f9"),
        42);
    assertThat(basic)
        .isEqualTo(
            hex(
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"));
    byte[] noSalt = KeyDerivation.hkdf(
        hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"), new byte[0], new byte[0], 42);
    assertThat(noSalt)
        .isEqualTo(
            hex(
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"));
  }

  @Test
  void readsItsOwnFilesAndNamesItselfOnly(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("noise.key");
    NoiseKey made = NoiseKey.create(file);
    NoiseKey read = NoiseKey.read(file);
    assertThat(read.id()).isEqualTo(made.id()).hasSize(16);
    assertThat(read.toString()).doesNotContain(Files.readString(file).strip());
    assertThatThrownBy(() -> NoiseKey.create(file)).isInstanceOf(IOException.class);
  }

  @Test
  void refusesKeysThatOthersMayRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("noise.key");
    NoiseKey.create(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> NoiseKey.read(file)).hasMessageContaining("chmod 600");
  }

  @Test
  void refusesKeysOfAnotherLengthWithoutRepeatingThem() {
    String digits = "ab".repeat(31);
    assertThatThrownBy(() -> NoiseKey.ofHex(digits))
        .hasMessageContaining("64 hexadecimal digits")
        .hasMessageNotContaining("abab");
    assertThatThrownBy(() -> NoiseKey.ofHex("zz".repeat(32))).hasMessageNotContaining("zz");
    assertThatThrownBy(() -> NoiseKey.of(new byte[16])).hasMessageContaining("32 bytes");
  }

  @Test
  void givesEveryAddressItsOwnKey() {
    NoiseKey key = NoiseKey.of(new byte[32]);
    byte[] digest = new byte[32];
    byte[] other = digest.clone();
    other[31] = 1;
    byte[] base = key.vectorKey(digest, "a", 1);
    assertThat(key.vectorKey(digest, "a", 1)).isEqualTo(base);
    assertThat(key.vectorKey(other, "a", 1)).isNotEqualTo(base);
    assertThat(key.vectorKey(digest, "b", 1)).isNotEqualTo(base);
    assertThat(key.vectorKey(digest, "a", 2)).isNotEqualTo(base);
    byte[] second = new byte[32];
    second[0] = 1;
    assertThat(NoiseKey.of(second).vectorKey(digest, "a", 1)).isNotEqualTo(base);
    byte[] one = key.runId("m", digest, new RunName("a", "1"));
    assertThat(one).hasSize(16).isEqualTo(key.runId("m", digest, new RunName("a", "1")));
    assertThat(List.of(
            key.runId("m", digest, new RunName("a", "2")),
            key.runId("m", digest, new RunName("b", "1")),
            key.runId("m", digest, new RunName("", "1")),
            key.runId("m1", digest, new RunName("a", "")),
            key.runId("m", digest, new RunName("a1", "")),
            key.runId("am", digest, new RunName("", "1")),
            key.runId("", digest, new RunName("am", "1"))))
        .allSatisfy(each -> assertThat(each).isNotEqualTo(one));
  }
}

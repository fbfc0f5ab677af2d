package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keyset for encryption at rest; the noise key is tested with the other settings. */
class KeySourcesTest {
  @TempDir
  private Path folder;

  private Path file;
  private Keyset keyset;

  @BeforeEach
  void makeKeyset() throws IOException {
    file = folder.resolve("keyset");
    keyset = Keyset.create(file);
  }

  private String json() throws IOException {
    return Files.readString(file);
  }

  /** The part of the keyset that nobody must see. */
  private String secret() throws IOException {
    return json().replaceFirst("(?s).*\"value\":\"([^\"]+)\".*", "$1");
  }

  private static ConfigSource source(Map<String, String> environment, String... more) {
    Map<String, String> all = new HashMap<>(Texts.KEY);
    all.putAll(environment);
    return ConfigSource.of("test.yaml", Texts.VALID + String.join("\n", more)).withEnvironment(all);
  }

  private static Encryption encryption(ConfigSource source) {
    return SottoConfig.load(source).learner().encryption();
  }

  private static ConfigException failure(ConfigSource source) {
    ConfigException failure =
        catchThrowableOfType(ConfigException.class, () -> SottoConfig.load(source));
    assertThat(failure).as("a configuration with faults").isNotNull();
    return failure;
  }

  @Test
  void encryptsNothingUnlessAsked() {
    assertThat(encryption(source(Map.of()))).isEqualTo(Encryption.none());
  }

  @Test
  void readsAKeysetFromAFileOrAVariable() throws IOException {
    assertThat(encryption(source(Map.of(), "encryption.key.file: " + file)))
        .hasToString(keyset.toString());
    assertThat(encryption(source(Map.of("SOTTO_ENCRYPTION_KEY_FILE", file.toString()))))
        .hasToString(keyset.toString());
    for (String variable : List.of("SOTTO_ENCRYPTION_KEY", "MY_KEYSET")) {
      SottoConfig config =
          SottoConfig.load(source(Map.of(variable, json()), "encryption.key.env: " + variable));
      assertThat(config.learner().encryption()).hasToString(keyset.toString());
      assertThat(config.effective().yaml())
          .contains("encryption.key.env: " + variable)
          .doesNotContain(secret());
    }
  }

  @Test
  void refusesAFileThatOthersCanRead() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(failure(source(Map.of(), "encryption.key.file: " + file)))
        .hasMessageContainingAll(
            "encryption.key.file must name a usable key",
            "chmod 600",
            "sotto key --encryption FILE")
        .hasMessageNotContaining(secret());
  }

  @Test
  void refusesAFileThatIsMissingOrHoldsNoKeyset() throws IOException {
    assertThat(failure(source(Map.of(), "encryption.key.file: " + folder.resolve("none"))))
        .hasMessageContaining("encryption key file " + folder.resolve("none") + " does not exist");
    Files.writeString(file, Texts.DIGITS);
    assertThat(failure(source(Map.of(), "encryption.key.file: " + file)))
        .hasMessageContaining("must be a Tink keyset in JSON")
        .hasMessageNotContaining(Texts.DIGITS);
  }

  @Test
  void refusesAVariableThatIsNotSetOrHoldsNoKeyset() {
    assertThat(failure(source(Map.of(), "encryption.key.env: NOT_SET")))
        .hasMessageContaining("encryption.key.env must name a variable with the key, but NOT_SET");
    assertThat(failure(source(Map.of("MY_KEYSET", Texts.DIGITS), "encryption.key.env: MY_KEYSET")))
        .hasMessageContaining("encryption.key.env must name a variable with a usable key")
        .hasMessageNotContaining(Texts.DIGITS);
  }

  @Test
  void refusesAFileAndAVariableTogether() throws IOException {
    ConfigSource both = source(
        Map.of("MY_KEYSET", json()),
        "encryption.key.file: " + file,
        "encryption.key.env: MY_KEYSET");
    assertThat(failure(both))
        .hasMessageContaining(
            "encryption.key.env must be absent where encryption.key.file is given");
  }

  /** A keyset in the place of its file's name, in every way that somebody may try. */
  @Test
  void neverRepeatsAKeysetThatIsGivenAsAPath() throws IOException {
    String json = json().strip();
    for (ConfigSource wrong : List.of(
        source(Map.of(), "encryption.key.file: " + json),
        source(Map.of(), "encryption.key.file: '" + json + "'"),
        source(Map.of(), "encryption.key.env: '" + json + "'"),
        source(Map.of("SOTTO_ENCRYPTION_KEY_FILE", json)),
        source(Map.of()).withFlags(List.of("encryption.key.file=" + json)))) {
      assertThat(failure(wrong))
          .hasMessageContaining("encryption.key.")
          .hasMessageNotContaining(secret());
    }
  }
}

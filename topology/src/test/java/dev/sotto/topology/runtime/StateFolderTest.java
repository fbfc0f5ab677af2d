package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFolderTest {
  @TempDir
  private Path folder;

  @Test
  void keepsTheNameThatItsInstanceHasInTheGroup() {
    String name = new StateFolder(folder).member();
    assertThat(new StateFolder(folder).member()).isEqualTo(name);
    StateFolder other = new StateFolder(folder.resolve("other"));
    other.prepare();
    assertThat(other.member()).isNotEqualTo(name);
  }

  @Test
  void refusesWhatIsNoName() throws IOException {
    Path file = Files.writeString(folder.resolve("member"), "x");
    assertThatThrownBy(() -> new StateFolder(folder).member())
        .isInstanceOf(SottoException.class)
        .hasMessageContainingAll(file.toString(), "delete the file");
  }

  /** What a power cut leaves of a file that nobody has forced to the disk. */
  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\0\0\0\0"})
  void renewsANameThatAPowerCutHasEmptied(String left) throws IOException {
    Path file = Files.writeString(folder.resolve("member"), left);
    String name = new StateFolder(folder).member();
    assertThat(file).hasContent(name);
    assertThat(new StateFolder(folder).member()).isEqualTo(name);
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
  }

  /** The beginning of a name would be read as another one. */
  @Test
  void refusesTheBeginningOfAName() throws IOException {
    StateFolder state = new StateFolder(folder);
    String half = state.member().substring(0, 30);
    Files.writeString(folder.resolve("member"), half);
    assertThatThrownBy(state::member)
        .isInstanceOf(SottoException.class)
        .hasMessageContainingAll(half, "delete the file");
  }
}

package dev.sotto.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}

package dev.sotto.app.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir
  Path folder;

  /** As where the disk is full. */
  @Test
  void leavesWhatWasThereAndNoPartOfWhatWasToBe() throws IOException {
    Path file = Files.writeString(folder.resolve("sotto.yaml"), "app.id: before\n");
    assertThatThrownBy(() -> WholeFile.write(file, beside -> {
          Files.writeString(beside, "app.");
          throw new IOException("No space left on device");
        }))
        .hasMessage("No space left on device");
    assertThat(file).hasContent("app.id: before\n");
    assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
  }
}

package dev.sotto.app.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  private static final byte[] NEW = "new".getBytes(StandardCharsets.UTF_8);

  @TempDir
  Path folder;

  @Test
  void replacesWhatALinkPointsToAndNotTheLink() throws IOException {
    Path real =
        Files.writeString(Files.createDirectory(folder.resolve("there")).resolve("a"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("there", "a"));
    WholeFile.write(link, NEW);
    assertThat(link).isSymbolicLink().hasContent("new");
    assertThat(real).hasContent("new");
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

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

  /** What is no file, as /dev/null is, stays what it is. */
  @Test
  void writesIntoADevice() throws IOException {
    Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/null"));
    WholeFile.write(device, NEW);
    assertThat(device).isSymbolicLink();
    assertThat(Files.isRegularFile(device)).isFalse();
  }
}

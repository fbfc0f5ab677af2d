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

  @Test
  void leavesAFileAsItWasWhereWritingFails() throws IOException {
    Path file = Files.writeString(folder.resolve("a"), "old");
    assertThatThrownBy(() -> WholeFile.write(file, beside -> {
          Files.writeString(beside, "ne");
          throw new IOException("full");
        }))
        .hasMessage("full");
    assertThat(file).hasContent("old");
    assertThat(folder).isDirectoryContaining(file::equals).isDirectoryNotContaining("glob:**.new");
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

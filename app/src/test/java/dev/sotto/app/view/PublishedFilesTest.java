package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublishedFilesTest {
  @TempDir
  Path folder;

  /** One that cannot be closed or removed keeps no other: dead letters are raw records. */
  @Test
  void takesAwayAllThatWasNotCompleted() throws IOException {
    Path part = folder.resolve("ledger.jsonl.part");
    PublishedFiles files = new PublishedFiles(folder, false);
    Files.delete(part);
    Files.createDirectories(part.resolve("in-the-way"));
    assertThatThrownBy(files::close).hasMessageContaining("cannot be written");
    assertThat(folder).isDirectoryNotContaining(each -> !each.equals(part));
  }
}

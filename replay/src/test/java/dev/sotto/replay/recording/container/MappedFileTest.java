package dev.sotto.replay.recording.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file in many segments reads as one: real segments are too long for a test. */
class MappedFileTest {
  @TempDir
  Path folder;

  @Test
  void readsAcrossSegments() throws IOException {
    byte[] whole = new byte[10_000];
    new Random(1).nextBytes(whole);
    Path path = Files.write(folder.resolve("file"), whole);
    for (int bits : new int[] {12, 13, 30}) {
      MappedFile file = MappedFile.of(path, bits);
      for (int at = 0; at < whole.length; at += 333) {
        byte[] part = new byte[5000];
        int count = file.read(at, part, 7, 4990);
        assertThat(count).isEqualTo(Math.min(4990, whole.length - at));
        assertThat(Arrays.copyOfRange(part, 7, 7 + count))
            .isEqualTo(Arrays.copyOfRange(whole, at, at + count));
      }
      assertThat(file.input(whole.length).read(new byte[1], 0, 1)).isEqualTo(-1);
    }
  }
}

package dev.sotto.topology.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFilesTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000_000);

  @TempDir
  private Path task;

  private StoreFiles files;

  @BeforeEach
  void make() throws IOException {
    files = StoreFiles.in(task, "heads");
    Files.createDirectories(files.folder());
    Files.writeString(files.folder().resolve("1.sst"), "x");
  }

  /** A changelog tells of a deleted key for a day; an hour of it is for reading. */
  @Test
  void areOutdatedOnceTheyMayHaveMissedADeletion() throws IOException {
    assertThat(files.areOutdated(NOW)).as("never flushed").isTrue();
    files.flushed(NOW.minus(Duration.ofHours(23)).plusMillis(1));
    assertThat(files.areOutdated(NOW)).isFalse();
    files.flushed(NOW.minus(Duration.ofHours(23)));
    assertThat(files.areOutdated(NOW)).isTrue();
    files.flushed(NOW.plusMillis(1));
    assertThat(files.areOutdated(NOW)).as("by a clock that was set back").isTrue();
    files.flushed(NOW);
    assertThat(files.areOutdated(NOW)).isFalse();
    Files.writeString(task.resolve("rocksdb").resolve("heads.flushed"), "");
    assertThat(files.areOutdated(NOW)).as("torn").isTrue();
  }

  @Test
  void areSuspectUntilTheyAreDiscarded() throws IOException {
    files.flushed(NOW);
    assertThat(files.areSuspect()).isFalse();
    files.suspect();
    assertThat(files.areSuspect()).isTrue();
    files.discard();
    assertThat(task.resolve("rocksdb")).isEmptyDirectory();
    files.suspect();
    assertThat(files.areSuspect()).isFalse();
    files.discard();
  }
}

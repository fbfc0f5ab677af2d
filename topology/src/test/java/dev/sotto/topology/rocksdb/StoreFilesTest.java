package dev.sotto.topology.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    Files.write(task.resolve("rocksdb").resolve("heads.flushed"), new byte[] {(byte) 0xff, 0});
    assertThat(files.areOutdated(NOW)).as("damaged").isTrue();
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

  /**
   * Where Streams before 4.4 noted up to where each store is, beside all of them, a discarded one
   * would be read from there on, and have nothing of what lies before.
   */
  @Test
  void areReadFromTheBeginningOnceTheyAreDiscarded() throws IOException {
    Path offsets = task.resolve(".checkpoint");
    Files.write(offsets, List.of("0", "2", "app-heads-changelog 0 77", "app-units-changelog 0 99"));
    files.discard();
    assertThat(offsets).hasContent("0\n1\napp-units-changelog 0 99\n");
    StoreFiles.in(task, "units").discard();
    assertThat(offsets).doesNotExist();
  }

  @Test
  void areTrustedWhereOnlyTransactionsWroteToThem() throws IOException {
    assertThat(files.areCommitted()).as("of an earlier version").isFalse();
    files.discard();
    assertThat(files.areCommitted()).as("none").isTrue();
    files.committed(true);
    Files.createDirectories(files.folder());
    assertThat(files.areCommitted()).isTrue();
    files.committed(false);
    assertThat(files.areCommitted()).isFalse();
  }
}

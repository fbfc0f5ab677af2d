package dev.sotto.serdes.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordsSetAsideTest {
  private static final String TOPIC = "lJx3Yv2uQ0O7d3cQ";

  @TempDir
  private Path folder;

  private static RecordPlace place(long offset) {
    return RecordPlace.of(TOPIC, 0, offset);
  }

  private Optional<Path> file() {
    return Optional.of(folder.resolve("state").resolve("ids.jsonl.aside"));
  }

  @Test
  void saysSomethingOfTheirOwnPlacesOnly() throws IOException {
    RecordsSetAside all = new RecordsSetAside(file());
    Set<Long> added = new HashSet<>();
    Random random = Seed.random(7);
    for (int i = 0; i < 400; i++) {
      long offset = random.nextInt(600);
      added.add(offset);
      all.add(place(offset));
    }
    for (RecordsSetAside each : new RecordsSetAside[] {all, new RecordsSetAside(file())}) {
      for (long offset = -1; offset < 602; offset++) {
        assertThat(each.has(place(offset))).isEqualTo(added.contains(offset));
        assertThat(each.has(RecordPlace.of(TOPIC, 1, offset))).isFalse();
        assertThat(each.has(RecordPlace.of("another", 0, offset))).isFalse();
      }
    }
  }

  @Test
  void takesABoundedRoomAndForgetsTheOldestFirst() throws IOException {
    Optional<Path> none = Optional.empty();
    for (Optional<Path> file : java.util.List.of(none, file())) {
      RecordsSetAside all = new RecordsSetAside(file, 100);
      for (long offset = 0; offset < 10_050; offset++) {
        all.add(place(2 * offset));
      }
      for (long newest = 10_049; newest > 9_949; newest--) {
        assertThat(all.has(place(2 * newest))).isTrue();
      }
      assertThat(all.has(place(2 * 9_800))).isFalse();
    }
    try (var files = Files.list(file().orElseThrow().getParent())) {
      assertThat(files.mapToLong(each -> each.toFile().length()))
          .hasSize(2)
          .allMatch(size -> size <= 100 * 30);
    }
    RecordsSetAside restarted = new RecordsSetAside(file(), 100);
    assertThat(restarted.has(place(2 * 9_949))).isTrue();
    assertThat(restarted.has(place(2 * 9_800))).isFalse();
  }

  @Test
  void readsNoPlaceOutOfALineThatWasBeingWritten() throws IOException {
    new RecordsSetAside(file()).add(place(12));
    Path path = file().orElseThrow();
    Files.writeString(path, Files.readString(path) + TOPIC + " 0 34"); // of 345
    RecordsSetAside restarted = new RecordsSetAside(file());
    assertThat(restarted.has(place(34))).isFalse();
    restarted.add(place(56));
    RecordsSetAside again = new RecordsSetAside(file());
    assertThat(again.has(place(12))).isTrue();
    assertThat(again.has(place(34))).isFalse();
    assertThat(again.has(place(56))).isTrue();
  }

  @Test
  void namesTheLineThatIsDamaged() throws IOException {
    new RecordsSetAside(file()).add(place(12));
    Path path = file().orElseThrow();
    Files.writeString(path, Files.readString(path) + TOPIC + " 0 x\n");
    assertThatThrownBy(() -> new RecordsSetAside(file()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(path + " line 2");
  }

  @Test
  void keepsNothingOfTopicsThatCannotBeToldApart() throws IOException {
    RecordsSetAside all = new RecordsSetAside(file());
    all.add(RecordPlace.NONE);
    assertThat(all.has(RecordPlace.NONE)).isFalse();
    assertThat(file().orElseThrow()).doesNotExist();
  }
}

package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * State and topics that a released version of this program has written, kept as files: the program
 * of today goes on from them bit for bit, or, once its semantics are others, says what to do. With
 * {@code -Dfixture.update=true} the file of these semantics is written where there is none yet.
 */
class StoredStateTest {
  private static final Path FILE =
      Path.of("src/test/resources/stored/semantics-" + Releaser.SEMANTICS + ".txt");
  private static final int STOPPED_AFTER = 131; // in the middle of a round, and of a version

  private static World world() {
    Plan plan = World.plan(Mechanisms.BLT, 16, 1e6).toBuilder()
        .versions(new VersionSchedule(48, 0))
        .build();
    // The records of the file, whatever seed a run has.
    return new World(World.settings(plan, 50, 1)).fill(300, 1, new Random(5));
  }

  /** As it was when its process ended, a checkpoint of the open round among it. */
  private static World stopped() {
    World world = world();
    world.restart();
    for (int i = 0; i < STOPPED_AFTER; i++) {
      world.step();
    }
    world.checkpoint();
    world.commit();
    return world;
  }

  private static List<String> lines(World world) {
    List<String> lines = new ArrayList<>();
    lines.add("offset " + world.groupOffset);
    Map.of("heads", world.heads, "arrays", world.arrays)
        .forEach((name, table) ->
            new TreeMap<>(table).forEach((key, value) -> lines.add(line(name, key, value))));
    world.committed.forEach(each -> lines.add(line(each.topic(), each.key(), each.value())));
    return lines;
  }

  private static String line(String name, String key, byte[] value) {
    return name + " " + key + " " + HexFormat.of().formatHex(value);
  }

  private static World read(Path file) throws IOException {
    World world = world();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      if (words[0].equals("offset")) {
        world.groupOffset = Long.parseLong(words[1]);
        continue;
      }
      byte[] value = HexFormat.of().parseHex(words[2]);
      switch (words[0]) {
        case "heads" -> world.heads.put(words[1], value);
        case "arrays" -> world.arrays.put(words[1], value);
        default -> world.committed.add(new World.Output(words[0], words[1], value));
      }
    }
    return world;
  }

  @Test
  void goesOnFromWhatThisVersionWrote() throws IOException {
    if (Boolean.getBoolean("fixture.update") && Files.notExists(FILE)) {
      Files.createDirectories(FILE.getParent());
      Files.write(FILE, lines(stopped()));
    }
    World kept = read(FILE);
    assertThat(kept.arrays).isNotEmpty();
    assertThat(kept.ledger()).isNotEmpty();
    List<String> whole = world().run().published();
    assertThat(kept.published().size()).isLessThan(whole.size());
    assertThat(kept.run().published()).isEqualTo(whole);
  }

  /** Its twin: the state is what it goes on from. */
  @Test
  void wouldNoticeAnotherState() throws IOException {
    World kept = read(FILE);
    kept.arrays.replaceAll((key, value) -> {
      byte[] other = value.clone();
      other[other.length / 2] ^= 1;
      return other;
    });
    List<String> whole = world().run().published();
    try {
      assertThat(kept.run().published()).isNotEqualTo(whole);
    } catch (RuntimeException refused) {
      assertThat(refused).hasMessageContaining("state");
    }
  }

  @Test
  void saysWhatToDoWithTheStateOfAnotherVersion() throws IOException {
    World kept = read(FILE);
    kept.writtenBy(Releaser.SEMANTICS + 1);
    assertThatThrownBy(kept::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("start.from");
  }
}

package dev.sotto.topology.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.testing.Tier;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.trainer.World;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trainer over encrypted stores publishes what one over stores in clear does, bit for bit. */
class EncryptedStoresTest {
  /** The beginning of every record that is stored whole: Avro's single-object encoding. */
  private static final byte[] SINGLE_OBJECT = {(byte) 0xC3, 1};

  @TempDir
  Path folder;

  private Keyset keyset;

  @BeforeEach
  void makeKeyset() throws IOException {
    keyset = Keyset.create(folder.resolve("keys"));
  }

  private static World world(Encryption encryption) {
    Plan plan = World.plan(
        Mechanisms.INDEPENDENT.make(),
        13,
        1e6,
        new Participation.Budgeted(100),
        GenerationSchedule.NONE,
        null);
    World world = new World(World.settings(plan, 40, 2)).fill(300, 1, 11);
    use(world, encryption);
    return world;
  }

  private static void use(World world, Encryption encryption) {
    world.atRest = (name, table) -> encryption.table(table, StoragePlace.store("app", name, 0));
  }

  private static Stream<byte[]> values(World world) {
    return Stream.of(world.heads, world.arrays, world.units)
        .flatMap(each -> each.values().stream());
  }

  private static boolean showsRecords(World world) {
    return values(world).anyMatch(value -> {
      for (int i = 0; i < Math.min(5, value.length - 1); i++) { // chunks begin with their length
        if (value[i] == SINGLE_OBJECT[0] && value[i + 1] == SINGLE_OBJECT[1]) {
          return true;
        }
      }
      return false;
    });
  }

  @Test
  void changesNothingThatIsPublishedUnderAnyScheduleOfFaults() {
    World clear = world(Encryption.none()).run();
    assertThat(clear.published()).isNotEmpty();
    assertThat(showsRecords(clear)).isTrue();
    for (int seed = 0; seed < Tier.choose(3, 20); seed++) {
      World world = world(keyset).runWithFaults(seed, 2 + seed);
      assertThat(world.published()).as("seed %d", seed).isEqualTo(clear.published());
    }
  }

  @Test
  void hidesEveryStoredRecord() {
    World world = world(keyset).run();
    // Ciphertexts begin with 1 and the id of their key: five bytes, the only ones that are not
    // random.
    assertThat(values(world)).allSatisfy(value -> assertThat(value[0]).isEqualTo((byte) 1));
    World clear = world(Encryption.none()).run();
    requireHidden(clear.heads, world.heads);
    requireHidden(clear.arrays, world.arrays);
    requireHidden(clear.units, world.units);
  }

  private static void requireHidden(Map<String, byte[]> clear, Map<String, byte[]> sealed) {
    assertThat(clear).isNotEmpty();
    assertThat(sealed.keySet()).containsAll(clear.keySet()).contains("encryption");
    clear.forEach((key, value) ->
        assertThat(hex(sealed.get(key))).as(key).isNotEmpty().doesNotContain(hex(value)));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void goesOnAfterARotation() throws IOException {
    World world = world(keyset);
    world.restart();
    for (int i = 0; i < 150; i++) {
      world.step();
    }
    world.checkpoint();
    world.commit();
    use(world, Keyset.rotate(folder.resolve("keys")));
    assertThat(world.run().published()).isEqualTo(world(Encryption.none()).run().published());
  }

  /** Told before the first record, and nothing is overwritten. */
  @Test
  void refusesToStartOverStoresThatWereWrittenOtherwise() throws IOException {
    Keyset other = Keyset.create(folder.resolve("other"));
    List<List<Encryption>> changes = List.of(
        List.of(Encryption.none(), keyset),
        List.of(keyset, Encryption.none()),
        List.of(keyset, other));
    for (List<Encryption> change : changes) {
      World world = world(change.get(0)).run();
      List<String> published = world.published();
      use(world, change.get(1));
      assertThatThrownBy(world::restart)
          .as("%s", change)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining("store heads of app.id app (partition 0)");
      use(world, change.get(0));
      assertThat(world.run().published()).isEqualTo(published);
    }
  }
}

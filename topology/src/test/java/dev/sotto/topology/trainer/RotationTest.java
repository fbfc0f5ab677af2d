package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RotationTest {
  /** How many schedules of faults. */
  int schedules() {
    return 3;
  }

  private static final NoiseKey FIRST = key(1);
  private static final NoiseKey SECOND = key(2);
  private static final int RECORDS = 300;

  private static NoiseKey key(int fill) {
    byte[] secret = new byte[32];
    Arrays.fill(secret, (byte) fill);
    return NoiseKey.of(secret);
  }

  private static TrainerSettings under(NoiseKey key, Plan plan) {
    TrainerSettings old = World.settings(plan, 9, 3);
    return new TrainerSettings(
        old.app(),
        new LearnerSettings.Run(plan, key, old.run().label()),
        old.source(),
        old.readTimeLimit(),
        old.cadence());
  }

  private static Plan plan(Mechanisms mechanism) {
    Participation participation = mechanism.make().memory().isPresent()
        ? new Participation.Budgeted(100)
        : new Participation.Once();
    return World.plan(mechanism.make(), 7, 1e6, participation, GenerationSchedule.NONE, null);
  }

  /**
   * A world whose key was rotated somewhere in the middle of its log, among faults before and
   * after.
   */
  private static World rotated(Plan plan, long seed) {
    World world = new World(under(FIRST, plan)).fill(RECORDS, 1, seed);
    world.restart();
    for (int i = 0; i < RECORDS / 3 + seed; i++) {
      world.step();
      if (i % 17 == 5) {
        world.commit();
      }
    }
    world.settings = under(SECOND.withEarlier(List.of(FIRST)), plan);
    return world.runWithFaults(seed, 20);
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void goesOnUnderTheNewKeyAndDerivesAgainUnderTheOld(Mechanisms mechanism) {
    Plan plan = plan(mechanism);
    for (long seed = 0; seed < schedules(); seed++) {
      World world = rotated(plan, seed);
      List<LedgerEntry> ledger = world.ledger();
      long firstOfSecond = ledger.stream()
          .filter(entry -> entry.keyId().equals(SECOND.id()))
          .findFirst()
          .orElseThrow()
          .round();
      assertThat(firstOfSecond).isGreaterThan(1);
      assertThat(replayed(world, plan, firstOfSecond))
          .isEqualTo(ledger.stream().map(RotationTest::line).toList());
    }
  }

  private static String line(LedgerEntry entry) {
    return entry.round() + " " + entry.keyId() + " "
        + HexFormat.of().formatHex(entry.snapshotDigest());
  }

  /** An undisturbed learner that takes the second key at a round. */
  private static List<String> replayed(World world, Plan plan, long firstOfSecond) {
    ModelKeys keys = new ModelKeys(
        SECOND.withEarlier(List.of(FIRST)),
        FIRST.id(),
        round -> round < firstOfSecond ? FIRST.id() : SECOND.id());
    ModelLearner learner = ModelLearner.start(
        plan, keys, "model", RunName.ofNoApplication("1"), new InMemoryHistories());
    Slot slot = new Slot(World.DIMENSION);
    World.Literal decoder = world.new Literal();
    List<String> lines = new java.util.ArrayList<>();
    world.log.values().forEach(event -> {
      decoder.decode(event.key(), event.value(), slot);
      if (learner.fill(slot)) {
        ClosedRound round = learner.close();
        byte[] digest = ModelSnapshot.digest(round.weights(), round.guarantee());
        lines.add(round.number() + " " + round.keyId() + " " + HexFormat.of().formatHex(digest));
      }
    });
    return lines;
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void derivesEverythingAgainAcrossARotation(Mechanisms mechanism) {
    World world = rotated(plan(mechanism), 3);
    List<String> published = world.published();
    world.heads.clear();
    world.arrays.clear();
    world.units.clear();
    world.groupOffset = world.log.lastKey();
    world.run();
    assertThat(world.published()).isEqualTo(published);
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void rotatesBeforeTheFirstRoundIsClosed(Mechanisms mechanism) {
    Plan plan = plan(mechanism);
    World world = new World(under(FIRST, plan)).fill(RECORDS, 1, 5);
    world.restart();
    for (int i = 0; i < 4; i++) {
      world.step();
    }
    world.checkpoint();
    world.commit();
    world.settings = under(SECOND.withEarlier(List.of(FIRST)), plan);
    world.runWithFaults(5, 20);
    assertThat(world.ledger().get(0).keyId()).isEqualTo(FIRST.id());
    assertThat(world.ledger().get(1).keyId()).isEqualTo(SECOND.id());
    assertThat(replayed(world, plan, 2))
        .isEqualTo(world.ledger().stream().map(RotationTest::line).toList());
  }

  @Test
  void refusesOtherSettingsBeforeTheFirstRoundIsClosed() {
    World world = new World(under(FIRST, plan(Mechanisms.BLT))).fill(RECORDS, 1, 5);
    world.restart();
    world.step();
    world.checkpoint();
    world.commit();
    world.settings = under(FIRST, plan(Mechanisms.INDEPENDENT));
    assertThatThrownBy(world::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("Put the old setting back");
  }

  @Test
  void refusesTheNewKeyWithoutTheOld() {
    Plan plan = plan(Mechanisms.BINARY_TREE);
    World world = rotated(plan, 1);
    world.settings = under(SECOND, plan);
    world.fill(RECORDS + 40, 1, 1);
    assertThatThrownBy(world::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("noise key " + FIRST.id())
        .hasMessageContaining("noise.key.previous.files");
  }

  @Test
  void refusesToGoBackToTheOldKeyAlone() {
    Plan plan = plan(Mechanisms.BINARY_TREE);
    World world = rotated(plan, 1);
    world.settings = under(FIRST, plan);
    world.heads.clear();
    world.arrays.clear();
    world.units.clear();
    world.groupOffset = world.log.lastKey();
    assertThatThrownBy(world::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("noise key " + SECOND.id());
  }
}

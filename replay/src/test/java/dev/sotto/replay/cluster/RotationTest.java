package dev.sotto.replay.cluster;

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

  private static LearnerSettings under(NoiseKey key, Plan plan) {
    return SmallLearner.settings(plan, 9, 3).with(key);
  }

  private static Plan plan(Mechanisms mechanism) {
    Participation participation = mechanism.make().memory().isPresent()
        ? new Participation.Budgeted(100)
        : new Participation.Once();
    return SmallLearner.plan(
        mechanism.make(), 7, 1e6, participation, GenerationSchedule.NONE, null);
  }

  /**
   * A partition whose key was rotated somewhere in the middle of its log, among faults before and
   * after.
   */
  private static OnePartition rotated(Plan plan, long seed) {
    OnePartition partition = new OnePartition(under(FIRST, plan)).fill(RECORDS, 1, seed);
    partition.restart();
    for (int i = 0; i < RECORDS / 3 + seed; i++) {
      partition.step();
      if (i % 17 == 5) {
        partition.commit();
      }
    }
    partition.settings = under(SECOND.withEarlier(List.of(FIRST)), plan);
    return partition.runWithFaults(seed, 20);
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void goesOnUnderTheNewKeyAndDerivesAgainUnderTheOld(Mechanisms mechanism) {
    Plan plan = plan(mechanism);
    for (long seed = 0; seed < schedules(); seed++) {
      OnePartition partition = rotated(plan, seed);
      List<LedgerEntry> ledger = partition.ledger();
      long firstOfSecond = ledger.stream()
          .filter(entry -> entry.keyId().equals(SECOND.id()))
          .findFirst()
          .orElseThrow()
          .round();
      assertThat(firstOfSecond).isGreaterThan(1);
      assertThat(replayed(partition, plan, firstOfSecond))
          .isEqualTo(ledger.stream().map(RotationTest::line).toList());
    }
  }

  private static String line(LedgerEntry entry) {
    return entry.round() + " " + entry.keyId() + " "
        + HexFormat.of().formatHex(entry.snapshotDigest());
  }

  /** An undisturbed learner that takes the second key at a round. */
  private static List<String> replayed(OnePartition partition, Plan plan, long firstOfSecond) {
    ModelKeys keys = new ModelKeys(
        SECOND.withEarlier(List.of(FIRST)),
        FIRST.id(),
        round -> round < firstOfSecond ? FIRST.id() : SECOND.id());
    ModelLearner learner = ModelLearner.start(
        plan, keys, "model", new RunName(SmallLearner.APP, "1"), new InMemoryHistories());
    Slot slot = new Slot(SmallLearner.DIMENSION);
    LiteralDecoder decoder = new LiteralDecoder(SmallLearner.DIMENSION);
    List<String> lines = new java.util.ArrayList<>();
    partition.log.values().forEach(event -> {
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
    OnePartition partition = rotated(plan(mechanism), 3);
    List<String> published = partition.published();
    partition.loseStores();
    partition.groupOffset = partition.log.lastKey();
    partition.run();
    assertThat(partition.published()).isEqualTo(published);
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void rotatesBeforeTheFirstRoundIsClosed(Mechanisms mechanism) {
    Plan plan = plan(mechanism);
    OnePartition partition = new OnePartition(under(FIRST, plan)).fill(RECORDS, 1, 5);
    partition.restart();
    for (int i = 0; i < 4; i++) {
      partition.step();
    }
    partition.checkpoint();
    partition.commit();
    partition.settings = under(SECOND.withEarlier(List.of(FIRST)), plan);
    partition.runWithFaults(5, 20);
    assertThat(partition.ledger().get(0).keyId()).isEqualTo(FIRST.id());
    assertThat(partition.ledger().get(1).keyId()).isEqualTo(SECOND.id());
    assertThat(replayed(partition, plan, 2))
        .isEqualTo(partition.ledger().stream().map(RotationTest::line).toList());
  }

  @Test
  void refusesOtherSettingsBeforeTheFirstRoundIsClosed() {
    OnePartition partition =
        new OnePartition(under(FIRST, plan(Mechanisms.BLT))).fill(RECORDS, 1, 5);
    partition.restart();
    partition.step();
    partition.checkpoint();
    partition.commit();
    partition.settings = under(FIRST, plan(Mechanisms.INDEPENDENT));
    assertThatThrownBy(partition::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("Put the old setting back");
  }

  @Test
  void refusesTheNewKeyWithoutTheOld() {
    Plan plan = plan(Mechanisms.BINARY_TREE);
    OnePartition partition = rotated(plan, 1);
    partition.settings = under(SECOND, plan);
    partition.fill(RECORDS + 40, 1, 1);
    assertThatThrownBy(partition::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("noise key " + FIRST.id())
        .hasMessageContaining("noise.key.previous.files");
  }

  @Test
  void refusesToGoBackToTheOldKeyAlone() {
    Plan plan = plan(Mechanisms.BINARY_TREE);
    OnePartition partition = rotated(plan, 1);
    partition.settings = under(FIRST, plan);
    partition.loseStores();
    partition.groupOffset = partition.log.lastKey();
    assertThatThrownBy(partition::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("noise key " + SECOND.id());
  }
}

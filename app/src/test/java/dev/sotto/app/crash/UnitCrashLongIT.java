package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.crash.CrashLearner.Rule;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.topology.settings.Layout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Histories of units, on disk, of a learner that is killed with SIGKILL while events keep coming.
 */
@Tag("long")
class UnitCrashLongIT {
  private static EmbeddedBroker broker;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @BeforeAll
  static void startBroker() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @Test
  void admitsUnitsAsAnUndisturbedRunWould() throws Exception {
    try (CrashHarness crash = new CrashHarness(broker, folder, "budget", Layout.DIRECT, 1, false, 4)
        .under(Rule.BUDGET)
        .losingItsFolder()) {
      crash.run(4, 0);
      crash.runReference();
      checkEqual(crash);
      Replay replay = new Replay(Rule.BUDGET.plan(), crash.app());
      crash.events(replay::take);
      assertThat(crash.ledger(crash.app()))
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(replay.digests);
      assertThat(replay.statuses.get(RecordStatus.USED)).isGreaterThan(1000);
      assertThat(replay.statuses.get(RecordStatus.NOT_ADMITTED)).isGreaterThan(1000);
    }
  }

  @Test
  void learnsFromARecordOnceThoughItsProducerSentItTwice() throws Exception {
    try (CrashHarness crash = new CrashHarness(broker, folder, "ids", Layout.DIRECT, 1, false, 5)
        .under(Rule.FIRST_OF_ID)) {
      crash.run(3, 0);
      crash.runReference();
      checkEqual(crash);
      // Without noise, weights are the records' own: those of a learner that never saw a duplicate.
      Plan trusting = CrashLearner.plan(
          Mechanisms.noneForPublicData(), PrivacyUnit.RECORD, new Participation.Once());
      Replay once = new Replay(trusting, crash.app()).withoutDuplicates();
      crash.events(once::take);
      assertThat(once.duplicates).isGreaterThan(1000);
      assertThat(crash.weights(crash.app())).containsExactlyElementsOf(once.weights);
      Replay twice = new Replay(trusting, crash.app());
      crash.events(twice::take);
      assertThat(twice.weights.get(twice.weights.size() - 1))
          .isNotEqualTo(once.weights.get(once.weights.size() - 1));
    }
  }

  /** A model per partition; a unit has histories in both, each with its own model. */
  @Test
  void losesAndRepeatsNoRecordWherePartitionsMoveBetweenInstances() throws Exception {
    try (CrashHarness crash =
        new CrashHarness(broker, folder, "moved", Layout.DIRECT, 2, false, 6).under(Rule.BUDGET)) {
      crash.rebalance();
      crash.runReference();
      CrashLongIT.checkEqual(crash);
      CrashLongIT.checkSlots(crash);
    }
  }

  private static void checkEqual(CrashHarness crash) {
    assertThat(crash.openAtKill()).as("kills with a transaction open").isPositive();
    CrashLongIT.checkEqual(crash);
    assertThat(crash.watcher().conflicts()).isEmpty();
  }

  /** The committed events through the pure step, histories on the heap. */
  private static final class Replay {
    final List<byte[]> digests = new ArrayList<>();
    final List<double[]> weights = new ArrayList<>();
    final Map<RecordStatus, Integer> statuses = new EnumMap<>(RecordStatus.class);
    int duplicates;
    private final ModelLearner learner;
    private final EventDecoder decoder;
    private final Slot slot = new Slot(CrashLearner.DIMENSION);
    private Set<ByteBuffer> seen;

    Replay(Plan plan, String app) {
      learner = ModelLearner.start(
          plan,
          ModelKeys.of(CrashLearner.KEY),
          "model",
          new RunName(app, CrashLearner.LABEL),
          new InMemoryHistories());
      Rule rule = plan.unit() == PrivacyUnit.KEY ? Rule.BUDGET : Rule.FIRST_OF_ID;
      decoder = rule.decoder();
    }

    Replay withoutDuplicates() {
      seen = new HashSet<>();
      return this;
    }

    void take(byte[] event) {
      RecordStatus status = decoder.decode(null, event, slot);
      if (status == RecordStatus.USED && seen != null) {
        byte[] id = java.util.Arrays.copyOf(slot.unit(), slot.unitLength());
        if (!seen.add(ByteBuffer.wrap(id))) {
          slot.status(RecordStatus.UNREADABLE); // as good as poison
          duplicates++;
        }
      }
      boolean full = learner.fill(slot);
      statuses.merge(slot.status(), 1, Integer::sum);
      if (full) {
        ClosedRound round = learner.close();
        digests.add(ModelSnapshot.digest(round.weights(), round.guarantee()));
        weights.add(round.weights());
      }
    }
  }
}

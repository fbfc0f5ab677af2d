package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One partition, its ledger and its state: what is derived again, and what is refused. */
class SlotTrainerTest {
  private static final int RECORDS = 600;

  private static OnePartition partition(LearnerSettings settings) {
    return new OnePartition(settings).fill(RECORDS, 1, 11);
  }

  private static OnePartition manyModels(LearnerSettings settings) {
    return new OnePartition(SmallLearner.with(settings, SmallLearner.byKeyOf("a", "b", "c", "d")))
        .fill(RECORDS, 5, 12);
  }

  private static LearnerSettings settings(long checkpointSlots, long stateEvery) {
    return SmallLearner.settings(Mechanisms.BINARY_TREE, 13, checkpointSlots, stateEvery);
  }

  @Test
  void derivesALostStoreAgainInSlices() {
    List<String> expected = partition(settings(1000, 1)).run().published();
    OnePartition partition = partition(settings(1000, 1));
    partition.readLimit = 1;
    partition.go(400);
    partition.loseStores();
    partition.run();
    assertThat(partition.published()).isEqualTo(expected);
  }

  @Test
  void noticesThatTheTwoStoresWereRestoredToDifferentCommits() {
    OnePartition partition = partition(settings(20, 1));
    partition.go(100);
    Map<String, byte[]> old = new HashMap<>(partition.arrays);
    partition.go(100);
    partition.arrays.clear();
    partition.arrays.putAll(old);
    assertThatThrownBy(partition::run)
        .isInstanceOf(TransientException.class)
        .hasMessageContaining("do not agree");
  }

  @Test
  void refusesRecordsThatWouldBeRoutedToOtherModels() {
    OnePartition partition = manyModels(settings(1000, 1));
    partition.go(100);
    partition.settings =
        SmallLearner.with(partition.settings, new ModelIdRule(ModelIdRule.Source.HEADER, "model"));
    refuses(partition, "told apart by");
  }

  @Test
  void neverShowsTwoPayloadsForTheSameRoundEvenUncommitted() {
    OnePartition broken = partition(settings(1000, 1)).runWithFaults(5, 6);
    assertThat(broken.everything.size()).isGreaterThan(broken.committed.size());
    Map<String, byte[]> seen = new HashMap<>();
    for (OnePartition.Output output : broken.everything) {
      if (output.topic().equals("ledger")) {
        LedgerEntry entry = Codecs.LEDGER.decode(output.value());
        byte[] before = seen.put(entry.round() + " " + entry.ranges(), output.value());
        assertThat(before == null || Arrays.equals(before, output.value())).isTrue();
      }
    }
  }

  /** Models close their rounds at different slots; a restart begins at the first that is open. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void takesNoSlotASecondTime(long seed) {
    List<String> expected = manyModels(settings(1000, 1)).run().published();
    assertThat(manyModels(settings(40, 1)).runWithFaults(seed, 10).published()).isEqualTo(expected);
  }

  @Test
  void fillsOneSlotPerRecordAndSetsPoisonAside() {
    OnePartition partition = partition(settings(1000, 1)).run();
    List<LedgerEntry> ledger = partition.ledger();
    assertThat(ledger).hasSize(RECORDS / 13);
    long from = partition.log.firstKey();
    for (LedgerEntry entry : ledger) {
      var range = entry.ranges().get(0);
      assertThat(range.from()).isGreaterThanOrEqualTo(from);
      assertThat(partition.log.subMap(range.from(), range.to())).hasSize(13);
      from = range.to();
    }
    long poison = partition.log.values().stream()
        .filter(each -> LiteralDecoder.isPoison(each.value()))
        .count();
    assertThat(partition.deadLetters).hasSize((int) poison).doesNotHaveDuplicates();
  }

  @Test
  void chainsTheLedger() {
    OnePartition partition = manyModels(settings(1000, 1)).run();
    byte[] before = Sha256.none();
    long sequence = 0;
    for (OnePartition.Output output : partition.committed) {
      if (output.topic().equals("ledger")) {
        LedgerEntry entry = Codecs.LEDGER.decode(output.value());
        assertThat(entry.previousHash()).isEqualTo(before);
        assertThat(entry.sequence()).isEqualTo(++sequence);
        before = Sha256.sha256(output.value());
      }
    }
    assertThat(sequence).isGreaterThan(20);
  }

  @Test
  void derivesAgainWhatALostStoreHeldAndPublishesNothingTwice() {
    List<String> expected = partition(settings(1000, 1)).run().published();
    OnePartition partition = partition(settings(1000, 1));
    partition.go(400);
    partition.loseStores();
    partition.run();
    assertThat(partition.published()).isEqualTo(expected);
  }

  @Test
  void derivesAgainWhatAnOldBackupLacks() {
    List<String> expected = manyModels(settings(1000, 1)).run().published();
    OnePartition partition = manyModels(settings(25, 2));
    partition.go(200);
    Map<String, byte[]> heads = new HashMap<>(partition.heads);
    Map<String, byte[]> arrays = new HashMap<>(partition.arrays);
    partition.go(430);
    partition.loseStores();
    partition.heads.putAll(heads);
    partition.arrays.putAll(arrays);
    partition.run();
    assertThat(partition.published()).isEqualTo(expected);
  }

  @Test
  void skipsSlotsThatAreDoneWhenTheGroupsOffsetIsResetToTheBeginning() {
    List<String> expected = partition(settings(1000, 1)).run().published();
    OnePartition partition = partition(settings(1000, 1));
    partition.go(333);
    partition.groupOffset = partition.log.firstKey();
    partition.run();
    assertThat(partition.published()).isEqualTo(expected);
  }

  @Test
  void refusesALedgerThatWasTruncated() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(300);
    int last = IntStream.range(0, partition.committed.size())
        .filter(i -> partition.committed.get(i).topic().equals("ledger"))
        .max()
        .orElseThrow();
    partition.committed.remove(last);
    refuses(partition, "ahead of the ledger");
  }

  @Test
  void refusesALedgerThatSomebodyElseWrote() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(300);
    int last = partition.committed.size() - 1;
    while (!partition.committed.get(last).topic().equals("ledger")) {
      last--;
    }
    OnePartition other =
        new OnePartition(settings(1000, 1)).fill(RECORDS, 1, 99).run();
    OnePartition.Output foreign = other.committed.stream()
        .filter(each -> each.topic().equals("ledger"))
        .skip(partition.ledger().size() - 1)
        .findFirst()
        .orElseThrow();
    partition.committed.set(last, foreign);
    refuses(partition, "not the one");
  }

  @Test
  void refusesARecordThatChangedUnderAPaidRound() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(300);
    partition.loseStores();
    long offset = partition.log.firstKey();
    double[] others = {0.1, 0.2, 0.3, 0.4, 1};
    partition.log.put(offset, new OnePartition.Event(new byte[1], PackedDoubles.pack(others)));
    refuses(partition, "cannot be derived again");
  }

  /** Each layout has places of its own for slots. */
  @Test
  void refusesTheStateOfAnotherLayoutAndSaysHowToGoOn() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(100);
    LearnerSettings direct = partition.settings;
    partition.settings = SmallLearner.with(direct, Layout.ORDERED);
    assertThatThrownBy(partition::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageStartingWith("the stored state was learned in layout direct,")
        .hasMessageContainingAll("ordered, which is in force", "set layout: direct", "start.from");
    partition.topicId = "events";
    assertThatThrownBy(partition::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "topic id topic",
            "ordered, which is in force",
            "start a new app.id",
            "docs/warm-start.md");
    partition.settings = direct;
    assertThatThrownBy(partition::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "topic id topic", "id events", "made again", "put it back", "start.from");
  }

  @Test
  void refusesTheStateOfLayoutOrderedInAnother() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(100);
    PartitionHead head = Codecs.PARTITION_HEAD.decode(partition.heads.get("partition"));
    write(partition, head, head.semantics(), OrderPlace.beginning());
    assertThatThrownBy(partition::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll("learned in layout ordered", "set layout: ordered", "start.from");
  }

  private static void write(
      OnePartition partition, PartitionHead head, int semantics, OrderPlace order) {
    partition.heads.put(
        "partition",
        Codecs.PARTITION_HEAD.encode(new PartitionHead(
            head.position(),
            head.origin(),
            head.nullSlots(),
            head.ledgerSequence(),
            head.ledgerHash(),
            head.topicId(),
            head.routing(),
            head.lettersFrom(),
            head.handedTo(),
            semantics,
            order == null ? "" : "events",
            -1,
            order)));
  }

  /** The ledger alone is left, of slots that another layout has put elsewhere. */
  @Test
  void refusesALedgerWhoseSlotsLieElsewhere() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(300);
    partition.loseStores();
    OnePartition moved = partition(settings(1000, 1));
    partition.log.clear();
    moved.log.forEach((offset, event) -> partition.log.put(2 * offset, event));
    partition.groupOffset = partition.log.firstKey();
    refuses(
        partition, "cannot be derived again", "its slots were", "the layout, back", "start.from");
  }

  @Test
  void refusesAnotherKeyConfigurationLabelOrTopic() {
    refuses(settings(1000, 1).with(otherKey()), "noise key");
    Plan plan = SmallLearner.plan(Mechanisms.BINARY_TREE, 13, 1e6);
    refuses(of(SmallLearner.APP, plan, "2"), "run.label");
    refuses(of("another", plan, "1"), "app.id");
    refuses(
        of(SmallLearner.APP, SmallLearner.plan(Mechanisms.BINARY_TREE, 14, 1e6), "1"),
        "configuration");
    OnePartition partition = partition(settings(1000, 1)).go(300);
    partition.topicId = "another";
    refuses(partition, "deleted and made again");
  }

  private static NoiseKey otherKey() {
    byte[] other = new byte[32];
    other[0] = 1;
    return NoiseKey.of(other);
  }

  private static LearnerSettings of(String app, Plan plan, String label) {
    return SmallLearner.settings(
        app,
        new LearnerSettings.Run(plan, SmallLearner.KEY, label),
        new Cadence(1000, SmallLearner.NEVER, 1));
  }

  private static void refuses(LearnerSettings changed, String why) {
    OnePartition partition = partition(settings(1000, 1)).go(300);
    partition.settings = changed;
    refuses(partition, why);
  }

  private static void refuses(OnePartition partition, String... words) {
    assertThatThrownBy(partition::run)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void refusesAStateOfOtherSemanticsByName() {
    OnePartition state = partition(settings(1000, 1));
    state.go(300);
    write(state, Codecs.PARTITION_HEAD.decode(state.heads.get("partition")), 3, null);
    refuses(
        state,
        "was written by semantics version 3",
        "Run the version of Sotto that wrote it",
        "run.label",
        "privacy.spent.mu");
  }

  /** Also where the state is lost and only the ledger remembers. */
  @Test
  void refusesAnotherKeyThatOnlyTheLedgerRemembers() {
    OnePartition partition = partition(settings(1000, 1));
    partition.go(300);
    partition.loseStores();
    partition.settings = partition.settings.with(otherKey());
    refuses(partition, "the ledger knows model");
  }

  @Test
  void stopsBeforeTheRoundThatWouldBreakTheBudgetAndGoesOnCounting() {
    // With sigma 0.5 a tree of 4 rounds costs more than one of 3: the budget lies between.
    double three =
        SmallLearner.plan(Mechanisms.BINARY_TREE, 13, 1e6).guarantee(3).epsilon();
    LearnerSettings tight =
        SmallLearner.settings(SmallLearner.plan(Mechanisms.BINARY_TREE, 13, three), 50, 1);
    OnePartition partition = partition(tight).run();
    assertThat(partition.ledger()).hasSize(3);
    assertThat(partition.ledger())
        .extracting(LedgerEntry::last)
        .containsExactly(false, false, true);
    assertThat(partition.ledger().get(2).epsilonLeft()).isZero();
    assertThat(partition.groupOffset).isGreaterThan(partition.log.lastKey());
    assertThat(partition(tight).runWithFaults(1, 15).published()).isEqualTo(partition.published());
  }

  @Test
  void readsAgainNoMoreThanACheckpointAllows() {
    long often = decodedUnderFaults(manyModels(settings(5, 1))) - RECORDS;
    assertThat(often).isBetween(1L, RECORDS / 2L); // about sixty crashes
    assertThat(decodedUnderFaults(manyModels(settings(1000, 1))) - RECORDS)
        .isGreaterThan(2 * often);
  }

  private static long decodedUnderFaults(OnePartition partition) {
    EventDecoder decoder = new LiteralDecoder(SmallLearner.DIMENSION);
    long[] decoded = {0};
    partition.settings = partition.settings.with(() -> new EventDecoder() {
      @Override
      public int dimension() {
        return decoder.dimension();
      }

      @Override
      public RecordStatus decode(byte[] key, byte[] value, Slot into) {
        decoded[0]++;
        return decoder.decode(key, value, into);
      }
    });
    partition.runWithFaults(2, 5);
    return decoded[0];
  }

  /**
   * Time is up exactly at the last record that was handed over; the next life must not begin behind
   * the one after it.
   */
  @Test
  void losesNothingWhereASliceEndsWithTheLastRecord() {
    OnePartition undisturbed =
        new OnePartition(settings(1000, 1)).fill(60, 1, 3).run();
    OnePartition partition = new OnePartition(settings(1000, 1)).fill(60, 1, 3);
    partition.readLimit = 1;
    partition.go(5);
    partition.restart();
    partition.step(); // handed over, to be read again behind the five, of which the first is
    for (int i = 0; i < 5; i++) {
      partition.goOn();
    }
    partition.step();
    partition.commit();
    partition.restart();
    while (partition.goOn()) {
      continue;
    }
    partition.run();
    assertThat(partition.published()).isEqualTo(undisturbed.published());
    assertThat(partition.deadLetters).containsExactlyElementsOf(undisturbed.deadLetters);
  }
}

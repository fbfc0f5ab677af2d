package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelHead;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlotTrainerTest {
  private static final int RECORDS = 600;

  private static World world(TrainerSettings settings) {
    return new World(settings).fill(RECORDS, 1, 11);
  }

  private static World manyModels(TrainerSettings settings) {
    World world = new World(settings).fill(RECORDS, 5, 12);
    world.routing =
        (key, header) -> key[0] == 'e' ? null : new String(key, StandardCharsets.US_ASCII);
    return world;
  }

  private static TrainerSettings settings(long checkpointSlots, long stateEvery) {
    return World.settings(Mechanisms.BINARY_TREE, 13, checkpointSlots, stateEvery);
  }

  @Test
  void tellsEveryRoundThatItCloses() {
    World world = manyModels(settings(1000, 1)).run();
    assertThat(world.told).isEqualTo(world.ledger().size());
  }

  @Test
  void derivesALostStoreAgainInSlices() {
    List<String> expected = world(settings(1000, 1)).run().published();
    World world = world(oneAtATime(settings(1000, 1)));
    runUntil(world, 400);
    world.heads.clear();
    world.arrays.clear();
    finish(world);
    assertThat(world.published()).isEqualTo(expected);
  }

  private static TrainerSettings oneAtATime(TrainerSettings old) {
    return new TrainerSettings(old.app(), old.run(), old.source(), Duration.ZERO, old.cadence());
  }

  @Test
  void noticesThatTheTwoStoresWereRestoredToDifferentCommits() {
    World world = world(settings(20, 1));
    runUntil(world, 100);
    Map<String, byte[]> old = new HashMap<>(world.arrays);
    finish(world, 100);
    world.arrays.clear();
    world.arrays.putAll(old);
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(TransientException.class)
        .hasMessageContaining("do not agree");
  }

  @Test
  void refusesRecordsThatWouldBeRoutedToOtherModels() {
    World world = manyModels(settings(1000, 1));
    runUntil(world, 100);
    TrainerSettings old = world.settings;
    world.settings = new TrainerSettings(
        old.app(),
        old.run(),
        new TrainerSettings.Source(0, old.topicId(), "key over 2 partitions"),
        old.readTimeLimit(),
        new LearnerSettings.Cadence(1000, Duration.ofSeconds(60), 1));
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("told apart by");
  }

  /**
   * Its twin: a trainer that trusts its heap, and reads nothing again, does not give the same bits.
   */
  @Test
  void wouldLearnSomethingElseFromTheHeapAlone() {
    List<String> expected = world(settings(1000, 1)).run().published();
    World forgetful = world(settings(1000, 1));
    forgetful.slotLog = (partition, from, to) -> SlotLog.Reading.nothing();
    assertThat(forgetful.runWithFaults(3, 20).published()).isNotEqualTo(expected);
  }

  @Test
  void neverShowsTwoPayloadsForTheSameRoundEvenUncommitted() {
    World broken = world(settings(1000, 1)).runWithFaults(5, 6);
    assertThat(broken.everything.size()).isGreaterThan(broken.committed.size());
    Map<String, byte[]> seen = new HashMap<>();
    for (World.Output output : broken.everything) {
      if (output.topic().equals("ledger")) {
        LedgerEntry entry = dev.sotto.serdes.record.Codecs.LEDGER.decode(output.value());
        byte[] before = seen.put(entry.round() + " " + entry.ranges(), output.value());
        assertThat(before == null || Arrays.equals(before, output.value())).isTrue();
      }
    }
  }

  @Test
  void fillsOneSlotPerRecordAndSetsPoisonAside() {
    World world = world(settings(1000, 1)).run();
    List<LedgerEntry> ledger = world.ledger();
    assertThat(ledger).hasSize(RECORDS / 13);
    long from = world.log.firstKey();
    for (LedgerEntry entry : ledger) {
      var range = entry.ranges().get(0);
      assertThat(range.from()).isGreaterThanOrEqualTo(from);
      assertThat(world.log.subMap(range.from(), range.to())).hasSize(13);
      from = range.to();
    }
    long poison = world.log.values().stream()
        .filter(each -> each.value().length != 8 * (World.DIMENSION + 1))
        .count();
    assertThat(world.deadLetters).hasSize((int) poison).doesNotHaveDuplicates();
  }

  @Test
  void chainsTheLedger() {
    World world = manyModels(settings(1000, 1)).run();
    byte[] before = Sha256.none();
    long sequence = 0;
    for (World.Output output : world.committed) {
      if (output.topic().equals("ledger")) {
        LedgerEntry entry = dev.sotto.serdes.record.Codecs.LEDGER.decode(output.value());
        assertThat(entry.previousHash()).isEqualTo(before);
        assertThat(entry.sequence()).isEqualTo(++sequence);
        before = Sha256.sha256(output.value());
      }
    }
    assertThat(sequence).isGreaterThan(20);
  }

  @Test
  void derivesAgainWhatALostStoreHeldAndPublishesNothingTwice() {
    List<String> expected = world(settings(1000, 1)).run().published();
    World world = world(settings(1000, 1));
    runUntil(world, 400);
    world.heads.clear();
    world.arrays.clear();
    finish(world);
    assertThat(world.published()).isEqualTo(expected);
  }

  @Test
  void derivesAgainWhatAnOldBackupLacks() {
    List<String> expected = manyModels(settings(1000, 1)).run().published();
    World world = manyModels(settings(25, 2));
    runUntil(world, 200);
    Map<String, byte[]> heads = new HashMap<>(world.heads);
    Map<String, byte[]> arrays = new HashMap<>(world.arrays);
    finish(world, 430);
    world.heads.clear();
    world.arrays.clear();
    world.heads.putAll(heads);
    world.arrays.putAll(arrays);
    finish(world);
    assertThat(world.published()).isEqualTo(expected);
  }

  @Test
  void skipsSlotsThatAreDoneWhenTheGroupsOffsetIsResetToTheBeginning() {
    List<String> expected = world(settings(1000, 1)).run().published();
    World world = world(settings(1000, 1));
    runUntil(world, 333);
    world.groupOffset = world.log.firstKey();
    finish(world);
    assertThat(world.published()).isEqualTo(expected);
  }

  @Test
  void refusesALedgerThatWasTruncated() {
    World world = world(settings(1000, 1));
    runUntil(world, 300);
    int last = IntStream.range(0, world.committed.size())
        .filter(i -> world.committed.get(i).topic().equals("ledger"))
        .max()
        .orElseThrow();
    world.committed.remove(last);
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("ahead of the ledger");
  }

  @Test
  void refusesALedgerThatSomebodyElseWrote() {
    World world = world(settings(1000, 1));
    runUntil(world, 300);
    int last = world.committed.size() - 1;
    while (!world.committed.get(last).topic().equals("ledger")) {
      last--;
    }
    World other = new World(settings(1000, 1)).fill(RECORDS, 1, 99).run();
    World.Output foreign = other.committed.stream()
        .filter(each -> each.topic().equals("ledger"))
        .skip(world.ledger().size() - 1)
        .findFirst()
        .orElseThrow();
    world.committed.set(last, foreign);
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("not the one");
  }

  @Test
  void refusesARecordThatChangedUnderAPaidRound() {
    World world = world(settings(1000, 1));
    runUntil(world, 300);
    world.heads.clear();
    world.arrays.clear();
    long offset = world.log.firstKey();
    double[] others = {0.1, 0.2, 0.3, 0.4, 1};
    world.log.put(
        offset, new World.Event(new byte[1], dev.sotto.serdes.avro.PackedDoubles.pack(others)));
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("cannot be derived again");
  }

  /** Each layout has places of its own for slots; one that is gone is named all the same. */
  @Test
  void refusesTheStateOfAnotherLayoutAndSaysHowToGoOn() {
    World world = world(settings(1000, 1));
    runUntil(world, 100);
    TrainerSettings direct = world.settings;
    world.settings = reading(direct, new TrainerSettings.Source(0, "order", "constant", "topic"));
    assertThatThrownBy(world::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageStartingWith("the stored state was learned in layout direct,")
        .hasMessageContainingAll("ordered, which is in force", "set layout: direct", "start.from");
    // Layout funnel counted the offsets of a copy of the events.
    world.settings = reading(direct, new TrainerSettings.Source(0, "order", "constant", "events"));
    assertThatThrownBy(world::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "funnel of an earlier version",
            "topic id topic",
            "ordered, which is in force",
            "A model that funnel has learned does not go on",
            "start a new app.id",
            "docs/warm-start.md");
    world.settings = reading(direct, new TrainerSettings.Source(0, "events", "constant"));
    assertThatThrownBy(world::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "topic id topic", "id events", "made again", "funnel", "put it back", "start.from");
  }

  @Test
  void refusesTheStateOfLayoutOrderedInAnother() {
    World world = world(settings(1000, 1));
    runUntil(world, 100);
    PartitionHead head = Codecs.PARTITION_HEAD.decode(world.heads.get("partition"));
    world.heads.put(
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
            head.semantics(),
            "events",
            -1,
            OrderPlace.beginning())));
    assertThatThrownBy(world::restart)
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll("learned in layout ordered", "set layout: ordered", "start.from");
  }

  private static TrainerSettings reading(TrainerSettings old, TrainerSettings.Source source) {
    return new TrainerSettings(old.app(), old.run(), source, old.readTimeLimit(), old.cadence());
  }

  /** The ledger alone is left, of slots that another layout has put elsewhere. */
  @Test
  void refusesALedgerWhoseSlotsLieElsewhere() {
    World world = world(settings(1000, 1));
    runUntil(world, 300);
    world.heads.clear();
    world.arrays.clear();
    World moved = world(settings(1000, 1));
    world.log.clear();
    moved.log.forEach((offset, event) -> world.log.put(2 * offset, event));
    world.groupOffset = world.log.firstKey();
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(
            "cannot be derived again",
            "its slots were",
            "funnel",
            "the layout, back",
            "start.from");
  }

  @Test
  void refusesAnotherKeyConfigurationLabelOrTopic() {
    TrainerSettings right = settings(1000, 1);
    byte[] other = new byte[32];
    other[0] = 1;
    refuses(with(right, NoiseKey.of(other), right.runName(), right.topicId(), 13), "noise key");
    refuses(
        with(right, right.key(), RunName.ofNoApplication("2"), right.topicId(), 13), "run.label");
    refuses(with(right, right.key(), new RunName("another", "1"), right.topicId(), 13), "app.id");
    refuses(with(right, right.key(), right.runName(), "another", 13), "deleted and made again");
    refuses(with(right, right.key(), right.runName(), right.topicId(), 14), "configuration");
  }

  /** Up to semantics version 3 the run id was the same for every application. */
  @Test
  void refusesTheEarlierFormatByName() {
    String[] words = {
      "was written by semantics version 3",
      "did not depend on app.id",
      "Run the version of Sotto that wrote it",
      "run.label",
      "privacy.spent.mu"
    };
    World state = world(settings(1000, 1));
    runUntil(state, 300);
    state.writtenBy(3);
    assertThatThrownBy(() -> finish(state))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(words);

    World model = world(settings(1000, 1));
    runUntil(model, 300);
    ModelHead known = Codecs.MODEL_HEAD.decode(model.heads.get("model/model"));
    byte[] earlier = new byte[32];
    byte[] runId = model.settings.key().runIdWithoutApp("model", earlier, "1");
    model.heads.put(
        "model/model",
        Codecs.MODEL_HEAD.encode(
            new ModelHead(runId, earlier, known.keyId(), known.round(), 0, "")));
    assertThatThrownBy(() -> finish(model))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContainingAll(words);
  }

  /** Also where the state is lost and only the ledger remembers. */
  @Test
  void refusesAnotherKeyThatOnlyTheLedgerRemembers() {
    World world = world(settings(1000, 1));
    runUntil(world, 300);
    world.heads.clear();
    world.arrays.clear();
    byte[] other = new byte[32];
    other[0] = 1;
    world.settings =
        with(world.settings, NoiseKey.of(other), RunName.ofNoApplication("1"), "topic", 13);
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining("the ledger knows model");
  }

  private static TrainerSettings with(
      TrainerSettings old, NoiseKey key, RunName name, String topicId, long batch) {
    return new TrainerSettings(
        name.app(),
        new LearnerSettings.Run(World.plan(Mechanisms.BINARY_TREE, batch, 1e6), key, name.label()),
        new TrainerSettings.Source(0, topicId, "constant"),
        Duration.ofDays(1),
        new LearnerSettings.Cadence(old.checkpointSlots(), Duration.ofSeconds(60), 1));
  }

  private static void refuses(TrainerSettings changed, String why) {
    World world = world(settings(1000, 1));
    runUntil(world, 300);
    world.settings = changed;
    assertThatThrownBy(() -> finish(world))
        .isInstanceOf(UnsafeToContinueException.class)
        .hasMessageContaining(why);
  }

  @Test
  void stopsBeforeTheRoundThatWouldBreakTheBudgetAndGoesOnCounting() {
    // With sigma 0.5 a tree of 4 rounds costs more than one of 3: the budget lies between.
    double three = World.plan(Mechanisms.BINARY_TREE, 13, 1e6).guarantee(3).epsilon();
    TrainerSettings tight = new TrainerSettings(
        "",
        new LearnerSettings.Run(
            World.plan(Mechanisms.BINARY_TREE, 13, three), NoiseKey.of(new byte[32]), "1"),
        new TrainerSettings.Source(0, "topic", "constant"),
        Duration.ofDays(1),
        new LearnerSettings.Cadence(50, Duration.ofSeconds(60), 1));
    World world = world(tight).run();
    assertThat(world.ledger()).hasSize(3);
    assertThat(world.ledger()).extracting(LedgerEntry::last).containsExactly(false, false, true);
    assertThat(world.ledger().get(2).epsilonLeft()).isZero();
    assertThat(world.groupOffset).isGreaterThan(world.log.lastKey());
    assertThat(world(tight).runWithFaults(1, 15).published()).isEqualTo(world.published());
  }

  @Test
  void readsAgainNoMoreThanACheckpointAllows() {
    World world = manyModels(settings(30, 1));
    world.runWithFaults(1, 5);
    long crashes = 600 / 5; // about
    assertThat(world.rereads).isLessThan(crashes * 60);
  }

  private static void runUntil(World world, int records) {
    world.restart();
    for (int i = 0; i < records; i++) {
      world.step();
    }
    world.commit();
  }

  private static void finish(World world) {
    finish(world, Integer.MAX_VALUE);
  }

  private static void finish(World world, int records) {
    world.restart();
    for (int i = 0; i < records && world.step(); i++) {
      continue;
    }
    world.commit();
  }

  /**
   * Time is up exactly at the last record that was handed over; the next life must not begin behind
   * the one after it.
   */
  @Test
  void losesNothingWhereASliceEndsWithTheLastRecord() {
    TrainerSettings oneByOne = oneAtATime(settings(1000, 1));
    World undisturbed = new World(oneByOne).fill(60, 1, 3).run();
    World world = new World(oneByOne).fill(60, 1, 3);
    world.restart();
    for (int i = 0; i < 5; i++) {
      world.step();
    }
    world.commit();
    world.restart();
    world.step(); // handed over, to be read again behind the five, of which the first is
    for (int i = 0; i < 5; i++) {
      world.goOn();
    }
    world.step();
    world.commit();
    world.restart();
    while (world.goOn()) {
      continue;
    }
    while (world.step()) {
      continue;
    }
    world.commit();
    assertThat(world.published()).isEqualTo(undisturbed.published());
    assertThat(world.deadLetters).containsExactlyElementsOf(undisturbed.deadLetters);
  }
}

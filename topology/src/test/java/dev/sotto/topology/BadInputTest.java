package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BadInputTest {
  private static final int DIMENSION = 4;
  private static final int CUT = 512 * 1024;

  /** What a producer sends at most by default, all of a record counted. */
  private static final int PRODUCER_LIMIT = 1 << 20;

  @TempDir
  Path folder;

  private static List<byte[]> poison(Random random) {
    byte[] good = Trial.event(random, DIMENSION);
    byte[] cutShort = Arrays.copyOf(good, good.length - 3);
    byte[] tooLong = Arrays.copyOf(good, good.length + 1);
    byte[] endless = good.clone(); // a length of 2^63 - 1 where the features begin
    Arrays.fill(endless, 11, 20, (byte) 0xFF);
    endless[20] = 0x01;
    byte[] vast = new byte[5 << 20];
    random.nextBytes(vast);
    return new ArrayList<>(Arrays.asList(
        null,
        new byte[0],
        new byte[] {'{', '}'},
        cutShort,
        tooLong,
        endless,
        vast,
        ExampleCodec.encodeDense(null, null, new double[] {1, 2}, 1, 1),
        ExampleCodec.encodeDense(null, null, new double[] {1, Double.NaN, 0, 0}, 1, 1),
        ExampleCodec.encodeDense(null, null, new double[] {1, 0, 0, 0}, Double.NaN, 1),
        ExampleCodec.encodeDense(null, null, new double[] {1, 0, 0, 0}, 7, 1),
        ExampleCodec.encodeSparse(null, null, new int[] {99}, new double[] {1}, 1, 1)));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS")
  void fillsASlotWithEveryRecordAndSetsTheBadOnesAside(Layout layout) {
    Random random = Seed.random(1);
    List<byte[]> poison = poison(random);
    LearnerSettings settings = Trial.settings(layout, Trial.ONE, Trial.plan(DIMENSION, 5));
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      for (byte[] bad : poison) {
        driver.pipe(new byte[] {1}, bad);
        driver.pipe(null, Trial.event(random, DIMENSION));
      }
      driver.pipe(null, Trial.event(random, DIMENSION)); // the 25th
      driver.announce();
      assertThat(driver.takeLedger())
          .extracting(LedgerEntry::ranges)
          .containsExactly(
              LearnerTopologyTest.range(0, 5),
              LearnerTopologyTest.range(5, 10),
              LearnerTopologyTest.range(10, 15),
              LearnerTopologyTest.range(15, 20),
              LearnerTopologyTest.range(20, 25));
      var letters = driver.takeDeadLetters();
      assertThat(letters).hasSize(poison.size());
      for (int i = 0; i < letters.size(); i++) {
        check(letters.get(i), poison.get(i), 2 * i);
      }
      assertThat(letters)
          .extracting(letter -> LearnerDriver.header(letter, "sotto.reason"))
          .containsExactly(
              "EMPTY",
              "UNREADABLE",
              "UNREADABLE",
              "UNREADABLE",
              "UNREADABLE",
              "UNREADABLE",
              "UNREADABLE",
              "WRONG_TYPE",
              "NOT_FINITE",
              "NOT_FINITE",
              "WRONG_TYPE",
              "WRONG_TYPE");
    }
  }

  private static void check(TestRecord<byte[], byte[]> letter, byte[] bad, long offset) {
    assertThat(LearnerDriver.header(letter, "sotto.topic")).isEqualTo(Trial.EVENTS);
    assertThat(LearnerDriver.header(letter, "sotto.partition")).isEqualTo("0");
    assertThat(LearnerDriver.header(letter, "sotto.offset")).isEqualTo(Long.toString(offset));
    assertThat(LearnerDriver.header(letter, "sotto.length"))
        .isEqualTo(bad == null ? "null" : Integer.toString(bad.length));
    assertThat(LearnerDriver.header(letter, "sotto.sentence")).isNotBlank();
    assertThat(letter.key()).containsExactly(1);
    assertThat(letter.value())
        .isEqualTo(bad == null ? null : Arrays.copyOf(bad, Math.min(bad.length, CUT)));
  }

  @Test
  void keepsDeadLettersBelowWhatAProducerSends() {
    LearnerSettings settings = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(DIMENSION, 5));
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      driver.pipe(new byte[3 << 20], new byte[3 << 20]);
      var letter = driver.takeDeadLetters().get(0);
      assertThat(letter.value()).hasSize(CUT);
      assertThat(letter.key().length + letter.value().length).isLessThan(PRODUCER_LIMIT * 3 / 4);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS")
  void learnsFromRecordsOfAnyTime(Layout layout) {
    Random random = Seed.random(2);
    LearnerSettings settings = Trial.settings(layout, Trial.ONE, Trial.plan(DIMENSION, 2));
    long before = System.currentTimeMillis();
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      for (long time :
          new long[] {-1, Long.MIN_VALUE / 2, 4_070_908_800_000L, Long.MAX_VALUE, 0, 5}) {
        driver.pipe(Trial.event(random, DIMENSION), time);
      }
      driver.announce();
      var entries = driver.take(Names.ledger(Trial.APP));
      assertThat(entries)
          .hasSize(3)
          .allSatisfy(
              entry -> assertThat(entry.timestamp()).isBetween(0L, System.currentTimeMillis()));
      if (layout == Layout.DIRECT) { // else it is the time of the announcement
        assertThat(entries.get(1).timestamp()).isGreaterThanOrEqualTo(before);
      }
      assertThat(driver.takeDeadLetters()).isEmpty();
    }
  }
}

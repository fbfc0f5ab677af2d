package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.status.Transactions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction is one of all tasks of a thread, and Streams may call them many times before it
 * commits: what no transaction bears waits for the next one, whoever took the time.
 */
class OpenTransactionTest {
  private static final int DIMENSION = 4;

  @TempDir
  private Path folder;

  private long now;
  private final LearnerStatus status = new LearnerStatus(1, () -> now);

  private static int rounds(LearnerDriver driver) {
    return driver.take(Names.ledger(Trial.APP)).size();
  }

  @Test
  void leavesBatchesThatComeInAnOldTransactionToTheNextOne() {
    LearnerSettings settings = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(DIMENSION, 1));
    ServiceSettings service =
        Trial.service(folder, LearnerDriver.BROKERS, Duration.ofSeconds(4000));
    List<byte[]> events = Collections.nCopies(10, Trial.event(Seed.random(3), DIMENSION));
    try (LearnerDriver driver =
        new LearnerDriver(settings, service, 1, new TaskWatch(status, Optional.empty()))) {
      Transactions.begin(status);
      now += Duration.ofSeconds(500).toNanos();
      driver.pipeTogether(events, 5000);
      assertThat(rounds(driver)).as("in a young one").isEqualTo(10);

      now += Duration.ofSeconds(600).toNanos();
      for (int i = 0; i < 3; i++) {
        driver.pipeTogether(events, 5000);
      }
      driver.pass(Duration.ofSeconds(2));
      assertThat(rounds(driver))
          .as("in one of more than a quarter of its timeout")
          .isZero();

      Transactions.commit(status);
      Transactions.begin(status);
      driver.pass(Duration.ofSeconds(2));
      driver.pipeTogether(events, 5000);
      assertThat(rounds(driver)).as("behind its commit").isEqualTo(40);
    }
  }

  /** Readers of two tasks of one thread, each of which alone would have time enough. */
  @Test
  void readsOfAllTasksTogetherNoLongerThanOneTransactionBears() {
    Transactions.begin(status);
    ReadTime budget =
        () -> Duration.ofHours(1).toNanos() - status.threads().transactions().open();
    SlotLog log = (partition, from, to) -> SlotLog.Reading.of(LongStream.range(from, to)
        .mapToObj(offset -> SourceRecord.of(offset, null, null))
        .iterator());
    List<Integer> taken = new ArrayList<>();
    List<SlotReader> readers = new ArrayList<>();
    for (int task = 0; task < 2; task++) {
      SlotReader reader = new SlotReader(log, task, Duration.ofHours(9));
      reader.within(budget);
      reader.start(0);
      readers.add(reader);
    }
    for (int task = 0; task < 2; task++) {
      readers.get(task).offer(SourceRecord.of(20, null, null));
      take(readers.get(task), task, taken);
    }
    assertThat(taken).as("the first task's gap takes all the time").hasSize(21).doesNotContain(1);
    assertThat(readers.get(1).isBehind()).isTrue();
    readers.get(1).goOn();
    take(readers.get(1), 1, taken);
    assertThat(readers.get(1).isBehind()).as("still the same transaction").isTrue();
    assertThat(taken).hasSize(21);

    Transactions.commit(status);
    readers.get(1).goOn();
    take(readers.get(1), 1, taken);
    assertThat(readers.get(1).isBehind()).isFalse();
    assertThat(taken).hasSize(42);
  }

  /** One task with work for ever, asked first each time: the others get as much. */
  @Test
  void leavesTheSameShareToEachTaskThatAsks() {
    long limit = Duration.ofSeconds(1).toNanos();
    long[] served = new long[3];
    for (int transaction = 0; transaction < 100; transaction++) {
      Transactions.begin(status);
      for (int pass = 0; pass < 2; pass++) { // handed records, then reading on
        for (int task = 0; task < served.length; task++) {
          long left = status.threads().transactions().left(limit, task);
          if (left > 0) {
            served[task] += left;
            now += left;
          }
        }
      }
      assertThat(status.threads().transactions().open()).isLessThanOrEqualTo(limit);
      Transactions.commit(status);
    }
    long all = served[0] + served[1] + served[2];
    assertThat(all).isGreaterThan(90 * limit);
    for (long each : served) {
      assertThat(each).isGreaterThan(all / 4);
    }
  }

  /** A task that is alone in having something to do has half of it, and so much more reading on. */
  @Test
  void leavesHalfOfItToOneThatIsAlone() {
    Transactions.begin(status);
    assertThat(status.threads().transactions().left(1000, this)).isEqualTo(500);
    now += 700;
    assertThat(status.threads().transactions().left(1000, this)).isEqualTo(300);
    now += 400;
    assertThat(status.threads().transactions().left(1000, this)).isNegative();
  }

  private void take(SlotReader reader, int task, List<Integer> taken) {
    while (reader.next() != null) {
      taken.add(task);
      now += Duration.ofMinutes(3).toNanos();
    }
  }
}

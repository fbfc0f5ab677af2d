package dev.sotto.topology.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is remembered and what the log holds are the same records. */
class RememberedSlotsTest {
  private final TreeMap<Long, SourceRecord> log = new TreeMap<>();
  private int logReads;

  private SlotLog.Reading read(int partition, long from, long to) {
    logReads++;
    return SlotLog.Reading.of(log.subMap(from, to).values().iterator());
  }

  private void fill(int records) {
    Random random = Seed.random(3);
    long offset = 5;
    for (int i = 0; i < records; i++) {
      offset += random.nextInt(4) == 0 ? 2 : 1;
      log.put(offset, SourceRecord.of(offset, null, new byte[random.nextInt(50)]));
    }
  }

  private static List<Long> offsets(SlotLog of, long from, long to) {
    List<Long> all = new ArrayList<>();
    SlotLog.Reading reading = of.read(0, from, to);
    for (SourceRecord each = reading.next(); each != null; each = reading.next()) {
      all.add(each.place());
    }
    assertThat(reading.isWhole()).isTrue();
    reading.close();
    return all;
  }

  @Test
  void givesTheRecordsOfTheLogWhateverItRemembers() {
    fill(300);
    for (long most : new long[] {0, 500, 3000, 1 << 20}) {
      RememberedSlots memory = new RememberedSlots(this::read, most);
      Random random = Seed.random(most);
      for (long offset : List.copyOf(log.keySet())) {
        memory.add(log.get(offset));
        if (random.nextInt(9) == 0) {
          long from = random.nextInt((int) offset);
          memory.forgetBelow(from / 2);
          assertThat(offsets(memory, from, offset + 1))
              .isEqualTo(List.copyOf(log.subMap(from, offset + 1).keySet()));
        }
      }
    }
  }

  /** The twin: where there is room the log is not read, and where there is none it is. */
  @Test
  void readsTheLogOnlyWhereItMust() {
    fill(100);
    long first = log.firstKey();
    RememberedSlots large = new RememberedSlots(this::read, 1 << 20);
    RememberedSlots small = new RememberedSlots(this::read, 1000);
    log.values().forEach(large::add);
    log.values().forEach(small::add);
    assertThat(offsets(large, first, log.lastKey())).hasSize(99);
    assertThat(logReads).isZero();
    assertThat(offsets(small, first, log.lastKey())).hasSize(99);
    assertThat(logReads).isEqualTo(1);
    assertThat(offsets(small, log.lastKey(), log.lastKey() + 1)).hasSize(1);
    assertThat(logReads).isEqualTo(1);
  }

  /** It may forget meanwhile what has been read. */
  @Test
  void goesOnWhereWhatWasReadIsForgotten() {
    fill(3_000);
    RememberedSlots memory = new RememberedSlots(this::read);
    log.values().forEach(memory::add);
    List<Long> read = new ArrayList<>();
    try (SlotLog.Reading reading = memory.read(0, log.firstKey(), log.lastKey() + 1)) {
      for (SourceRecord each = reading.next(); each != null; each = reading.next()) {
        read.add(each.place());
        memory.forgetBelow(each.place());
      }
    }
    assertThat(read).isEqualTo(List.copyOf(log.keySet()));
    assertThat(logReads).isZero();
  }
}

package dev.sotto.topology.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every record comes once and in order, however reading is broken off, and again where it is rewound. */
class SlotReaderTest {
  private static final int RECORDS = 120;
  private static final int RUNS = 400;

  private final TreeMap<Long, SourceRecord> log = new TreeMap<>();
  private final NavigableSet<Long> taken = new TreeSet<>();
  private Random random;
  private int rewinds;
  private int behind;

  private void fill() {
    log.clear();
    long offset = 3;
    for (int i = 0; i < RECORDS; i++) {
      offset += random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 1;
      log.put(offset, SourceRecord.of(offset, null, null));
    }
  }

  /** Gives up now and then before it is at its end. */
  private SlotLog.Reading read(int partition, long from, long to) {
    Iterator<SourceRecord> records = log.subMap(from, to).values().iterator();
    int most = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : Integer.MAX_VALUE;
    return new SlotLog.Reading() {
      private int left = most;

      @Override
      public SourceRecord next() {
        return left-- > 0 && records.hasNext() ? records.next() : null;
      }

      @Override
      public boolean isWhole() {
        return !records.hasNext();
      }
    };
  }

  private void takeAll(SlotReader reader, boolean mayRewind) {
    for (SourceRecord next = reader.next(); next != null; next = reader.next()) {
      assertThat(reader.position()).isLessThanOrEqualTo(next.place());
      Long before = log.lowerKey(next.place());
      assertThat(taken.add(next.place())).as("%d came before", next.place()).isTrue();
      assertThat(before == null || before < first || taken.contains(before))
          .as("%d before %d", before, next.place())
          .isTrue();
      if (mayRewind && random.nextInt(60) == 0) {
        long to = log.ceilingKey(first + random.nextInt((int) (next.place() - first) + 1));
        taken.tailSet(to, true).clear();
        reader.rewind(to);
        rewinds++;
      }
    }
    behind += reader.isBehind() ? 1 : 0;
  }

  private long first;

  @Test
  void handsOutEveryRecordOnceInOrder() {
    for (int run = 0; run < RUNS; run++) {
      random = Seed.random(run);
      fill();
      taken.clear();
      boolean oneAtATime = run % 3 == 0;
      SlotReader reader =
          new SlotReader(this::read, 0, oneAtATime ? Duration.ZERO : Duration.ofHours(1));
      List<Long> offsets = new ArrayList<>(log.keySet());
      first = offsets.get(random.nextInt(RECORDS / 2));
      reader.start(first);
      int handed = offsets.indexOf(first) + random.nextInt(10);
      for (Long offset : offsets.subList(handed, RECORDS)) {
        reader.offer(log.get(offset));
        takeAll(reader, true);
        if (random.nextInt(9) == 0) {
          reader.leaveRest();
        }
        if (random.nextInt(4) == 0) {
          reader.goOn();
          takeAll(reader, true);
        }
      }
      for (int left = 10 * RECORDS; reader.isBehind() && left > 0; left--) {
        reader.goOn();
        takeAll(reader, false);
      }
      assertThat(reader.isBehind()).isFalse();
      assertThat(taken).containsExactlyElementsOf(log.tailMap(first, true).keySet());
      assertThat(reader.position()).isEqualTo(log.lastKey() + 1);
    }
    assertThat(rewinds).isGreaterThan(RUNS / 10);
    assertThat(behind).isGreaterThan(RUNS);
  }

  /** What an earlier life was handed is read, and not more, though nothing is handed over. */
  @Test
  void goesOnWithWhatAnEarlierLifeHasLeft() {
    random = Seed.random(1);
    fill();
    first = log.firstKey();
    long to = log.ceilingKey(first + 40);
    SlotReader reader = new SlotReader(this::read, 0, Duration.ofHours(1));
    reader.startBehind(first, to);
    assertThat(reader.next()).as("a commit comes first").isNull();
    for (int left = RECORDS; reader.isBehind() && left > 0; left--) {
      reader.goOn();
      takeAll(reader, false);
    }
    assertThat(taken).containsExactlyElementsOf(log.subMap(first, to).keySet());
  }
}

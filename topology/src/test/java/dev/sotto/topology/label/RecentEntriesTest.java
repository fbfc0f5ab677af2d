package dev.sotto.topology.label;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testing.Seed;
import dev.sotto.topology.store.HeapTable;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentEntriesTest {
  private final Map<String, byte[]> state = new TreeMap<>();
  private final StateTable table = new HeapTable(state);

  private static RecentEntries.Place copy(RecentEntries.Place place) {
    RecentEntries.Place copy = new RecentEntries.Place();
    copy.first = place.first;
    copy.next = place.next;
    copy.stored = place.stored;
    return copy;
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(40)];
    random.nextBytes(value);
    return value;
  }

  /** However little the heap holds, and whenever all begins again, or what was done is undone. */
  @ParameterizedTest
  @ValueSource(longs = {1, 900, 20_000, 1L << 30})
  void holdsWhatAMapWouldHold(long most) {
    Random random = Seed.random(most);
    RecentEntries.Place place = new RecentEntries.Place();
    RecentEntries entries = new RecentEntries(table, place, most);
    Map<String, byte[]> expected = new HashMap<>();
    Map<String, byte[]> committed = Map.of();
    Map<String, byte[]> committedState = Map.of();
    RecentEntries.Place committedPlace = copy(place);
    for (int call = 0; call < 4_000; call++) {
      for (int change = random.nextInt(4); change > 0; change--) {
        String name = "id/" + random.nextInt(60);
        byte[] value = random.nextInt(5) < 2 ? null : value(random);
        assertThat(entries.get(name)).isEqualTo(expected.get(name));
        entries.put(name, value);
        expected.put(name, value);
      }
      entries.save(false, 0);
      if (random.nextInt(15) == 0) {
        committed = new HashMap<>(expected);
        committedState = new TreeMap<>(state);
        committedPlace = copy(place);
      } else if (random.nextInt(60) == 0) {
        expected = new HashMap<>(committed);
        state.clear();
        state.putAll(committedState);
        place = copy(committedPlace);
        long share = random.nextBoolean() ? most : random.nextInt(1_500) + 1;
        entries = new RecentEntries(table, place, share);
      }
    }
    for (int i = 0; i < 60; i++) {
      assertThat(entries.get("id/" + i)).isEqualTo(expected.get("id/" + i));
      entries.put("id/" + i, null);
    }
    entries.save(true, 0);
    while (entries.hasJournal()) {
      entries.save(true, 0);
    }
    assertThat(state).isEmpty();
    assertThat(place.stored).isZero();
  }

  /** Nothing of it but the journal is in the table, and that only until it is as long as may be. */
  @Test
  void anEntryThatComesAndGoesIsInTheJournalAlone() {
    RecentEntries.Place place = new RecentEntries.Place();
    RecentEntries entries = new RecentEntries(table, place, 50_000);
    byte[] value = "what is remembered of it".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20_000; i++) {
      entries.put("id/" + i, value);
      if (i >= 20) {
        entries.put("id/" + (i - 20), null);
      }
      entries.save(false, 0);
      assertThat(state.keySet().stream().filter(each -> each.startsWith("id/")).count())
          .isLessThanOrEqualTo(21);
    }
    assertThat(place.first).isGreaterThan(10_000);
    assertThat(state.values().stream().mapToLong(each -> each.length).sum())
        .isLessThan(2 * 50_000 + 5_000);
  }

  /** The twin: of entries that stay no more than its share is on the heap alone. */
  @Test
  void whatStaysIsWrittenToTheTable() {
    RecentEntries entries = new RecentEntries(table, new RecentEntries.Place(), 50_000);
    for (int i = 0; i < 5_000; i++) {
      entries.put("id/" + i, new byte[50]);
      entries.save(false, 0);
    }
    assertThat(state.keySet().stream().filter(each -> each.startsWith("id/")).count())
        .isGreaterThan(4_000);
  }

  /** What an instance with a larger share of the heap left behind, in one with a small share. */
  @Test
  void aJournalThatDoesNotFitTheHeapStaysInTheTable() {
    long share = 100_000;
    RecentEntries.Place place = new RecentEntries.Place();
    RecentEntries before = new RecentEntries(table, place, 1L << 30);
    for (int i = 0; i < 20_000; i++) {
      before.put("id/" + i, ByteBuffer.allocate(30).putInt(i).array());
      before.save(false, 0);
    }
    assertThat(before.onHeap()).as("the twin: a large share").isGreaterThan(30 * share);
    RecentEntries entries = new RecentEntries(table, place, share);
    assertThat(entries.onHeap()).isLessThan(3 * share);
    int calls = 0;
    while (state.containsKey("journal/15000")) {
      int name = calls++ * 31 % 20_000;
      assertThat(ByteBuffer.wrap(entries.get("id/" + name)).getInt()).isEqualTo(name);
      long journal = place.first;
      entries.put("id/" + name, ByteBuffer.allocate(30).putInt(name).array());
      entries.save(false, 0);
      assertThat(place.first - journal).as("records in one call").isLessThan(5_000);
      assertThat(entries.onHeap()).isLessThan(3 * share);
    }
    assertThat(calls).isBetween(3, 100);
  }

  /** Whoever forgets the last entry leaves the rest to the calls behind it. */
  @Test
  void whatIsLeftOfTheLastEntryIsRemovedInPieces() {
    RecentEntries.Place place = new RecentEntries.Place();
    RecentEntries entries = new RecentEntries(table, place, 1L << 30);
    int all = 10_000;
    for (int i = 0; i < all; i++) {
      entries.put("id/" + i, new byte[30]);
      entries.save(false, 0);
    }
    for (int i = 0; i < all; i++) {
      entries.put("id/" + i, null);
      entries.save(i == all - 1, 0);
    }
    int calls = 0;
    for (; entries.hasJournal(); calls++) {
      long first = place.first;
      entries.save(true, 3_000);
      assertThat(place.first - first).isLessThanOrEqualTo(3_100);
    }
    assertThat(calls).isBetween(5, 50);
    assertThat(state).isEmpty();
  }
}

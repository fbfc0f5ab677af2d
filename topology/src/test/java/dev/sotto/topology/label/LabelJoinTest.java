package dev.sotto.topology.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.event.LabelledEvent.Join;
import dev.sotto.serdes.event.StoredBytes;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.HeapTable;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelJoinTest {
  private static final long WAIT = 10;
  private static final int LARGEST_RECORD = 1 << 20;

  /** A record of either topic. */
  private record Input(boolean ofLabel, long time, String id, String value) {
    static Input event(long time, String id) {
      return new Input(false, time, id, "event of " + id);
    }

    static Input label(long time, String id, String value) {
      return new Input(true, time, id, value);
    }
  }

  /** Its state, and what it wrote. */
  private static class World {
    final Map<String, byte[]> state = new TreeMap<>();
    final List<LabelledEvent> written = new ArrayList<>();
    private final long recentBytes;
    LabelJoin join;
    long offset;
    long labels;

    World() {
      this(0);
    }

    /** With a number of bytes on the heap for half of the ids; 0 for enough for all. */
    World(long recentBytes) {
      this.recentBytes = recentBytes;
      restart();
    }

    void restart() {
      restart("labels");
    }

    void restart(String labelTopic) {
      join = new LabelJoin(
          new HeapTable(state),
          labelTopic,
          WAIT,
          null,
          recentBytes,
          (key, value, headers) -> written.add(LabelledEvent.decode(value)));
    }

    void take(Input input) {
      add(input);
      join.taken();
    }

    /** One of several that are taken together. */
    void add(Input input) {
      byte[] value = input.value() == null ? null : bytes(input.value());
      if (input.ofLabel()) {
        join.label(labels++, input.time(), input.id(), value);
      } else {
        join.event(new PendingEvent(
            new LabelledEvent.Source(0, offset++, input.time()),
            Join.MISSING,
            input.id(),
            null,
            value,
            new RecordHeaders()));
      }
    }

    List<String> end() {
      do {
        join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
      } while (!join.isEmpty() && join.isDue());
      return texts();
    }

    List<String> texts() {
      return written.stream()
          .map(each -> each.join() + (each.label() == null ? "" : " " + text(each.label())))
          .toList();
    }
  }

  /** Where the group's offsets are lost, both topics are read from their beginning once more. */
  @Test
  void takesNothingTwiceThatIsReadAgain() {
    World world = new World();
    List<Input> all = List.of(
        Input.event(100, "a"),
        Input.label(101, "a", "of a"),
        Input.event(100 + 5 * WAIT, "b"),
        Input.event(100 + 9 * WAIT, "c"));
    all.forEach(world::take);
    world.end();
    List<String> once = List.copyOf(world.texts());
    assertThat(once).hasSize(3);
    String counts = world.join.counts().toString();
    world.restart();
    world.offset = 0;
    world.labels = 0;
    all.forEach(world::take);
    world.take(Input.event(100 + 10 * WAIT, "d"));
    world.end();
    assertThat(world.texts()).hasSize(4).startsWith(once.toArray(String[]::new));
    assertThat(world.join.counts()).hasToString(counts);
  }

  @Test
  void takesNothingTwiceWhileEventsWait() {
    World world = new World();
    world.take(Input.event(100, "a"));
    world.take(Input.label(101, "a", "of a"));
    world.restart();
    world.offset = 0;
    world.labels = 0;
    world.take(Input.event(100, "a"));
    world.take(Input.label(101, "a", "of a"));
    assertThat(world.end()).containsExactly("LABELLED of a");
    assertThat(world.join.counts().repeated()).isZero();
  }

  /** Offsets of the topic before it say nothing. */
  @Test
  void takesLabelsOfAnotherTopicFromItsBeginning() {
    World world = new World();
    for (int i = 0; i < 5; i++) {
      world.take(Input.label(90_000 + i, "x", "of nobody"));
    }
    world.restart("others");
    world.labels = 0;
    world.take(Input.event(90_000, "a"));
    world.restart("others"); // before any label of it
    world.take(Input.label(101, "a", "of a, appended long before"));
    assertThat(world.end()).containsExactly("LABELLED of a, appended long before");
  }

  /** State of a damaged disk, and of a later version that remembers more. */
  @Test
  void saysThatItCannotReadWhatItRemembers() {
    for (String key :
        List.of("head", "event/0", "journal/0", "id/a", "slot/0", "early/0/b", "label/0")) {
      World world = new World(key.equals("journal/0") ? 0 : 1);
      world.take(Input.event(100, "a"));
      world.take(Input.label(105, "b", "before its event"));
      for (int i = 0; i < 4; i++) {
        world.join.taken(); // nothing of it stays on the heap alone
      }
      assertThat(world.state).containsKey(key);
      world.state.computeIfPresent(
          key, (same, value) -> key.equals("head") ? new byte[208] : new byte[1]);
      assertThatThrownBy(() -> {
            world.restart();
            world.take(Input.event(106, "a"));
            world.take(Input.event(107, "b"));
            world.end();
          })
          .as(key)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContainingAll("store joins", "nothing was changed", "state folder");
    }
  }

  private static List<String> joined(Input... inputs) {
    World world = new World();
    for (Input each : inputs) {
      world.take(each);
    }
    return world.end();
  }

  @Test
  void theFirstLabelOfAnIdInTimeIsThatOfItsSlot() {
    assertThat(joined(
            Input.event(100, "a"), Input.label(105, "a", "first"), Input.label(106, "a", "second")))
        .containsExactly("LABELLED first");
  }

  @Test
  void aLabelMayComeBeforeItsEvent() {
    assertThat(joined(
            Input.label(89, "a", "too early"), Input.label(90, "a", "y"), Input.event(100, "a")))
        .containsExactly("LABELLED y");
  }

  @Test
  void aLabelAfterTheWaitIsLate() {
    World world = new World();
    world.take(Input.event(100, "a"));
    world.take(Input.label(110, "a", "late"));
    assertThat(world.end()).containsExactly("MISSING");
    assertThat(world.join.counts()).isEqualTo(new LabelCounts(0, 1, 0, 0, 0));
    assertThat(joined(Input.event(100, "a"), Input.label(109, "a", "y")))
        .containsExactly("LABELLED y");
  }

  /** A label closes nothing by coming: neither its own slot nor those before. */
  @Test
  void aLabelWritesNoEvent() {
    World world = new World();
    world.take(Input.event(100, "a"));
    world.take(Input.event(101, "b"));
    world.take(Input.label(102, "a", "y"));
    world.take(Input.label(500, "c", "z"));
    assertThat(world.written).isEmpty();
    world.take(Input.event(500, "d"));
    assertThat(world.texts()).containsExactly("LABELLED y", "MISSING");
  }

  /** However far the events have been read, their labels are waited for. */
  @Test
  void anEventIsNotWrittenBeforeItsLabelsHaveBeenRead() {
    World world = new World();
    world.take(Input.event(100, "a"));
    world.take(Input.event(1000, "b"));
    world.join.passed(109, 1000);
    assertThat(world.written).isEmpty();
    world.take(Input.label(109, "a", "y"));
    world.join.passed(110, 1000);
    assertThat(world.texts()).containsExactly("LABELLED y");
  }

  @Test
  void anIdHasOneSlotInTwoWaits() {
    assertThat(joined(
            Input.event(100, "a"),
            Input.event(103, "a"),
            Input.label(105, "a", "y"),
            Input.event(119, "a"),
            Input.event(120, "a"),
            Input.label(121, "a", "z"),
            Input.event(122, null)))
        .containsExactly("LABELLED y", "REPEATED", "REPEATED", "LABELLED z", "NO_ID");
  }

  @Test
  void nothingIsRememberedForEver() {
    World world = new World();
    for (Input each : stream(400, 11)) {
      world.take(each);
    }
    world.end();
    assertThat(world.join.isEmpty()).isTrue();
    assertThat(world.state).containsOnlyKeys("head");
    LabelCounts counts = world.join.counts();
    assertThat(List.of(counts.inTime(), counts.late(), counts.repeated(), counts.unmatched()))
        .allMatch(each -> each > 0);
  }

  /**
   * Whichever log is read ahead of the other, however many records are taken together, wherever the
   * task starts again or reads once more what was not committed, and however few ids are on the heap.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_500})
  void theOrderOfReadingChangesNothing(long recentBytes) {
    for (int seed = 0; seed < 20; seed++) {
      List<Input> stream = stream(120, seed);
      List<String> expected = run(stream, Seed.random(-1), 0, 0);
      for (int lead = 1; lead < 200; lead *= 3) {
        assertThat(run(stream, Seed.random(seed), lead, recentBytes))
            .as("seed %d, lead %d", seed, lead)
            .isEqualTo(expected);
      }
    }
  }

  /**
   * Neighbours: all records of one id become empty, or have other values. No run of it depends on
   * chance: seeds are fixed.
   */
  @Test
  void allRecordsOfOneIdChangeOneSlot() {
    int changed = 0;
    for (int seed = 0; seed < 200; seed++) {
      List<Input> stream = unitsOf(seed);
      String id = "id-" + seed % 8;
      int most = 0;
      for (boolean empty : new boolean[] {true, false}) {
        int moved = difference(stream, neighbour(stream, id, empty), seed);
        most = Math.max(most, moved);
      }
      assertThat(most).as("slots that %s changes under seed %d", id, seed).isLessThanOrEqualTo(1);
      changed += most;
    }
    assertThat(changed).isGreaterThan(100);
  }

  /** The same of ids that come again and again: the unit is what can reach one of their slots. */
  @Test
  void allThatCanReachOneSlotChangesThatSlot() {
    int changed = 0;
    for (int seed = 0; seed < 200; seed++) {
      List<Input> stream = stream(150, seed);
      List<Input> other = new ArrayList<>(stream);
      String id = "id-" + seed % 12;
      long owner = secondOwner(stream, id);
      for (int i = 0; i < stream.size(); i++) {
        Input each = stream.get(i);
        long from = each.ofLabel() ? owner - WAIT : owner;
        long to = each.ofLabel() ? owner + WAIT : owner + 2 * WAIT;
        if (id.equals(each.id()) && each.time() >= from && each.time() < to) {
          other.set(i, new Input(each.ofLabel(), each.time(), null, null));
        }
      }
      int moved = difference(stream, other, seed);
      assertThat(moved)
          .as("slots that %s at %d changes under seed %d", id, owner, seed)
          .isLessThanOrEqualTo(1);
      changed += moved;
    }
    assertThat(changed).isGreaterThan(100);
  }

  /** The time of the second event of an id that owns a slot; beyond all where there is none. */
  private static long secondOwner(List<Input> stream, String id) {
    long last = Long.MIN_VALUE / 2;
    int owners = 0;
    for (Input each : stream) {
      if (!each.ofLabel() && id.equals(each.id()) && each.time() - last >= 2 * WAIT) {
        last = each.time();
        if (++owners == 2) {
          return last;
        }
      }
    }
    return 1L << 40;
  }

  /** However many labels an id without events has, each costs the same, and none outlives its time. */
  @Test
  void aFloodOfLabelsIsTakenOneByOne() {
    World world = new World();
    for (int i = 0; i < 20_000; i++) {
      world.take(Input.label(100 + i / 4_000, "a", "y" + i));
    }
    world.take(Input.event(112, "a"));
    assertThat(world.state.values().stream().mapToInt(each -> each.length).max().orElse(0))
        .isLessThan(4_000); // names of a hundred labels that the event has let go
    assertThat(world.end()).containsExactly("LABELLED y8000");
    assertThat(world.state).containsOnlyKeys("head");
    LabelCounts counts = world.join.counts();
    assertThat(counts).isEqualTo(new LabelCounts(1, 0, 11_999, 8_000, 0));
  }

  /** The twin: labels given to any open event, whatever their ids, break what is shown above. */
  @Test
  void labelsForWhicheverEventIsOpenWouldShiftThoseOfOthers() {
    int most = 0;
    for (int seed = 0; seed < 200; seed++) {
      List<Input> stream = unitsOf(seed);
      List<String> one = firstOpen(stream);
      List<String> other = firstOpen(neighbour(stream, "id-" + seed % 8, true));
      most = Math.max(most, differences(one, other));
    }
    assertThat(most).isGreaterThan(1);
  }

  /** What was written, and what still waits or was never taken. */
  @Test
  void knowsWhatItHasWritten() {
    World world = new World();
    assertThat(world.join.hasWritten(0)).isFalse();
    world.take(Input.event(100, "a"));
    assertThat(world.join.hasWritten(0)).as("waits").isFalse();
    Map<String, byte[]> older = new TreeMap<>(world.state);
    world.end();
    assertThat(world.join.hasWritten(0)).isTrue();
    assertThat(world.join.hasWritten(1)).isFalse();
    world.take(Input.event(200, "b"));
    assertThat(world.join.hasWritten(0)).isTrue();
    world.state.clear();
    world.state.putAll(older);
    world.restart();
    assertThat(world.join.hasWritten(0)).as("by an older state").isFalse();
  }

  /** Its length tells nothing where it has as many records again. */
  @Test
  void knowsTopicsThatWereMadeAgain() {
    World world = new World();
    assertThat(world.join.eventsFrom("")).as("a cluster without ids").isTrue();
    world.take(Input.event(1, "a"));
    world.restart();
    assertThat(world.join.eventsFrom("events")).as("state without ids").isTrue();
    assertThat(world.join.labelsFrom("labels")).isTrue();
    world.take(Input.label(2, "a", "1"));
    world.restart();
    assertThat(world.join.eventsFrom("others")).isFalse();
    assertThat(world.join.eventsFrom("events")).isTrue();
    assertThat(world.join.eventsFrom("")).isTrue();
    assertThat(world.join.labelsFrom("others")).isFalse();
    world.restart("of another name");
    assertThat(world.join.labelsFrom("others")).isTrue();
    assertThat(world.join.eventsFrom("others")).as("still").isFalse();
  }

  /** What is counted is what lies there, whatever comes and however often it starts again. */
  @ParameterizedTest
  @ValueSource(longs = {0, 700})
  void bytesAreCounted(long recentBytes) {
    World world = new World(recentBytes);
    for (Input each : stream(400, 3)) {
      world.take(each);
      assertThat(world.join.bytes()).isEqualTo(held(world.state));
      if (each.time() % 7 == 0) {
        world.restart();
      }
    }
    world.end();
    assertThat(world.join.bytes()).isZero();
    assertThat(world.state).containsOnlyKeys("head");
  }

  /** Entries of pages, and those by id as the journal leaves them. */
  private static long held(Map<String, byte[]> state) {
    JoinHead head = JoinHead.decode(state.get("head"));
    Map<String, byte[]> rest = new TreeMap<>(state);
    rest.remove("head");
    long held = pages(rest, "event/", head.events)
        + pages(rest, "slot/", head.slots)
        + pages(rest, "label/", head.labels);
    for (long each = head.recent.first; each < head.recent.next; each++) {
      ByteBuffer in = ByteBuffer.wrap(rest.remove("journal/" + each));
      while (in.hasRemaining()) {
        rest.put(StoredBytes.takeText(in), StoredBytes.take(in));
      }
    }
    return held
        + rest.values().stream()
            .mapToLong(each -> each == null ? 0 : each.length)
            .sum();
  }

  private static long pages(Map<String, byte[]> rest, String prefix, PagedQueue.Place place) {
    long held = 0;
    for (long number = place.page; number < place.next; ) {
      for (byte[] each : PagedQueue.decode(rest.remove(prefix + number))) {
        held += number++ < place.first ? 0 : each.length;
      }
    }
    return held;
  }

  /** State of version 0.1.0, whose entries lay each under its own name. */
  @Test
  void goesOnFromStateWithoutPages() {
    World world = new World();
    JoinHead head = new JoinHead();
    head.events.next = 2;
    head.slots.next = 2;
    head.labels.next = 1;
    head.eventTime = 101;
    head.labelTime = 105;
    head.nextEventOffset = 2;
    head.nextLabelOffset = 2;
    byte[] numbers = head.encode();
    world.state.put("head", Arrays.copyOf(numbers, 17 * Long.BYTES));
    for (int i = 0; i < 2; i++) {
      String id = i == 0 ? "a" : "b";
      LabelledEvent.Source source = new LabelledEvent.Source(0, i, 100 + i);
      PendingEvent event = new PendingEvent(
          source, Join.MISSING, id, null, bytes("event of " + id), new RecordHeaders());
      world.state.put("event/" + i, event.encode());
      world.state.put("slot/" + i, new JoinState.Stamped(100 + i, i, id).encode());
      IdState state = new IdState("id/" + id);
      state.setLast(new IdState.Owned(i, 100 + i));
      state.label = i == 0 ? bytes("of a") : null;
      world.state.put("id/" + id, state.encode());
    }
    IdState early = new IdState("id/c");
    early.nextEarly = 1;
    world.state.put("id/c", early.encode());
    world.state.put("early/0/c", new EarlyLabel(105, false, bytes("of c")).encode());
    world.state.put("label/0", new JoinState.Stamped(105, 0, "c").encode());
    world.restart();
    world.offset = 2;
    world.labels = 2;
    world.take(Input.label(106, "b", "of b"));
    world.take(Input.label(107, "a", "a second one"));
    world.take(Input.event(107, "c"));
    world.take(Input.event(108, "a"));
    assertThat(world.end())
        .containsExactly("LABELLED of a", "LABELLED of b", "LABELLED of c", "REPEATED");
    assertThat(world.state).containsOnlyKeys("head");
  }

  /** An instance counts all of its tasks, and none that has left. */
  @Test
  void allTasksAreWithinOneBound() {
    WaitingBytes all = new WaitingBytes(OptionalLong.of(100));
    WaitingBytes.Part one = all.part(() -> 0);
    WaitingBytes.Part other = all.part(() -> 0);
    assertThat(one.fits(60, 0)).isTrue();
    assertThat(other.fits(41, 0)).isFalse();
    assertThat(other.fits(40, 0)).isTrue();
    one.release();
    assertThat(other.fits(100, 0)).isTrue();
    WaitingBytes ofDisk = new WaitingBytes(OptionalLong.empty());
    assertThat(ofDisk.part(() -> 50).fits(51, 0)).isFalse();
    assertThat(ofDisk.exceeded()).hasMessageContaining("nothing is lost");
  }

  /** Too large for one record with all that belongs to it: its slot is its own, and is empty. */
  @Test
  void whatIsTooLargeOwnsItsSlotAndHoldsNothing() {
    String event = "e".repeat(LabelJoin.LARGEST_EVENT);
    String label = "y".repeat(LabelJoin.LARGEST_LABEL);
    assertThat(joined(new Input(false, 100, "a", event), Input.label(101, "a", label)))
        .containsExactly("LABELLED " + label);
    World world = new World();
    world.take(new Input(false, 100, "a", event + "!"));
    world.take(Input.event(101, "a"));
    world.take(Input.label(102, "a", label + "!"));
    world.take(Input.label(103, "a", "y"));
    assertThat(world.state.values()).allMatch(each -> each.length < 1_000);
    assertThat(world.end()).containsExactly("TOO_LARGE", "REPEATED");
    assertThat(world.written.get(0).features()).isNull();
    assertThat(world.join.counts().unreadable()).isEqualTo(1);
  }

  /** Whatever the value, the headers and their names are: nothing is written that is refused. */
  @ParameterizedTest
  @CsvSource({"\u20ac, 1", "\u20ac, 349000", "h, 1", "h, 1000000", "\ud83d\ude00, 100000"})
  void nothingIsWrittenThatBrokersRefuse(String letter, int length) {
    for (int headers : new int[] {1, 1_000, 60_000, 110_000}) {
      Headers all = new RecordHeaders();
      for (int i = 0; i < headers; i++) {
        all.add(letter.repeat(Math.max(1, length / headers)), i % 2 == 0 ? null : new byte[0]);
      }
      Map<String, byte[]> state = new TreeMap<>();
      List<Integer> sizes = new ArrayList<>();
      LabelJoin join = new LabelJoin(
          new HeapTable(state),
          "labels",
          WAIT,
          (key, value, kept) -> sizes.add(AbstractRecords.estimateSizeInBytesUpperBound(
              RecordBatch.CURRENT_MAGIC_VALUE, CompressionType.NONE, key, value, kept.toArray())));
      LabelledEvent.Source source = new LabelledEvent.Source(0, 0, 100);
      String id = "\u20ac".repeat(LabelIds.LONGEST);
      byte[] key = bytes(id);
      join.event(new PendingEvent(source, Join.MISSING, id, key, new byte[90_000], all));
      join.taken();
      join.label(0, 101, id, new byte[LabelJoin.LARGEST_LABEL]);
      join.taken();
      state.forEach((name, value) ->
          assertThat(bytes(name).length + value.length).isLessThan(LARGEST_RECORD));
      join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
      assertThat(sizes).hasSize(1).allMatch(each -> each < LARGEST_RECORD);
    }
  }

  /** What names a model is no content: the slot stays one of the same model. */
  @Test
  void whatIsTooLargeKeepsItsModel() {
    List<String> written = new ArrayList<>();
    LabelJoin join = new LabelJoin(
        new HeapTable(new TreeMap<>()),
        "labels",
        WAIT,
        "model",
        (key, value, headers) -> written.add(text(key) + " " + headers));
    Headers headers = new RecordHeaders()
        .add("model", bytes("first"))
        .add("model", bytes("last"))
        .add("x", new byte[LabelJoin.LARGEST_EVENT]);
    join.event(new PendingEvent(
        new LabelledEvent.Source(0, 0, 100), Join.MISSING, "a", bytes("a"), null, headers));
    join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(written).hasSize(1).allMatch(each -> each.startsWith("a "));
    assertThat(written.get(0)).contains("RecordHeader(key = model").doesNotContain("key = x");
    assertThat(written.get(0).split("RecordHeader\\(")).hasSize(2);
  }

  /** However many labels or slots one id has, a call reads and writes a bounded number of entries. */
  @Test
  void oneCallDoesBoundedWork() {
    Counting table = new Counting();
    LabelJoin join = new LabelJoin(table, "labels", 1_000_000, (key, value, headers) -> {});
    for (int i = 0; i < 60_000; i++) {
      join.label(i, 100 + i, "a", bytes("y"));
      join.taken();
    }
    assertThat(table.most()).isLessThan(600);
    event(join, 0, 90_000);
    event(join, 1, 90_001 + 2_000_000);
    assertThat(table.most()).isLessThan(1_000);
    join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(table.most()).isLessThan(300_000);
    while (join.isDue()) {
      join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
    }
    assertThat(table.state()).containsOnlyKeys("head");
  }

  /** An id that comes again while its labels cannot be read: its state stays small, and finds all. */
  @Test
  void slotsThatWaitForALaggingLogCostNoMore() {
    Counting table = new Counting();
    List<String> written = new ArrayList<>();
    LabelJoin join = new LabelJoin(
        table,
        "labels",
        WAIT,
        (key, value, headers) -> written.add(text(LabelledEvent.decode(value).label())));
    int events = 3_000;
    for (int i = 0; i < events; i++) {
      event(join, i, 100 + 2 * WAIT * i);
    }
    byte[] rest = new byte[10_000];
    Arrays.fill(rest, (byte) '.');
    for (int i = 0; i < events; i++) {
      byte[] label = bytes(i + text(rest));
      join.label(2 * i, 100 + 2 * WAIT * i, "a", label);
      join.taken();
      join.label(2 * i + 1, 100 + 2 * WAIT * i + 1, "a", bytes("a later one"));
      join.taken();
    }
    assertThat(table.most()).isLessThan(600);
    assertThat(table.state().values()).allMatch(each -> each.length < 20_000);
    while (join.isDue() || join.hasEvents()) {
      join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
    }
    assertThat(written)
        .isEqualTo(IntStream.range(0, events).mapToObj(i -> i + text(rest)).toList());
    assertThat(join.counts()).isEqualTo(new LabelCounts(events, 0, events, 0, 0));
    assertThat(join.bytes()).isZero();
    assertThat(table.state()).containsOnlyKeys("head");
  }

  private static void event(LabelJoin join, long offset, long time) {
    LabelledEvent.Source source = new LabelledEvent.Source(0, offset, time);
    join.event(new PendingEvent(source, Join.MISSING, "a", null, bytes("v"), new RecordHeaders()));
    join.taken();
  }

  /** Counts what one call reads and writes: each ends with that of the head. */
  private static final class Counting implements StateTable {
    private final Map<String, byte[]> state = new TreeMap<>();
    private int calls;
    private int most;

    int most() {
      return most;
    }

    Map<String, byte[]> state() {
      return state;
    }

    @Override
    public byte[] get(String key) {
      calls++;
      return state.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      most = Math.max(most, ++calls);
      calls = key.equals("head") ? 0 : calls;
      state.put(key, value);
    }

    @Override
    public void delete(String key) {
      calls++;
      state.remove(key);
    }
  }

  /**
   * Neighbouring logs of ids that come again and again: one record holds other content, which may be
   * nothing, or more than fits. Its own slot differs, and no other does.
   */
  @Test
  void theContentOfOneRecordChangesOneSlot() {
    int changed = 0;
    String large = "e".repeat(LabelJoin.LARGEST_EVENT + 1);
    for (int seed = 0; seed < 400; seed++) {
      List<Input> stream = stream(150, seed);
      Random random = new Random(seed);
      int which = random.nextInt(stream.size());
      Input record = stream.get(which);
      String content = switch (random.nextInt(3)) {
        case 0 -> null;
        case 1 -> large;
        default -> "other";
      };
      List<Input> other = new ArrayList<>(stream);
      other.set(which, new Input(record.ofLabel(), record.time(), record.id(), content));
      int moved = difference(stream, other, seed);
      assertThat(moved).as("slots that move under seed %d", seed).isLessThanOrEqualTo(1);
      changed += moved;
    }
    assertThat(changed).isGreaterThan(40);
  }

  private static int difference(List<Input> one, List<Input> other, long seed) {
    List<String> first = run(one, Seed.random(seed), 5, 0);
    List<String> second = run(other, Seed.random(seed + 1), 40, 1_000);
    assertThat(second).hasSameSizeAs(first);
    return differences(first, second);
  }

  /** As a learner sees them: it takes nothing from a slot that has no id. */
  private static String content(String slot) {
    return Set.of("REPEATED", "NO_ID", "TOO_LARGE").contains(slot) ? "nothing" : slot;
  }

  private static int differences(List<String> first, List<String> second) {
    return (int) IntStream.range(0, first.size())
        .filter(i -> !content(first.get(i)).equals(content(second.get(i))))
        .count();
  }

  /** All records of one id without it and their values; or with other values. */
  private static List<Input> neighbour(List<Input> stream, String id, boolean empty) {
    return stream.stream()
        .map(each -> !id.equals(each.id())
            ? each
            : new Input(
                each.ofLabel(), each.time(), empty ? null : id, empty ? null : each.value() + "!"))
        .toList();
  }

  /** Events and labels of eight ids, none of which comes again after two waits. */
  private static List<Input> unitsOf(int seed) {
    Random random = Seed.random(seed);
    List<Input> all = new ArrayList<>();
    for (long time = 100; time < 100 + 2 * WAIT; time++) {
      String id = "id-" + random.nextInt(8);
      all.add(random.nextBoolean() ? Input.event(time, id) : Input.label(time, id, "y" + time));
    }
    return all;
  }

  private static List<String> firstOpen(List<Input> stream) {
    List<String> slots = new ArrayList<>();
    int next = 0;
    for (Input each : stream) {
      if (!each.ofLabel()) {
        slots.add(each.id() == null ? "NO_ID" : "MISSING");
      } else if (each.id() != null) {
        while (next < slots.size() && !slots.get(next).equals("MISSING")) {
          next++;
        }
        if (next < slots.size()) {
          slots.set(next, "LABELLED " + each.value());
        }
      }
    }
    return slots;
  }

  private static List<Input> stream(int records, long seed) {
    Random random = Seed.random(seed);
    List<Input> all = new ArrayList<>();
    long time = 100;
    for (int i = 0; i < records; i++) {
      time += random.nextInt(4);
      String id = random.nextInt(15) == 0 ? null : "id-" + random.nextInt(12);
      all.add(random.nextBoolean() ? Input.event(time, id) : Input.label(time, id, "y" + i));
    }
    return all;
  }

  /**
   * One of the logs is read up to some records ahead of the other; now and then all starts again,
   * from what is there or from what was committed last.
   */
  private static List<String> run(List<Input> stream, Random random, int lead, long recentBytes) {
    World world = new World(recentBytes);
    Committed committed = Committed.of(world);
    List<Input> events = stream.stream().filter(each -> !each.ofLabel()).toList();
    List<Input> labels = stream.stream().filter(Input::ofLabel).toList();
    while (world.offset < events.size() || world.labels < labels.size()) {
      int event = (int) world.offset;
      int label = (int) world.labels;
      boolean ofLabel = label < labels.size()
          && (event == events.size()
              || (lead == 0
                  ? labels.get(label).time() < events.get(event).time()
                  : label - event < lead && (event - label > lead || random.nextBoolean())));
      world.add(ofLabel ? labels.get(label) : events.get(event));
      if (lead > 0 && random.nextInt(3) == 0) {
        continue; // together with the next one
      }
      world.join.taken();
      if (lead > 0 && random.nextInt(10) == 0) {
        world.restart();
      }
      if (lead > 0 && world.labels < labels.size() && random.nextInt(5) == 0) {
        world.join.passed(labels.get((int) world.labels).time(), Long.MIN_VALUE);
      }
      if (lead > 0 && random.nextInt(8) == 0) {
        committed = Committed.of(world);
      } else if (lead > 0 && random.nextInt(20) == 0) {
        committed.restore(world);
      }
    }
    world.join.taken();
    List<String> texts = world.end();
    assertThat(texts).hasSameSizeAs(events);
    return texts;
  }

  /** What a crash leaves. */
  private record Committed(Map<String, byte[]> state, int written, long offset, long labels) {
    static Committed of(World world) {
      return new Committed(
          new TreeMap<>(world.state), world.written.size(), world.offset, world.labels);
    }

    void restore(World world) {
      world.state.clear();
      world.state.putAll(state);
      world.written.subList(written, world.written.size()).clear();
      world.offset = offset;
      world.labels = labels;
      world.restart();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}

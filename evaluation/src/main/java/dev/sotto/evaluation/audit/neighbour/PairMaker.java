package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.evaluation.audit.neighbour.MadeRecord.Header;
import dev.sotto.learner.accounting.Adjacency;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes pairs of neighbouring logs: the records of one unit differ in what is no coordinate. */
final class PairMaker {
  private static final int LARGE = 700 << 10;
  private static final int HUGE = (1 << 20) + (200 << 10);
  private static final int MOST_HEADERS = 400;

  private final EventShape shape;
  private final RecordValues values;
  private final MadeRegistry registry; // null without
  private final LogMaker logs;

  /** Two logs, and the unit in which they differ; no name where it is one record. */
  record Pair(MadeLog one, MadeLog other, String unit, Change change) {}

  PairMaker(EventShape shape, RecordValues values, MadeRegistry registry, LogMaker logs) {
    this.shape = shape;
    this.values = values;
    this.registry = registry;
    this.logs = logs;
  }

  /**
   * A pair.
   *
   * @param change of at least one record
   */
  Pair make(Change change, Random random) {
    MadeLog base = logs.make(random);
    List<MadeRecord> candidates = base.events().stream()
        .filter(each -> registry == null || each.at().offset() < logs.half())
        .filter(
            each -> shape.grouping() != EventShape.Grouping.UNIT || each.names().unit() != null)
        .filter(each ->
            shape.grouping() != EventShape.Grouping.LABEL_ID || each.names().id() != null)
        .toList();
    MadeRecord chosen = chosen(candidates, random);
    List<String> units = chosen.names().units();
    String name = shape.grouping() == EventShape.Grouping.UNIT
        ? units.get(random.nextInt(units.size()))
        : null;
    List<MadeRecord> unit = unitOf(base, chosen, name);
    boolean zeroOut = shape.settings().plan().adjacency() == Adjacency.ZERO_OUT;
    Map<MadeRecord, MadeRecord> one = new IdentityHashMap<>();
    Map<MadeRecord, MadeRecord> other = new IdentityHashMap<>();
    MadeRecord first = unit.get(random.nextInt(unit.size()));
    boolean all = shape.grouping() == EventShape.Grouping.UNIT || random.nextBoolean();
    for (MadeRecord each : all ? unit : List.of(first)) {
      Change kind = each == first ? change : any(random);
      MadeRecord odd = each == first || random.nextInt(3) > 0 ? changed(each, kind, random) : each;
      one.put(each, zeroOut ? odd : each);
      other.put(each, zeroOut ? changed(each, Change.EMPTIED, random) : odd);
    }
    return new Pair(
        base.with(each -> one.getOrDefault(each, each)),
        base.with(each -> other.getOrDefault(each, each)),
        name,
        change);
  }

  /** Every other time one of an id that several events have, where there is one. */
  private static MadeRecord chosen(List<MadeRecord> candidates, Random random) {
    Map<String, Long> events = candidates.stream()
        .filter(each -> each.names().id() != null)
        .collect(Collectors.groupingBy(each -> each.names().id(), Collectors.counting()));
    List<MadeRecord> repeated = candidates.stream()
        .filter(each -> each.names().id() != null && events.get(each.names().id()) > 1)
        .toList();
    List<MadeRecord> from = repeated.isEmpty() || random.nextBoolean() ? candidates : repeated;
    return from.get(random.nextInt(from.size()));
  }

  /** Large ones take time, and one of them in a unit is as good as several. */
  private static Change any(Random random) {
    Change[] small = {Change.OTHER, Change.EMPTIED, Change.GARBAGE, Change.CUT, Change.WRONG};
    return small[random.nextInt(small.length)];
  }

  private List<MadeRecord> unitOf(MadeLog log, MadeRecord chosen, String unit) {
    return switch (shape.grouping()) {
      case RECORD -> List.of(chosen);
      case LABEL_ID ->
        Stream.concat(log.events().stream(), log.labels().stream())
            .filter(each -> chosen.names().id().equals(each.names().id()))
            .toList();
      case UNIT -> {
        List<MadeRecord> events = log.events().stream()
            .filter(each -> each.names().units().contains(unit))
            .toList();
        List<MadeRecord> mine = new ArrayList<>(events);
        if (events.stream().allMatch(each -> ownsId(log, each))) {
          log.labels().stream()
              .filter(each -> events.stream()
                  .anyMatch(event -> each.names().id().equals(event.names().id())))
              .forEach(mine::add);
        }
        yield mine;
      }
    };
  }

  /** Whether no other unit has events of the same id. */
  private static boolean ownsId(MadeLog log, MadeRecord event) {
    String id = event.names().id();
    return id == null
        || log.events().stream()
            .filter(each -> id.equals(each.names().id()))
            .allMatch(each -> event.names().unit().equals(each.names().unit()));
  }

  private MadeRecord changed(MadeRecord record, Change change, Random random) {
    Map<String, String> coordinates = LogMaker.coordinates(shape, record);
    byte[] key = record.key();
    byte[] value = record.value();
    List<Header> headers = record.headers();
    switch (change) {
      case OTHER -> value = values.readable(coordinates, random);
      case EMPTIED -> value = emptied(coordinates);
      case GARBAGE -> value = join(values.head(coordinates), garbage(random));
      case CUT -> value = cut(values.readable(coordinates, random), coordinates);
      case WRONG -> value = values.wrong(coordinates, random);
      case LARGE -> value = values.padded(coordinates, LARGE, random);
      case HUGE -> value = values.padded(coordinates, HUGE, random);
      case HEADERS -> headers = odd(headers, random);
      case KEY -> {
        value = values.readable(coordinates, random);
        key = shape.isKeyFree() && record.names().id() == null ? key(random) : key;
      }
      case SCHEMA -> {
        value = values.readable(coordinates, random);
        if (registry != null) {
          byte[] body = Arrays.copyOfRange(value, 5, value.length);
          value = join(registry.oddHead(random), body);
        }
      }
    }
    return record.with(key, value, headers);
  }

  /**
   * A unit's name may go with its content, since its slots are empty; an id of labels stays, and so
   * do owners, since a record is charged to each.
   */
  private byte[] emptied(Map<String, String> coordinates) {
    if (shape.unitFields().size() == 1
        && shape.idField().filter(shape.unitFields()::contains).isEmpty()) {
      coordinates.remove(shape.unitFields().get(0));
    }
    return values.emptied(coordinates);
  }

  private byte[] cut(byte[] whole, Map<String, String> coordinates) {
    int head = Math.min(whole.length, values.head(coordinates).length);
    return Arrays.copyOf(whole, Math.max(head, whole.length / 2));
  }

  private static byte[] garbage(Random random) {
    byte[] any = new byte[random.nextInt(200)];
    random.nextBytes(any);
    return any;
  }

  private static byte[] key(Random random) {
    byte[] any = new byte[random.nextInt(3) * 50_000];
    random.nextBytes(any);
    return random.nextInt(3) == 0 ? null : any;
  }

  /** The last header of a name counts, so that which names the model stays last. */
  private static List<Header> odd(List<Header> headers, Random random) {
    List<Header> all = new ArrayList<>();
    all.add(new Header("\u20ac".repeat(1 + random.nextInt(100_000)), null));
    all.add(new Header("", new byte[0]));
    all.add(new Header("a\u0000\ud834\udd1e", "\u00e9".getBytes(StandardCharsets.UTF_8)));
    for (int i = random.nextInt(MOST_HEADERS); i > 0; i--) {
      all.add(new Header("\u00fc" + i, new byte[random.nextInt(3)]));
    }
    if (random.nextBoolean()) {
      all.add(new Header("__value_schema_id", new byte[] {7}));
    }
    all.addAll(headers);
    return all;
  }

  private static byte[] join(byte[] head, byte[] rest) {
    byte[] all = Arrays.copyOf(head, head.length + rest.length);
    System.arraycopy(rest, 0, all, head.length, rest.length);
    return all;
  }
}

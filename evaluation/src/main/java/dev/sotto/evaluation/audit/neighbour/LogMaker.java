package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.evaluation.audit.neighbour.MadeRecord.Header;
import dev.sotto.evaluation.audit.neighbour.MadeRecord.Names;
import dev.sotto.evaluation.audit.neighbour.MadeRecord.Place;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.ModelIdRule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes logs for a configuration, whose records are of all kinds that decoders meet. */
final class LogMaker {
  private static final long BEGIN = 1_700_000_000_000L;
  private static final int MODELS = 2; // of a partition

  private final EventShape shape;
  private final RecordValues values;
  private final RecordValues late; // of a schema that is registered late; null without a registry
  private final int each;

  /**
   * Makes logs.
   *
   * @param values of most records
   * @param late of some behind {@link #half}; null for the same
   * @param events about how many, of all partitions together
   */
  LogMaker(EventShape shape, RecordValues values, RecordValues late, int events) {
    this.shape = shape;
    this.values = values;
    this.late = late;
    this.each = Math.max(4, events / shape.partitions());
  }

  /** The offset from which on records may be of a schema that is registered late. */
  long half() {
    return each / 2;
  }

  MadeLog make(Random random) {
    List<MadeRecord> events = new ArrayList<>();
    List<MadeRecord> labels = new ArrayList<>();
    for (int partition = 0; partition < shape.partitions(); partition++) {
      List<MadeRecord> mine = events(partition, random);
      events.addAll(mine);
      if (shape.settings().labels().isPresent()) {
        labels.addAll(labels(mine, random));
      }
    }
    return new MadeLog(shape.partitions(), events, labels);
  }

  private List<MadeRecord> events(int partition, Random random) {
    List<MadeRecord> made = new ArrayList<>();
    List<String> models = models(partition);
    String id = null;
    long offset = 0;
    for (int i = 0; i < each; i++) {
      String model = models.isEmpty() || random.nextInt(12) == 0
          ? null
          : models.get(random.nextInt(models.size()));
      if (id == null || random.nextInt(6) > 0) {
        id = "id-" + partition + "-" + i;
      }
      List<String> users = new ArrayList<>();
      do {
        users.add("user-" + random.nextInt(Math.max(4, each / 5)));
      } while (users.size() < shape.unitFields().size());
      Names names = names(model, users, id);
      boolean timeless = shape.mayLackTime() && random.nextInt(20) == 0;
      long time = timeless ? -1 : BEGIN + i * shape.step() + random.nextInt(2);
      Place at = new Place(partition, offset, offset, time);
      MadeRecord empty = new MadeRecord(at, names, key(names, random), null, headers(names));
      made.add(empty.with(empty.key(), value(empty, random), empty.headers()));
      offset += random.nextInt(9) == 0 ? 2 : 1;
    }
    return made;
  }

  /** Where one text carries several coordinates, they are one. */
  private Names names(String model, List<String> users, String id) {
    boolean late = shape.settings().labels().isPresent();
    String joined = !late ? null : shape.hasModelInKey() && shape.hasIdInKey() ? model : id;
    if (!shape.namesUnits()) {
      return new Names(model, List.of(), joined);
    }
    if (!shape.hasUnitInKey() || !(shape.hasModelInKey() || shape.hasIdInKey())) {
      return new Names(model, users, joined);
    }
    String owner = shape.hasModelInKey() ? model : joined;
    return new Names(model, owner == null ? List.of() : List.of(owner), joined);
  }

  private byte[] key(Names names, Random random) {
    if (shape.isKeyFree()) {
      byte[] any = new byte[random.nextInt(9)];
      random.nextBytes(any);
      return random.nextInt(3) == 0 ? null : any;
    }
    String text =
        shape.hasModelInKey() ? names.model() : shape.hasIdInKey() ? names.id() : names.unit();
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  private List<Header> headers(Names names) {
    String header = shape.settings().modelIds().header();
    return header == null || names.model() == null
        ? List.of()
        : List.of(new Header(header, names.model().getBytes(StandardCharsets.UTF_8)));
  }

  /** Those that have a partition as their home; none where records do not name their model. */
  private List<String> models(int partition) {
    ModelIdRule rule = shape.settings().modelIds();
    if (!rule.sharesPartitions()) {
      return List.of();
    }
    Set<String> allowed = rule.limits().allowed();
    Stream<String> all = allowed.isEmpty()
        ? IntStream.range(0, 1000).mapToObj(each -> "model-" + each)
        : allowed.stream().sorted();
    return all.filter(each ->
            partition == rule.home(each.getBytes(StandardCharsets.UTF_8), shape.partitions()))
        .limit(MODELS)
        .toList();
  }

  private byte[] value(MadeRecord record, Random random) {
    Map<String, String> coordinates = coordinates(shape, record);
    int kind = random.nextInt(20);
    if (kind == 0) {
      return values.emptied(coordinates);
    }
    if (kind == 1) {
      return values.wrong(coordinates, random);
    }
    boolean known = late == null || record.at().event() < half() || random.nextBoolean();
    return (known ? values : late).readable(coordinates, random);
  }

  /** The fields of a record's value that carry coordinates. */
  static Map<String, String> coordinates(EventShape shape, MadeRecord record) {
    Map<String, String> fields = new LinkedHashMap<>();
    shape.idField().ifPresent(path -> fields.put(path, record.names().id()));
    List<String> units = record.names().units();
    for (int i = 0; i < shape.unitFields().size() && i < units.size(); i++) {
      fields.putIfAbsent(shape.unitFields().get(i), units.get(i));
    }
    return fields;
  }

  /** Most have one in time, some none or several, and some come before their event. */
  private List<MadeRecord> labels(List<MadeRecord> events, Random random) {
    LateLabels late = shape.settings().labels().orElseThrow();
    int wait = (int) Math.min(Integer.MAX_VALUE / 3, late.patience().toMillis());
    List<MadeRecord> made = new ArrayList<>();
    Map<String, Long> joined = new HashMap<>(); // with the first event of an id
    for (MadeRecord event : events) {
      if (event.names().id() == null) {
        continue;
      }
      long first = joined.computeIfAbsent(event.names().id(), id -> event.at().event());
      for (int left = random.nextInt(8) == 0 ? 2 : random.nextInt(5) == 0 ? 0 : 1;
          left > 0;
          left--) {
        long time = event.at().time() - wait / 2 + random.nextInt(2 * wait);
        Names names = new Names(null, List.of(), event.names().id());
        byte[] key = shape.hasIdInKey() ? event.key() : null;
        Place at = new Place(event.at().partition(), 0, first, time);
        MadeRecord empty = new MadeRecord(at, names, key, null, List.of());
        made.add(empty.with(key, value(empty, random), List.of()));
      }
    }
    made.sort(Comparator.comparingLong(each -> each.at().time()));
    List<MadeRecord> placed = new ArrayList<>();
    for (MadeRecord each : made) {
      Place at = each.at();
      Place next = new Place(at.partition(), placed.size(), at.event(), at.time());
      placed.add(new MadeRecord(next, each.names(), each.key(), each.value(), each.headers()));
    }
    return placed;
  }
}

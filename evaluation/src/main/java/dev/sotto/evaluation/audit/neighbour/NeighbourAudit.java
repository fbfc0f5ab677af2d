package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.config.SottoConfig;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.registry.RegistrySettings;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * Runs pairs of made neighbouring logs through all that lies between bytes and slots: registry,
 * decoders, the join of late labels, the order of the partitions, batches, admission and restarts.
 * It is the learner's own code on a cluster in memory, with the same schedule of arrivals for both
 * logs. How much is read at once follows from the sizes of records, so that crashes, commits and
 * polls come at other records. Then it compares the two logs slot by slot (docs/audit.md).
 *
 * <p>Everything follows from the seed and the configuration; no record of a user's is read.
 */
public final class NeighbourAudit {
  private static final long FETCH = 300; // bytes that are read of a partition at once
  private static final int MOST_EVENTS = 1_500;
  private static final int LEAST_EVENTS = 48;

  private static final NoiseKey KEY = NoiseKey.of(new byte[32]); // of runs over made logs

  private final SottoConfig config;
  private final Function<List<String>, SottoConfig> reload;
  private final List<Change> changes; // of the pairs, one after the other
  private final long seed;

  /**
   * An audit of a configuration.
   *
   * @param reload reads it with some other settings, whatever its secrets: those of a made
   *     registry, which has a new file for each log
   * @param pairs of logs, at least 1
   */
  public NeighbourAudit(
      SottoConfig config, Function<List<String>, SottoConfig> reload, int pairs, long seed) {
    this(config, reload, changes(pairs, seed), seed);
  }

  /** An audit of pairs with certain changes. */
  NeighbourAudit(
      SottoConfig config,
      Function<List<String>, SottoConfig> reload,
      List<Change> changes,
      long seed) {
    this.config = config;
    this.reload = reload;
    this.changes = changes;
    this.seed = seed;
  }

  private static List<Change> changes(int pairs, long seed) {
    if (pairs < 1) {
      throw new IllegalArgumentException("pairs must be at least 1, but were " + pairs);
    }
    Change[] all = Change.values();
    return IntStream.range(0, pairs)
        .mapToObj(each -> all[Math.floorMod(seed + each, all.length)])
        .toList();
  }

  /** Runs all pairs. */
  public NeighbourResult run() {
    FieldTexts fields = new FieldTexts(maps(config.learner()));
    try {
      if (!isRegistered(config)) {
        return new Pairs(EventShape.of(config), values(config, fields), null, null).run();
      }
      Path folder = Files.createTempDirectory("sotto-audit");
      try (MadeRegistry registry = registry(fields)) {
        return new Pairs(
                EventShape.of(config), registry.values(fields), registry.late(fields), registry)
            .freshly(number -> reload.apply(settingsOf(registry, folder, number)))
            .run();
      } finally {
        delete(folder);
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** What {@link #run} gives as a check of an audit. */
  public CheckResult check() {
    NeighbourResult found = run();
    String first = found.faults().isEmpty() ? "" : "; first: " + found.faults().get(0);
    return new CheckResult(
        "slots: a unit moves its own",
        found.faults().isEmpty(),
        found.faults().size(),
        "exactly 0 faults; no chance involved",
        String.format(
            Locale.ROOT,
            "%,d pairs of neighbouring logs from bytes to slots: of %,d slots, %,d used, at most %d"
                + " differed by one unit; %,d restarts%s",
            found.pairs(),
            found.slots().compared(),
            found.slots().used(),
            found.slots().most(),
            found.runs().restarts(),
            first));
  }

  private static boolean isRegistered(SottoConfig config) {
    String format = config.effective().get(EventKeys.FORMAT);
    return format.equals(EventKeys.AVRO)
        ? config.effective().find(EventKeys.AVRO_FRAMING).stream()
            .anyMatch(each -> each == AvroFraming.CONFLUENT)
        : EventKeys.registered(format).isPresent();
  }

  /**
   * Each log has a file of its own for what the registry answered. Values are made in Avro,
   * whatever the format: by formats it differs how one value's fields are read, which no other
   * record touches.
   */
  private static List<String> settingsOf(MadeRegistry registry, Path folder, int number) {
    return List.of(
        EventKeys.FORMAT.name() + "=" + EventKeys.AVRO,
        EventKeys.AVRO_FRAMING.name() + "="
            + EventKeys.AVRO_FRAMING.domain().plain(AvroFraming.CONFLUENT),
        RegistrySettings.URL.name() + "=" + registry.url(),
        RegistrySettings.IDS.name() + "=" + SchemaIds.CONFLUENT.word(),
        RegistrySettings.FILE.name() + "=" + folder.resolve(number + ".jsonl"),
        RegistrySettings.AUTH.name() + "=none");
  }

  private static MadeRegistry registry(FieldTexts fields) throws IOException {
    Map<String, Object> sample = fields.draw(Map.of(), new Random(0));
    List<String> paths = new ArrayList<>(fields.paths());
    Schema one = AvroValues.schema("Event", paths, sample);
    Collections.reverse(paths);
    return new MadeRegistry(one, AvroValues.schema("Event", paths, sample));
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.toList()) {
        Files.delete(each);
      }
    }
    Files.delete(folder);
  }

  private static List<FeatureMap> maps(LearnerSettings settings) {
    return settings.events().decoders().stream()
        .flatMap(each -> each.get().featureMap().stream())
        .toList();
  }

  private static RecordValues values(SottoConfig config, FieldTexts fields) throws IOException {
    EffectiveSettings settings = config.effective();
    EventDecoder decoder = config.learner().decoder().get();
    return switch (settings.get(EventKeys.FORMAT)) {
      case EventKeys.JSON -> new JsonValues(fields);
      case EventKeys.EXAMPLE ->
        new ExampleValues(
            decoder.dimension(),
            EventShape.of(config).unitFields().stream().findFirst().orElse(null));
      case EventKeys.AVRO -> {
        List<Schema> schemas = new ArrayList<>();
        for (String file : settings.get(EventKeys.AVRO_SCHEMAS)) {
          schemas.add(WriterSchema.avroParser().parse(Path.of(file).toFile()));
        }
        yield settings.get(EventKeys.AVRO_FRAMING) == AvroFraming.RAW
            ? AvroValues.raw(fields, schemas.get(0))
            : AvroValues.ofSingleObjects(fields, schemas);
      }
      default -> new OpaqueValues();
    };
  }

  /** The pairs of one audit. */
  private final class Pairs {
    private final EventShape shape;
    private final MadeRegistry registry; // null without
    private final LogMaker logs;
    private final PairMaker maker;
    private Function<Integer, SottoConfig> configs;
    private int runs;

    Pairs(EventShape shape, RecordValues values, RecordValues late, MadeRegistry registry) {
      this.shape = shape;
      this.registry = registry;
      long some = 3 * shape.settings().plan().batch();
      int events = (int) Math.max(LEAST_EVENTS, Math.min(MOST_EVENTS, some));
      this.logs = new LogMaker(shape, values, late, events);
      this.maker = new PairMaker(shape, values, registry, logs);
    }

    /** Reads the configuration again for each log. */
    Pairs freshly(Function<Integer, SottoConfig> newConfigs) {
      configs = newConfigs;
      return this;
    }

    NeighbourResult run() {
      NeighbourResult all = NeighbourResult.NONE;
      for (int i = 0; i < changes.size(); i++) {
        all = all.plus(pair(i));
      }
      return all;
    }

    private NeighbourResult pair(int number) {
      long mine = seed * 1_000_003 + number;
      Change change = changes.get(number);
      PairMaker.Pair pair = maker.make(change, new Random(mine));
      FaultRates faults = number % 4 == 3 ? FaultRates.none() : FaultRates.many(mine);
      SlotTrace one = new SlotTrace();
      SlotTrace other = new SlotTrace();
      FaultyRun.Report first;
      FaultyRun.Report second;
      try {
        first = run(pair.one(), one, faults, mine);
        second = run(pair.other(), other, faults, mine);
      } catch (UnsafeToContinueException refused) { // slots read again were not those of before
        return new NeighbourResult(
            1,
            NeighbourResult.NONE.slots(),
            NeighbourResult.NONE.runs(),
            List.of("pair " + number + " (" + change + "): a restarted learner stopped: "
                + refused.getMessage()));
      }
      SlotComparison found = new SlotComparison(shape, pair.unit(), one, other);
      return new NeighbourResult(
          1,
          new NeighbourResult.Slots(
              found.slots(), found.used(), found.most(), found.most() > 0 ? 1 : 0),
          new NeighbourResult.Runs(
              restarts(first) + restarts(second), first.equals(second) ? 0 : 1),
          found.faults().stream()
              .map(each -> "pair " + number + " (" + change + "): " + each)
              .toList());
    }

    private long restarts(FaultyRun.Report report) {
      return (long) report.crashes() + report.aborts() + report.rebalances();
    }

    private FaultyRun.Report run(MadeLog log, SlotTrace trace, FaultRates faults, long schedule) {
      LearnerSettings settings =
          configs == null ? shape.settings() : configs.apply(runs++).learner();
      if (registry != null) {
        registry.restart();
        settings = registering(settings);
      }
      LearnerSettings made = settings.with(KEY).with(Encryption.none()).with(trace);
      RecordedInput input = log.input(settings);
      OutputListener nobody = new OutputListener() {};
      return new FaultyRun(made, input, nobody, faults, schedule).fetches(FETCH).run();
    }

    /** The late schema is registered once a record is decoded that may name it. */
    private LearnerSettings registering(LearnerSettings settings) {
      return settings.withDecoders((candidate, own) -> registering(own));
    }

    private EventDecoder registering(EventDecoder own) {
      return new RegisteringDecoder(own, logs.half(), registry::register);
    }
  }
}

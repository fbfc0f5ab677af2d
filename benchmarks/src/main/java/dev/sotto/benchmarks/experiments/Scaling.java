package dev.sotto.benchmarks.experiments;

import com.sun.management.OperatingSystemMXBean;
import dev.sotto.benchmarks.BenchmarkPlans;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Admission;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.store.HeapTable;
import dev.sotto.topology.store.HistoryCache;
import dev.sotto.topology.store.UnitTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Time and memory of a learner as its work grows: over records, weights, models, units and
 * partitions (docs/experiments/scaling.md). The product's processors run in memory, without a
 * broker; histories of units lie in RocksDB, with the product's settings.
 */
final class Scaling implements Experiment {
  private static final Map<Layout, ModelIdRule.Source> MODEL_IDS = Map.of(
      Layout.ORDERED, ModelIdRule.Source.CONSTANT, Layout.DIRECT, ModelIdRule.Source.PARTITION);
  private static final int FEATURES = 16;
  private static final int DIFFERENT = 8192;
  private static final int BATCH = 4096;
  private static final long WARM_UP = 1 << 20; // records
  private static final int SMALL_BATCH = 16; // of many models
  private static final int WIDE_BATCH = 256; // of many weights
  private static final int NON_ZEROS = 20;
  private static final double MEGABYTE = 1 << 20;
  private static final double NANOS = 1e9;

  /** Processor time for which a model of many weights is measured; twice as long before. */
  private static final double ENOUGH_SECONDS = 1;

  /** Model bytes of the heap: room for some 3,700 small models. More of them come and go. */
  private static final long MODELS_HEAP = 64 << 20;

  /** Histories that are written together, as the default has it. */
  private static final int SAVED = 200_000;

  /**
   * One measurement.
   *
   * @param axis what grows
   * @param size how much of it
   * @param what is measured
   * @param nanos of processor time, of a record, or of a weight and round
   * @param heap live megabytes at the end
   * @param disk megabytes; 0 where nothing is on disk
   */
  private record Row(String axis, long size, String what, double nanos, double heap, double disk) {}

  private final List<Row> rows = new ArrayList<>();
  private Trials trials;

  @Override
  public String name() {
    return "scaling";
  }

  @Override
  public String question() {
    return "Time and memory over records, weights, models, units and partitions";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  @Override
  public Outcome run(Trials given) throws IOException {
    trials = given;
    for (Layout layout : List.of(Layout.ORDERED, Layout.DIRECT)) {
      replay("warm-up", 1, settings(layout, plan(BATCH)), recording(1, WARM_UP), WARM_UP);
    }
    units("warm-up", WARM_UP / 10);
    rows.clear();
    records();
    weights();
    models();
    units();
    partitions();
    return new Outcome(summary(), table(), charts());
  }

  private void records() {
    for (long count = 100_000; count <= trials.choose(100_000_000L, 1_000_000L); count *= 10) {
      long whole = count / BATCH * BATCH;
      replay("records", count, settings(Layout.DIRECT, plan(BATCH)), recording(1, whole), whole);
    }
  }

  private void weights() {
    for (int bits = 10; bits <= trials.choose(22, 14); bits += 2) {
      int dimension = 1 << bits;
      ModelLearner learner = ModelLearner.start(
          BenchmarkPlans.hashed(dimension, WIDE_BATCH, Mechanisms.BLT.make()),
          NoiseKey.of(new byte[32]),
          "model",
          "scaling");
      SplittableRandom random = new SplittableRandom(dimension);
      Slot slot = new Slot(dimension);
      long rounds = 0;
      double seconds = 0;
      for (boolean warm : new boolean[] {true, false}) {
        double began = processor();
        rounds = 0;
        do {
          for (int i = 0; i < WIDE_BATCH; i++) {
            refill(slot, random, dimension);
            learner.fill(slot);
          }
          learner.close();
          rounds++;
          seconds = processor() - began;
        } while (seconds < (warm ? 2 : 1) * ENOUGH_SECONDS);
      }
      add("weights", dimension, "a weight and round", seconds * NANOS / rounds / dimension, 0);
      Reference.reachabilityFence(learner); // counted, and its arrays left to nobody
    }
  }

  private static void refill(Slot slot, SplittableRandom random, int dimension) {
    slot.clear();
    int part = dimension / NON_ZEROS;
    for (int i = 0; i < NON_ZEROS; i++) {
      slot.example().append(i * part + random.nextInt(part), 1 / Math.sqrt(NON_ZEROS));
    }
    slot.example().label(random.nextInt(2));
    slot.status(RecordStatus.USED);
  }

  private void models() {
    for (int count = 1; count <= trials.choose(100_000, 1000); count *= 10) {
      long turns = Math.max(2, trials.choose(32_768L, 4096L) / count);
      long all = turns * count * SMALL_BATCH;
      byte[][] keys = new byte[count][];
      Arrays.setAll(keys, i -> ("m" + i).getBytes(StandardCharsets.US_ASCII));
      LearnerSettings settings = new LearnerSettings(
          "scaling",
          Layout.DIRECT,
          new LearnerSettings.Events(
              "events",
              new ModelIdRule(ModelIdRule.Source.KEY, "", new ModelIdRule.Limits(Set.of(), count)),
              Scaling::decoder),
          new LearnerSettings.Run(plan(SMALL_BATCH), NoiseKey.of(new byte[32]), "1"),
          new Cadence(200_000, Duration.ofSeconds(60), 1, MODELS_HEAP));
      LongFunction<byte[]> key = offset -> keys[(int) (offset / SMALL_BATCH % keys.length)];
      replay("models", count, settings, new GeneratedRecording(1, all, key, values()), all);
    }
  }

  private void partitions() {
    long all = trials.choose(1L << 21, 1L << 17);
    for (Layout layout : List.of(Layout.ORDERED, Layout.DIRECT)) {
      for (int count = 1; count <= 64; count *= 4) {
        replay(
            "partitions " + layout.configName(),
            count,
            settings(layout, plan(BATCH)),
            recording(count, all / count),
            all);
      }
    }
  }

  /** Every unit once, so that each history is new; then those of some units again. */
  private void units() throws IOException {
    for (long count = 10_000; count <= trials.choose(100_000_000L, 100_000L); count *= 10) {
      units("units", count);
    }
  }

  private void units(String axis, long count) throws IOException {
    Path folder = Files.createTempDirectory("sotto-scaling-");
    HistoryCache cache = new HistoryCache();
    try (DiskTable disk = new DiskTable(folder)) {
      Admission rule =
          BenchmarkPlans.byKey("units", FEATURES, BATCH).account().admission().orElseThrow();
      UnitTable units = new UnitTable(disk, new HeapTable(), "model", cache);
      double first = visit(units, rule, count, 0, count);
      double used = live();
      double bytes = size(folder);
      add("new " + axis, count, "a record", first * NANOS / count, used, bytes);
      long again = Math.min(count, trials.choose(500_000L, 10_000L));
      visit(units, rule, count, 1, again); // reads what the first visits left in memory alone
      double next = visit(units, rule, count, 2, again);
      add("known " + axis, count, "a record", next * NANOS / again, live(), size(folder));
    } finally {
      cache.close(); // all caches share what they may take of the heap
      delete(folder);
    }
  }

  private double visit(UnitTable units, Admission rule, long count, int pass, long visits) {
    SplittableRandom random = new SplittableRandom(pass);
    byte[] name = new byte[16];
    double began = processor();
    for (long i = 0; i < visits; i++) {
      name(pass == 0 ? i : random.nextLong(count), name);
      byte[] history = rule.admit(units.get(name), 1 + (pass * count + i) / BATCH);
      if (history != null) {
        units.put(name.clone(), history);
      }
      if ((i + 1) % SAVED == 0 || i + 1 == visits) {
        units.save(i);
      }
    }
    return processor() - began;
  }

  /**
   * Seconds of processor time of all threads of this process, the collector's and the compiler's
   * too: other work on the machine is not in them.
   */
  private static double processor() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / NANOS;
  }

  /** Names look random, as pseudonyms do: a number that is mixed, one to one. */
  private static void name(long number, byte[] into) {
    long mixed = new SplittableRandom(number).nextLong();
    ByteBuffer.wrap(into).putLong(mixed).putLong(~mixed * 31);
  }

  private void replay(
      String axis, long size, LearnerSettings settings, Recording recording, long all) {
    double[] found = new double[2];
    double began = processor();
    new Replay(settings, recording)
        .progress(events -> {
          if (events == all && found[0] == 0) {
            found[0] = processor() - began;
            found[1] = live();
          }
        })
        .run(new OutputListener() {});
    if (found[0] == 0) {
      throw new IllegalStateException(
          axis + " " + size + ": all " + all + " records must be learned, but were not");
    }
    add(axis, size, "a record", found[0] * NANOS / all, found[1], 0);
  }

  private void add(String axis, long size, String what, double nanos, double heap) {
    add(axis, size, what, nanos, heap == 0 ? live() : heap, 0);
  }

  private void add(String axis, long size, String what, double nanos, double heap, double disk) {
    trials.say(
        "%s %,d: %.1f ns %s; %.0f MB live, %.0f MB on disk", axis, size, nanos, what, heap, disk);
    rows.add(new Row(axis, size, what, nanos, heap, disk));
  }

  private static Plan plan(int batch) {
    return BenchmarkPlans.of("scaling", FEATURES, batch).toBuilder()
        .versions(new VersionSchedule(BATCH, 0))
        .build();
  }

  private static LearnerSettings settings(Layout layout, Plan plan) {
    return new LearnerSettings(
        "scaling",
        layout,
        new LearnerSettings.Events(
            "events", new ModelIdRule(MODEL_IDS.get(layout), "model"), Scaling::decoder),
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "1"),
        Cadence.everyVersion());
  }

  private static ExampleCodec decoder() {
    return new ExampleCodec(FEATURES, 1 << 20, UnitSource.NONE);
  }

  private static Recording recording(int partitions, long each) {
    return new GeneratedRecording(partitions, each, offset -> null, values());
  }

  private static LongFunction<byte[]> values() {
    SplittableRandom random = new SplittableRandom(1);
    byte[][] different = new byte[DIFFERENT][];
    for (int i = 0; i < DIFFERENT; i++) {
      double[] values = random.doubles(FEATURES, -0.2, 0.2).toArray();
      different[i] = ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
    }
    return offset -> different[(int) (offset % DIFFERENT)];
  }

  private static double live() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
  }

  /** Of files alone, some of which may go meanwhile. */
  private static double size(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(each -> each.toFile().length()).sum() / MEGABYTE;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private ResultTable table() {
    return new Columns<Row>()
        .add("what grows", Row::axis)
        .add("to", Row::size)
        .add("nanoseconds", Row::nanos)
        .add("of", Row::what)
        .add("live heap MB", Row::heap)
        .add("on disk MB", Row::disk)
        .of(rows);
  }

  private Map<String, List<Row>> axes() {
    Map<String, List<Row>> axes = new LinkedHashMap<>();
    rows.forEach(
        each -> axes.computeIfAbsent(each.axis(), none -> new ArrayList<>()).add(each));
    return axes;
  }

  /** A line for each that grows: its two ends, and the slopes of all work and of the memory. */
  private ResultTable summary() {
    ResultTable table = new ResultTable(
        "what grows",
        "from",
        "to",
        "ns, first",
        "ns, last",
        "of",
        "slope of the time for all",
        "live heap MB, first",
        "last",
        "on disk MB, last");
    axes().forEach((axis, line) -> {
      Row first = line.get(0);
      Row last = line.get(line.size() - 1);
      table.add(
          axis,
          first.size(),
          last.size(),
          first.nanos(),
          last.nanos(),
          first.what(),
          slope(line),
          first.heap(),
          last.heap(),
          last.disk());
    });
    return table;
  }

  /**
   * The slope of the time for all, in a plot of logarithms: of the work on as many records, or on
   * a round of as many weights; where the number of records stays, of that and the cost of one.
   */
  private static double slope(List<Row> line) {
    double n = line.size();
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (Row each : line) {
      double across = Math.log(each.size());
      double up = across + Math.log(each.nanos());
      x += across;
      y += up;
      xx += across * across;
      xy += across * up;
    }
    return (n * xy - x * y) / (n * xx - x * x);
  }

  private Map<String, Chart> charts() {
    Chart time = new Chart("Processor time of one", "how many", true, "nanoseconds", true).ofMany();
    Chart heap = new Chart("Memory", "how many", true, "live heap, MB", true).ofMany();
    axes().forEach((axis, line) -> {
      time.line(axis + " (" + line.get(0).what() + ")", line, Row::size, Row::nanos);
      heap.line(axis, line, Row::size, Row::heap);
    });
    return Map.of("time", time, "heap", heap);
  }
}

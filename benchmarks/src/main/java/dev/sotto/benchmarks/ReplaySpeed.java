package dev.sotto.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.RecordingOrigin;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.replay.recording.container.ContainerSpec;
import dev.sotto.replay.recording.container.ContainerWriter;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How fast recordings are replayed, beside plain loops over the same file that know no privacy: the
 * ceiling. All of them work in one thread, for which another one reads ahead. Figures are per
 * second on the clock, and per second of the processor time of the whole process: for the plain
 * loop that is what it would do in one thread alone, as one would write it.
 */
@Command(
    name = "benchmarks/run replay",
    description = "Measure how fast recordings are replayed, without a broker.",
    exitCodeOnInvalidInput = 64,
    mixinStandardHelpOptions = true)
public final class ReplaySpeed implements Callable<Integer> {
  private static final int REPEAT = 5;
  private static final MadeRows TABLE = new MadeRows(23, false, 8);

  /** One way to go through a recording; returns the examples that it saw. */
  private record Contender(String name, ToLongFunction<Recording> run) {}

  /**
   * What is in a file, and the plans by which it is learned.
   *
   * @param srgd whether there is one of Accelerated DP-SRGD
   */
  private record Content(
      String label,
      String codec,
      Supplier<EventDecoder> decoders,
      Function<LearnerSetup, Plan> plans,
      boolean srgd) {}

  @Option(names = "--quick", description = "A fifth of the records.")
  private boolean quick;

  @Option(
      names = "--case",
      paramLabel = "NAME",
      description = "Only this one: dense16, dense64 or csv24. May be given several times.")
  private List<String> cases = List.of();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  /** See the options. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new ReplaySpeed()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    int records = quick ? 400_000 : 2_000_000;
    List<Map<String, Object>> rows = new ArrayList<>();
    Path folder = Files.createTempDirectory("sotto-replay-speed-");
    try {
      for (BenchmarkCase what : List.of(BenchmarkCase.DENSE_16, BenchmarkCase.DENSE_64)) {
        if (isWanted(what.label)) {
          rows.addAll(examples(folder, what, records));
        }
      }
      if (isWanted("csv24")) {
        rows.addAll(table(folder, records / 2));
      }
    } finally {
      Files.delete(folder);
    }
    if (json) {
      System.out.println(new ObjectMapper()
          .writeValueAsString(Map.of("machine", MachineInfo.facts(), "rows", rows)));
    } else {
      System.out.println(MachineInfo.facts());
      System.out.print(table(rows));
    }
    return 0;
  }

  private boolean isWanted(String label) {
    return cases.isEmpty() || cases.contains(label);
  }

  private static List<Map<String, Object>> examples(Path folder, BenchmarkCase what, int records)
      throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Compression compression : List.of(Compression.NULL, Compression.ZSTANDARD)) {
      Path file = folder.resolve(what.label + "." + compression + ".avro");
      write(file, what, compression, records);
      rows.addAll(measure(
          file, new Content(what.label, compression.toString(), what::decoder, what::plan, true)));
      Files.delete(file);
    }
    return rows;
  }

  private static List<Map<String, Object>> table(Path folder, int records) throws IOException {
    Path file = folder.resolve("rows.csv");
    write(file, records);
    FeatureMap map = TABLE.map();
    List<Map<String, Object>> rows = measure(
        file,
        new Content(
            "csv24",
            "none",
            () -> new JsonEventDecoder(map),
            setup -> BenchmarkPlans.of("csv24", map.dimension(), setup.batch()),
            false));
    Files.delete(file);
    return rows;
  }

  private static void write(Path file, BenchmarkCase what, Compression compression, int records) {
    ContainerSpec spec = new ContainerSpec(
        new RecordingOrigin("", "events", ""),
        "benchmark",
        () -> List.of(new RecordedRange(0, 0, records, records)),
        "",
        compression,
        Encryption.none());
    SplittableRandom random = new SplittableRandom(what.inputs);
    byte[][] different = new byte[what.different()][];
    for (int i = 0; i < different.length; i++) {
      different[i] = what.encode(random);
    }
    try (ContainerWriter writer = ContainerWriter.open(file, spec)) {
      for (int i = 0; i < records; i++) {
        writer.append(0, i, i, null, different[i % different.length], new Header[0]);
      }
      writer.finish();
      writer.complete();
    }
  }

  private static void write(Path file, int records) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    String[] different = new String[BenchmarkCase.DENSE_16.different()];
    Arrays.setAll(different, i -> TABLE.row(TABLE.event(random)) + "\n");
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write(TABLE.header() + "\n");
      for (int i = 0; i < records; i++) {
        out.write(different[i % different.length]);
      }
    }
  }

  private static long processorTime() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static List<Map<String, Object>> measure(Path file, Content what) {
    Map<String, List<Double>> perCpu = new LinkedHashMap<>();
    Map<String, List<Double>> perSecond = new LinkedHashMap<>();
    List<Contender> contenders = contenders(what);
    for (int repetition = 0; repetition <= REPEAT; repetition++) { // the first warms up
      for (Contender each : contenders) {
        try (Recording recording = Recordings.open(file, RecordingOptions.defaults())) {
          long cpu = processorTime();
          long began = System.nanoTime();
          long examples = each.run().applyAsLong(recording);
          double seconds = (System.nanoTime() - began) / 1e9;
          double cpuSeconds = (processorTime() - cpu) / 1e9;
          if (repetition > 0) {
            perCpu
                .computeIfAbsent(each.name(), none -> new ArrayList<>())
                .add(examples / cpuSeconds / 1e3);
            perSecond
                .computeIfAbsent(each.name(), none -> new ArrayList<>())
                .add(examples / seconds / 1e3);
          }
        }
      }
      System.err.printf(
          "%s %s, repetition %d of %d%n", what.label(), what.codec(), repetition, REPEAT);
    }
    double ceiling = median(perCpu.get("plain loop"));
    double onTheClock = median(perSecond.get("plain loop"));
    List<Map<String, Object>> rows = new ArrayList<>();
    perCpu.forEach((name, figures) -> {
      Quantiles cpu = Quantiles.of(figures, each -> each);
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("case", what.label());
      row.put("codec", what.codec());
      row.put("what", name);
      row.put("thousandPerCpuSecond", cpu.median());
      row.put("least", cpu.min());
      row.put("most", cpu.max());
      double clock = median(perSecond.get(name));
      row.put("thousandPerSecond", clock);
      row.put("cpuOverPlainLoop", cpu.median() / ceiling);
      row.put("clockOverPlainLoop", clock / onTheClock);
      row.put("clockOverOneThread", clock / ceiling);
      rows.add(row);
    });
    return rows;
  }

  private static double median(List<Double> figures) {
    return Quantiles.of(figures, each -> each).median();
  }

  private static List<Contender> contenders(Content what) {
    List<Contender> all = new ArrayList<>(List.of(
        new Contender("read only", PlainLoops::read),
        new Contender(
            "plain loop",
            recording -> PlainLoops.learn(recording, what.decoders().get())),
        new Contender(
            "replay, FTRL, batch 4096",
            recording -> replay(what, LearnerSetup.DIRECT, recording, true)),
        new Contender(
            "the same, no scores",
            recording -> replay(what, LearnerSetup.DIRECT, recording, false))));
    if (what.srgd()) {
      all.add(new Contender(
          "replay, DP-SRGD, batch 65,536",
          recording -> replay(what, LearnerSetup.DIRECT_SRGD, recording, true)));
    }
    return all;
  }

  private static long replay(
      Content what, LearnerSetup setup, Recording recording, boolean scored) {
    LearnerSettings settings = new LearnerSettings(
        "benchmark",
        Layout.DIRECT,
        new LearnerSettings.Events(
            "events", new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"), what.decoders()),
        new LearnerSettings.Run(what.plans().apply(setup), NoiseKey.of(new byte[32]), "1"),
        Cadence.everyVersion());
    Replay replay = new Replay(settings, recording);
    if (scored) {
      replay.scored(new ProgressiveScores());
    }
    return replay.run(new OutputListener() {}).events();
  }

  private static String table(List<Map<String, Object>> rows) {
    ResultTable table = new ResultTable(
        "case",
        "codec",
        "what",
        "thousand examples/CPU-s",
        "over plain loop",
        "thousand/s",
        "over plain loop",
        "over plain loop in one thread");
    for (Map<String, Object> row : rows) {
      table.add(
          row.get("case"),
          row.get("codec"),
          row.get("what"),
          String.format(
              Locale.ROOT,
              "%.0f (%.0f-%.0f)",
              row.get("thousandPerCpuSecond"),
              row.get("least"),
              row.get("most")),
          String.format(Locale.ROOT, "%.2f", row.get("cpuOverPlainLoop")),
          String.format(Locale.ROOT, "%.0f", row.get("thousandPerSecond")),
          String.format(Locale.ROOT, "%.2f", row.get("clockOverPlainLoop")),
          String.format(Locale.ROOT, "%.2f", row.get("clockOverOneThread")));
    }
    return table.markdown();
  }
}

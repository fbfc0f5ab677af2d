package dev.sotto.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.replay.Progressive;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.Recordings;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.replay.recording.container.ContainerSpec;
import dev.sotto.replay.recording.container.ContainerWriter;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.encryption.Encryption;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.Header;

/**
 * How fast recordings are replayed, beside plain loops over the same file that know no privacy: those are the ceiling. All
 * of them are one thread; figures are per second of its processor time, so that what else the machine does weighs little,
 * and per second on the clock.
 */
public final class ReplaySpeed {
  private static final int REPEAT = 5;

  private ReplaySpeed() {}

  /** One way to go through a recording; returns the examples that it saw. */
  private record Contender(String name, ToLongFunction<Recording> run) {}

  /** Flags: {@code --quick} for a fifth of the records, {@code --json}. */
  public static void main(String[] arguments) throws IOException {
    List<String> flags = List.of(arguments);
    if (!List.of("--quick", "--json").containsAll(flags)) {
      System.err.println(
          "benchmarks/run replay knows --quick and --json only, but was given " + flags);
      System.exit(64);
    }
    int records = flags.contains("--quick") ? 400_000 : 2_000_000;
    List<Map<String, Object>> rows = new ArrayList<>();
    Path folder = Files.createTempDirectory("sotto-replay-speed-");
    try {
      for (Case what : List.of(Case.DENSE_16, Case.DENSE_64)) {
        for (Compression compression : List.of(Compression.NULL, Compression.ZSTANDARD)) {
          Path file = folder.resolve(what.label + "." + compression + ".avro");
          write(file, what, compression, records);
          rows.addAll(measure(file, what, compression));
          Files.delete(file);
        }
      }
    } finally {
      Files.delete(folder);
    }
    if (flags.contains("--json")) {
      System.out.println(
          new ObjectMapper().writeValueAsString(Map.of("machine", Machine.facts(), "rows", rows)));
    } else {
      System.out.println(Machine.facts());
      System.out.print(table(rows));
    }
  }

  private static void write(Path file, Case what, Compression compression, int records) {
    ContainerSpec spec = new ContainerSpec(
        "",
        "events",
        "",
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

  private static List<Map<String, Object>> measure(Path file, Case what, Compression compression) {
    Map<String, List<Double>> perCpu = new LinkedHashMap<>();
    Map<String, List<Double>> perSecond = new LinkedHashMap<>();
    List<Contender> contenders = contenders(what);
    for (int lap = 0; lap <= REPEAT; lap++) { // the first warms up
      for (Contender each : contenders) {
        try (Recording recording = Recordings.open(file, RecordingOptions.defaults())) {
          var threads = ManagementFactory.getThreadMXBean();
          long cpu = threads.getCurrentThreadCpuTime();
          long began = System.nanoTime();
          long examples = each.run().applyAsLong(recording);
          double seconds = (System.nanoTime() - began) / 1e9;
          double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
          if (lap > 0) {
            perCpu
                .computeIfAbsent(each.name(), none -> new ArrayList<>())
                .add(examples / cpuSeconds / 1e3);
            perSecond
                .computeIfAbsent(each.name(), none -> new ArrayList<>())
                .add(examples / seconds / 1e3);
          }
        }
      }
      System.err.printf("%s %s, lap %d of %d%n", what.label, compression, lap, REPEAT);
    }
    double ceiling = Spread.of(perCpu.get("plain loop"), each -> each).median();
    List<Map<String, Object>> rows = new ArrayList<>();
    perCpu.forEach((name, figures) -> {
      Spread cpu = Spread.of(figures, each -> each);
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("case", what.label);
      row.put("codec", compression.toString());
      row.put("what", name);
      row.put("thousandPerCpuSecond", cpu.median());
      row.put("least", cpu.min());
      row.put("most", cpu.max());
      row.put("thousandPerSecond", Spread.of(perSecond.get(name), each -> each).median());
      row.put("overPlainLoop", cpu.median() / ceiling);
      rows.add(row);
    });
    return rows;
  }

  private static List<Contender> contenders(Case what) {
    return List.of(
        new Contender("read only", PlainLoops::read),
        new Contender("plain loop", recording -> PlainLoops.learn(recording, what.decoder())),
        new Contender(
            "replay, FTRL, batch 4096", recording -> replay(what, Setup.DIRECT, recording, true)),
        new Contender(
            "the same, no scores", recording -> replay(what, Setup.DIRECT, recording, false)),
        new Contender(
            "replay, DP-SRGD, batch 65,536",
            recording -> replay(what, Setup.DIRECT_SRGD, recording, true)));
  }

  private static long replay(Case what, Setup setup, Recording recording, boolean scored) {
    LearnerSettings settings = new LearnerSettings(
        "benchmark",
        Layout.DIRECT,
        "events",
        new ModelIds(ModelIds.Source.CONSTANT, "model"),
        what.plan(setup),
        NoiseKey.of(new byte[32]),
        "1",
        what::decoder,
        LearnerSettings.Cadence.everyRound());
    Replay replay = new Replay(settings, recording);
    if (scored) {
      replay.scored(new Progressive());
    }
    return replay.run(new Outputs() {}).events();
  }

  private static String table(List<Map<String, Object>> rows) {
    StringBuilder table = new StringBuilder(
        "| case | codec | what | thousand examples/CPU-s | thousand/s | over plain loop |\n|---|---|---|---|---|---|\n");
    for (Map<String, Object> row : rows) {
      table.append(String.format(
          Locale.ROOT,
          "| %s | %s | %s | %.0f (%.0f-%.0f) | %.0f | %.2f |%n",
          row.get("case"),
          row.get("codec"),
          row.get("what"),
          row.get("thousandPerCpuSecond"),
          row.get("least"),
          row.get("most"),
          row.get("thousandPerSecond"),
          row.get("overPlainLoop")));
    }
    return table.toString();
  }
}

package dev.sotto.app.command;

import dev.sotto.app.predict.WholeFile;
import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.evaluation.compare.ComparedConfig;
import dev.sotto.evaluation.compare.Comparison;
import dev.sotto.evaluation.compare.ComparisonDescription;
import dev.sotto.evaluation.compare.ComparisonRunner;
import dev.sotto.evaluation.compare.RunNames;
import dev.sotto.evaluation.compare.page.ComparisonPage;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.topology.encryption.Encryption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Several configurations over one recording. */
@Command(
    name = "compare",
    description = {
      "Run several configurations over one recording, without a broker, and show them side by"
          + " side: how well each predicts, what it costs, and what the same code gives without"
          + " privacy.",
      "The figures are exact, not private: they must stay inside the trust boundary."
          + " docs/compare.md tells how to read them."
    })
public final class CompareCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(
      names = {"-c", "--config"},
      required = true,
      paramLabel = "FILE",
      description = "A configuration; give one for each run.")
  private List<Path> files = new ArrayList<>();

  @Mixin
  private RecordingInput input;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--throwaway-key",
      description =
          "Draw the noise of all runs from a key that follows from the seed, in place of their"
              + " own. Anybody can compute it.")
  private boolean throwaway;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Of the order in which partitions are read, and of the throwaway key. Default:"
          + " ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--limit", paramLabel = "N", description = "Read the first N records only.")
  private Long limit;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Runs at a time. Default: as many as there are cores.")
  private Integer threads;

  @Option(
      names = "--page",
      paramLabel = "FILE",
      defaultValue = "compare.html",
      description =
          "Where the page with plots goes; what is there is replaced. Default: ${DEFAULT-VALUE}.")
  private Path page;

  @Option(names = "--no-page", description = "Write no page.")
  private boolean noPage;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private boolean hinted;

  @Override
  public Integer call() throws InterruptedException, IOException {
    check(limit == null || limit >= 1, "--limit must be at least 1, but was " + limit);
    check(threads == null || threads >= 1, "--threads must be at least 1, but was " + threads);
    checkPage();
    List<String> names = RunNames.of(files);
    List<ComparedConfig> configs = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Path file = files.get(i);
      configs.add(
          new ComparedConfig(names.get(i), file.toString(), protection -> load(file, protection)));
    }
    Comparison comparison;
    try (Recording recording = open()) {
      comparison = run(recording, configs);
      RecordingInput.tell(recording, spec.commandLine().getErr());
    }
    if (!noPage) {
      WholeFile.writeForOwner(page, ComparisonPage.of(comparison));
    }
    print(comparison);
    return comparison.failure().map(ExitCode::of).orElse(ExitCode.OK).code();
  }

  private void print(Comparison comparison) {
    PrintWriter out = spec.commandLine().getOut();
    InsideWarning.print(spec, json, Comparison.WARNING);
    Section description = ComparisonDescription.of(
        comparison, noPage ? null : page.toString(), kind -> ExitCode.of(kind).code());
    if (json) {
      out.println(JsonRenderer.of(description));
    } else {
      out.print(TextRenderer.of(description));
      out.print(noPage ? "" : "page: " + page + System.lineSeparator());
    }
    out.flush();
  }

  private Comparison run(Recording recording, List<ComparedConfig> configs)
      throws InterruptedException {
    RecordingHeader header = recording.header();
    long each = header.records().orElse(-1);
    long read = each < 0 || limit == null ? each : Math.min(each, limit);
    int most = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    try (Progress progress = Progress.onTerminal()) {
      return new ComparisonRunner(
              recording, facts(header, each), seed, limit == null ? 0 : limit, throwaway)
          .run(
              configs,
              most,
              (records, done, runs) -> progress.at(
                  "compared",
                  read < 0 ? done : records,
                  read < 0 ? runs : read * runs,
                  String.format(Locale.ROOT, "%d of %d runs, %,d records", done, runs, records)));
    }
  }

  private Map<String, String> facts(RecordingHeader header, long records) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("recording", input.file().getFileName().toString());
    facts.put("format", header.format());
    if (!header.topic().equals(facts.get("recording"))) {
      facts.put("topic", header.topic());
    }
    facts.put("partitions", Integer.toString(header.ranges().size()));
    if (records >= 0) {
      facts.put("records", String.format(Locale.ROOT, "%,d", records));
    }
    if (!header.digest().isEmpty()) {
      facts.put("digest", header.digest());
    }
    return facts;
  }

  private SottoConfig load(Path file, GuaranteeLevel protection) {
    ConfigSource source = ConfigSource.of(file)
        .withEnvironment(System.getenv())
        .withFlags(settings.all())
        .withEmbedded(true) // no broker is needed
        .withGuarantee(protection);
    if (throwaway) {
      return ConfigWithoutKeys.load(source);
    }
    try {
      return SottoConfig.load(source);
    } catch (ConfigException failure) {
      if (failure.errors().stream()
          .anyMatch(fault -> fault.key().startsWith(NoiseKeySettings.PREFIX))) {
        hint();
      }
      throw failure;
    }
  }

  private void hint() {
    if (hinted) {
      return;
    }
    hinted = true;
    PrintWriter errors = spec.commandLine().getErr();
    errors.println("a comparison needs no real key: --throwaway-key takes another for all runs");
    errors.flush();
  }

  /** Encrypted recordings are under the keyset that the configurations name. */
  private Recording open() {
    Encryption encryption = files.stream()
        .flatMap(file -> {
          try {
            return Stream.of(load(file, GuaranteeLevel.CONFIGURED).learner().encryption());
          } catch (ConfigException toldLater) {
            return Stream.empty();
          }
        })
        .findFirst()
        .orElse(Encryption.none());
    return input.open(encryption);
  }

  private void checkPage() throws IOException {
    if (noPage) {
      return;
    }
    Path folder = page.toAbsolutePath().getParent();
    check(
        !Files.isDirectory(page) && Files.isDirectory(folder) && Files.isWritable(folder),
        "--page must be a file in a folder that can be written, but was " + page);
    for (Path read : Stream.concat(Stream.of(input.file()), files.stream()).toList()) {
      check(
          !Files.exists(page) || !Files.exists(read) || !Files.isSameFile(page, read),
          "--page must be none of the files that are read, but was " + page);
    }
  }

  private void check(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}

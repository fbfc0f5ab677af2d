package dev.sotto.app.command;

import dev.sotto.app.init.ConfigurationFile;
import dev.sotto.app.init.EventSource;
import dev.sotto.app.init.SampleReader;
import dev.sotto.app.init.SampledEvents;
import dev.sotto.app.init.UnitChoice;
import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.app.view.GuaranteeText;
import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.ReplayedModels;
import dev.sotto.app.view.RunningTable;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.evaluation.plan.QuietestSet;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** From a file to a model that predicts: init, run --check and replay, one after the other. */
@Command(
    name = "learn",
    description = {
      "Learn a private model from a file, without a broker: writes the model for sotto predict, and"
          + " the configuration with which to learn the same from a topic.",
      "What nobody can read off private records must be said: the label and its loss, and whose"
          + " data is hidden. With --sample-is-public they are proposed from the values.",
      "Ends with 17 where nothing was learned.",
      "What it prints beyond the model are exact figures of the data, not private ones: they must"
          + " stay inside the trust boundary. docs/learn.md shows it all."
    })
public final class LearnCommand implements Callable<Integer> {
  private static final long ROWS = 100_000;

  /** Where counting ends: noise that is chosen for this number of records does for more. */
  private static final long MOST_COUNTED = 1L << 22;

  /** The fewest versions of a file: what comes behind the last one is in no model. */
  private static final long VERSIONS = 16;

  private static final long SHORTEST_VERSION = 64;

  private static final String SECOND_HISTORY =
      "warning: the model that is replaced has a cost of its own: where anybody has it, the costs"
          + " of both add up, and under -c both need a run.label of their own (docs/privacy.md, A"
          + " second history)";

  @Spec
  private CommandSpec spec;

  @Mixin
  private RecordingInput input;

  @Option(names = "--label", paramLabel = "FIELD", description = "The field to be predicted.")
  private String label;

  @Option(
      names = "--loss",
      paramLabel = "LOSS",
      description = "What kind of label it is: logistic for two classes, squared for numbers, ...")
  private String loss;

  @ArgGroup(exclusive = true)
  private InitCommand.Unit unit = new InitCommand.Unit();

  @Option(
      names = "--epsilon",
      paramLabel = "E",
      description = "The most that one unit may ever spend. Default: 1.")
  private String epsilon;

  @Option(
      names = "--sample-is-public",
      description =
          "The file is public or made up: bounds, classes and more are proposed from its values.")
  private boolean isPublic;

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description = "Learn under this configuration instead of making one.")
  private Path config;

  @Mixin
  private SettingOptions settings;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Where to write model.json, sotto.yaml and noise.key. Default: beside the file.")
  private Path out;

  @Option(names = "--force", description = "Replace the model and configuration that are there.")
  private boolean force;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  private LearnFolder folder;
  private String text; // of the configuration that is made
  private String key; // what is said of its noise key
  private long records; // in the file; of a very long one, at least
  private boolean isCounted; // whether there are no more
  private QuietestSet noise; // chosen for the file; null where somebody has said it
  private long batch; // slots of its rounds

  @Override
  public Integer call() {
    check();
    folder = LearnFolder.of(out, input.file(), config);
    if (!force) {
      folder.requireNew(config == null);
    } else if (Files.exists(folder.model())) {
      spec.commandLine().getErr().println(SECOND_HISTORY);
    }
    ExitCode ended = null;
    try {
      SottoConfig checked = config == null ? made() : read();
      PrintWriter errors = spec.commandLine().getErr();
      checked.warnings().forEach(warning -> errors.println("warning: " + warning));
      errors.flush();
      ended = learn(checked.learner());
    } finally {
      if (ended != ExitCode.OK) {
        folder.undo(); // so that the next try finds what this one has found
      }
    }
    return ended.code();
  }

  private void check() {
    boolean made = label != null || loss != null || epsilon != null || isPublic;
    if (config != null && (made || unit.choice().kind() != UnitChoice.Kind.NOT_STATED)) {
      throw wrong("--label, --loss, --unit, --epsilon and --sample-is-public say what a new"
          + " configuration is to hold, but -c names one: leave them out, or change it there or"
          + " with --set");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private SottoConfig read() {
    return SottoConfig.load(ConfigSource.of(config)
        .withEnvironment(System.getenv())
        .withFlags(settings.all())
        .withEmbedded(true)); // needs no broker
  }

  /** As init does it, and then checked: it is written once nothing is wrong with it. */
  private SottoConfig made() {
    SampledEvents events =
        new SampleReader(isPublic, ROWS).file(input.file(), input.options(), Optional.empty());
    records = counted(events);
    String name = InitCommand.appId(LearnFolder.shortName(input.file()));
    EventSource source = new EventSource(
        input.file().getFileName().toString(), name, "localhost:9092", Optional.empty());
    Map<String, String> stated = stated();
    text = text(events, source, stated);
    PrintWriter errors = spec.commandLine().getErr();
    InitCommand.notes(events, text, label, unit, errors);
    List<String> left = ConfigurationFile.toBeStated(text);
    if (!left.isEmpty()) {
      throw unstated(left);
    }
    folder.create();
    key = InitCommand.noiseKey(folder.noiseKey());
    SottoConfig usual = made(text);
    noise = quietest(usual, stated.keySet());
    if (noise == null) {
      return usual;
    }
    batch = usual.learner().plan().batch();
    text = text(events, source, stated);
    return made(text);
  }

  private String text(SampledEvents events, EventSource source, Map<String, String> stated) {
    return new ConfigurationFile(events, source, source.topic(), stated)
        .ofAFile(versionSlots(), VersionKeys.LEAST_SLOTS)
        .withNoise(noise, batch)
        .text(label, unit.choice(), folder.noiseKey().toString());
  }

  private SottoConfig made(String configuration) {
    String name = folder.config().toString();
    try {
      return SottoConfig.load(ConfigSource.of(name, configuration)
          .withEnvironment(System.getenv())
          .withEmbedded(true));
    } catch (ConfigException refused) { // of a file that nobody will find
      String place = " \\(" + Pattern.quote(name) + " line \\d+\\)";
      String errors = refused.errors().stream()
          .map(each -> "\n  " + each.message().replaceAll(place, ""))
          .collect(Collectors.joining());
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "nothing can be learned with these settings, and nothing was written. Change them with"
              + " --set KEY=VALUE:" + errors,
          refused);
    }
  }

  /**
   * The noise for as many records as there are, where nobody has said another one, and where they
   * are all of one model.
   */
  private QuietestSet quietest(SottoConfig usual, Set<String> stated) {
    boolean ofOne = usual.learner().modelIds().source() == ModelIdRule.Source.CONSTANT;
    if (!ofOne || records == 0) {
      return null;
    }
    PlanScenario scenario = scenario(usual);
    return QuietestSet.keyOf(scenario)
        .filter(key -> !stated.contains(key.name()))
        .map(key -> QuietestSet.of(records, scenario))
        .orElse(null);
  }

  private static PlanScenario scenario(SottoConfig config) {
    return new PlanScenario(
        config.learner().plan(),
        config.effective().find(PlanKeys.HORIZON).orElse(PlanForecast.LIMIT),
        config.effective().get(PlanKeys.METRICS_SHARE));
  }

  /** Records of the file, what cannot be read included: their number is public, as offsets are. */
  private long counted(SampledEvents events) {
    try (Recording recording = Recordings.open(input.file(), input.options())) {
      RecordingHeader header = recording.header();
      isCounted = true;
      if (header.records().isPresent() || events.records() < ROWS) {
        return header.records().orElse(events.records());
      }
      long count = 0;
      for (RecordedRange range : header.ranges()) {
        try (RecordCursor cursor = recording.open(range.partition())) {
          while (count < MOST_COUNTED && cursor.next()) {
            count++;
          }
        }
      }
      isCounted = count < MOST_COUNTED;
      return count;
    }
  }

  private Map<String, String> stated() {
    Map<String, String> stated = new LinkedHashMap<>();
    if (epsilon != null) {
      stated.put(PlanKeys.EPSILON.name(), epsilon);
    }
    if (loss != null) {
      stated.put(ObjectiveSettings.LOSS.name(), loss);
    }
    for (String each : settings.all()) {
      String[] parts = each.split("=", 2);
      if (parts.length < 2) {
        throw wrong("--set must be KEY=VALUE, but was " + each);
      }
      stated.put(parts[0].trim(), parts[1].trim());
    }
    // Another history each time, whose noise has nothing to do with that of one before.
    stated.putIfAbsent(ApplicationKeys.RUN_LABEL.name(), "learn-" + UUID.randomUUID());
    return stated;
  }

  /** Slots of a version where the file is too short for those of a stream; 0 where it is not. */
  private long versionSlots() {
    return records >= VERSIONS * VersionKeys.LEAST_SLOTS
        ? 0
        : Math.max(SHORTEST_VERSION, Long.highestOneBit(records / VERSIONS));
  }

  private SottoException unstated(List<String> left) {
    String file = ProgramName.quoted(input.file().toString());
    return new SottoException(
        FailureKind.CONFIGURATION,
        "before anything can be learned from " + input.file() + ", this must be stated from public"
            + " knowledge, since a configuration is published and no noise covers what is read off"
            + " records:\n  " + String.join("\n  ", left)
            + "\nSay it: --label FIELD, --loss logistic (or squared, ...), --unit FIELD or"
            + " --unit-record"
            + "\nOr, where the file is public or made up, add --sample-is-public"
            + "\nOr state it in a file: sotto init " + file + " --out sotto.yaml, then:"
            + " sotto learn " + file + " -c sotto.yaml"
            + "\nNothing was written.");
  }

  private ExitCode learn(LearnerSettings learner) {
    try (Recording recording = input.open(learner.encryption())) {
      ReplayedModels models = new ReplayedModels();
      long known = recording.header().records().orElse(isCounted ? records : -1);
      Replay.Result result;
      RunningTable table;
      ProgressiveScores scores;
      boolean shown;
      try (Progress progress = Progress.onTerminal()) {
        shown = progress.isTerminal();
        table = new RunningTable(progress::line);
        scores = new ProgressiveScores(RunningTable.EVERY, table::at);
        if (isPublic) {
          scores.countingUnits();
        }
        result = new Replay(learner, recording)
            .scored(scores)
            .progress(done -> progress.at("learn", done, known, "records"))
            .run(models);
        table.end(scores.point());
      }
      ReplayReport report = new ReplayReport(learner, result, Optional.of(scores));
      PrintWriter errors = spec.commandLine().getErr();
      report.tellLabels(errors);
      report.advice().ifPresent(errors::println);
      requireUsable(result, report);
      report.withoutLabel().ifPresent(why -> {
        throw new SottoException(FailureKind.CONFIGURATION, why);
      });
      if (models.newest().isEmpty()) {
        errors.println("sotto: " + tooFew(learner, result));
        errors.flush();
        return ExitCode.NOTHING_LEARNED;
      }
      if (result.deadLetters() > 0) {
        errors.println("Dead letters: " + report.reasons());
        errors.flush();
      }
      ReplayOrigin origin = ReplayOrigin.of(Optional.of(learner.key().id()), isPublic);
      folder.create();
      List<Path> files = models.write(folder.path(), origin);
      if (config == null) {
        folder.write(text);
        errors.println(key);
        errors.flush();
      }
      folder.keep();
      LearnReport learned = new LearnReport(
          input.file(),
          config == null ? folder.config() : config,
          noise == null ? "" : " --set " + noise.key().name() + "=" + noise.endless(),
          report,
          table.rows());
      InsideWarning.print(spec, json, ReplayCommand.WARNING);
      learned.print(
          learner,
          models.newest(),
          files,
          new LearnReport.Form(json, !shown),
          spec.commandLine().getOut());
      return ExitCode.OK;
    }
  }

  private void requireUsable(Replay.Result result, ReplayReport report) {
    if (result.events() == 0) {
      throw new RecordingException(
          input.file() + " holds no record: there is nothing to learn from");
    }
    report.useless().ifPresent(why -> {
      throw new RecordingException(why);
    });
  }

  private String tooFew(LearnerSettings learner, Replay.Result result) {
    return "nothing was learned from " + input.file() + ": a version takes "
        + learner.plan().learning().versions().slots() + " slots (" + VersionKeys.SLOTS
        + "), in whole rounds of " + learner.plan().batch() + ", but there are " + result.events()
        + " events; give more events, or "
        + (learner.plan().ranges().rounds() > 0
            ? "state the bounds of all numbers: " + GuaranteeText.ranges(learner.plan())
            : "--set " + VersionKeys.SLOTS + "=" + learner.plan().batch());
  }
}

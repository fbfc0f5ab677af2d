package dev.sotto.app.command;

import dev.sotto.app.init.UnitChoice;
import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.app.view.GuaranteeText;
import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.ReplayedModels;
import dev.sotto.app.view.RunningTable;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.ApplicationKeys;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
  private FileConfiguration made; // null under one that is named
  private String key; // what is said of its noise key

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
      ended = learn(checked);
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

  private SottoConfig read(String... more) {
    return SottoConfig.load(ConfigSource.of(config)
        .withEnvironment(System.getenv())
        .withFlags(Stream.concat(settings.all().stream(), Stream.of(more)).toList())
        .withEmbedded(true)); // needs no broker
  }

  /** As init does it, and then checked: it is written once nothing is wrong with it. */
  private SottoConfig made() {
    made = new FileConfiguration(
        input, isPublic, new FileConfiguration.Said(label, unit.choice(), stated()), folder);
    made.notes(unit, spec.commandLine().getErr());
    List<String> left = made.toBeStated();
    if (!left.isEmpty()) {
      throw unstated(left);
    }
    folder.create();
    key = InitCommand.noiseKey(folder.noiseKey());
    return made.load();
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
      if (parts[1].trim().startsWith("[") && !parts[1].contains("]")) {
        throw wrong("--set must close the bracket of a list, but was " + each);
      }
      String value = parts[1].trim();
      String before = stated.put(parts[0].trim(), value);
      if (before != null && !before.equals(value)) {
        throw wrong(parts[0].trim() + " must be said once, but was " + before + " and " + value
            + "; leave one of them out");
      }
    }
    // Another history each time, whose noise has nothing to do with that of one before.
    stated.putIfAbsent(ApplicationKeys.RUN_LABEL.name(), "learn-" + UUID.randomUUID());
    return stated;
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
            + (isPublic ? "" : "\nOr, where the file is public or made up, add --sample-is-public")
            + "\nOr state it in a file: sotto init " + file + " --out sotto.yaml, then:"
            + " sotto learn " + file + " -c sotto.yaml"
            + "\nNothing was written.");
  }

  private ExitCode learn(SottoConfig checked) {
    LearnerSettings learner = checked.learner();
    try (Recording recording = input.open(learner.encryption())) {
      ReplayedModels models = new ReplayedModels();
      long known = recording.header().records().orElse(made == null ? -1 : made.counted());
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
      if (made == null) { // its notes have said it
        RecordingInput.tell(recording, errors);
      }
      report.tellLabels(errors);
      report.advice().ifPresent(errors::println);
      report.spent().ifPresent(errors::println);
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
        errors.println("Dead letters: " + result.reasonsInWords());
        errors.flush();
      }
      ReplayOrigin origin = ReplayOrigin.of(Optional.of(learner.key().id()), isPublic);
      folder.create();
      List<Path> files = models.write(folder.path(), origin);
      if (config == null) {
        folder.write(made.text());
        errors.println(key);
        errors.flush();
      }
      folder.keep();
      LearnReport learned = new LearnReport(
          input.file(),
          config == null ? folder.config() : config,
          made == null
              ? FileConfiguration.forAStream(checked, result.events(), this::read)
              : made.forAStream(),
          made == null ? settings.all() : List.of(), // made, it holds them
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

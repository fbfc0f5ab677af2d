package dev.sotto.app.command;

import dev.sotto.app.predict.ReplayOrigin;
import dev.sotto.app.view.GuaranteeText;
import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.PublishedFiles;
import dev.sotto.app.view.RunningTable;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A recorded stream again, without a broker. */
@Command(
    name = "replay",
    description = {
      "Learn from a recording, without a broker: the rounds, costs and model versions that the"
          + " stream would have given.",
      "Ends with 15 where no record could be used.",
      "Loss, accuracy and digests are exact figures of the data, not private ones: they must stay"
          + " inside the trust boundary.",
      "docs/replay.md tells which recording reproduces which layout."
    })
public final class ReplayCommand implements Callable<Integer> {
  static final String WARNING =
      "Figures below are exact, NOT private (loss, accuracy, how many are dead letters,"
          + " digests of versions that nobody may have published): keep them inside the trust"
          + " boundary.";

  static final String KNOWN_KEY =
      "Anybody can compute a throwaway key: what was learned under it is NOT private, whatever"
          + " epsilon says.";

  /** Of a run whose budget rests on records that the run before it has not learned. */
  static final String NEW_RECORDS =
      "start.from costs nothing here, since a run learns from new records only. Whether those of"
          + " this recording are new to the old run is not known: epsilon holds if they are.";

  @Spec
  private CommandSpec spec;

  @Mixin
  private ConfigOptions options;

  @Mixin
  private RecordingInput input;

  @Mixin
  private OrderInput order;

  @Option(
      names = "--labels",
      paramLabel = "FILE",
      description =
          "A recording of events.labels.topic, where RECORDING is one of events.topic: they"
              + " are joined by the times of their records. Without it RECORDING is one of"
              + " <app>.labelled, which holds both.")
  private Path labels;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Which of the possible orders of several partitions to take, and which throwaway key."
              + " Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--limit", paramLabel = "N", description = "Read the first N records only.")
  private Long limit;

  @Option(
      names = "--throwaway-key",
      description =
          "Draw the noise from a key that follows from the seed, where the configured one is not"
              + " at hand. Anybody can compute it.")
  private boolean throwaway;

  @Option(
      names = "--no-scores",
      description = "Do not score events before they are learned from: somewhat faster.")
  private boolean unscored;

  @Option(
      names = "--sample-is-public",
      description = "The recording is public or made up: how often units come is counted, and what"
          + " to say of it in the configuration, under privacy.contribution.records.")
  private boolean isPublic;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Write ledger, snapshots, metrics and dead letters there, one JSON object a line, and"
              + " model.json, the newest version, for sotto predict --model-file; what is there is"
              + " replaced.")
  private Path out;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (limit != null && limit < 1) {
      throw new ParameterException(
          spec.commandLine(), "--limit must be at least 1, but was " + limit);
    }
    LearnerSettings learner = settings();
    try (Recording recording = open(learner);
        Recording recordedOrder = order.open(input.file(), learner);
        Recording recordedLabels =
            labels == null ? null : input.open(labels, learner.encryption())) {
      Replay replay = new Replay(learner, recording).seed(seed);
      if (recordedOrder != null) {
        replay.order(recordedOrder);
      }
      if (recordedLabels != null) {
        replay.labels(recordedLabels);
      }
      if (limit != null) {
        replay.limit(limit);
      }
      Replay.Result result;
      Optional<ProgressiveScores> scores;
      long most = records(recording);
      try (Progress progress = Progress.onTerminal();
          PublishedFiles files = out == null ? null : new PublishedFiles(out, throwaway)) {
        RunningTable table = new RunningTable(progress::line);
        scores = unscored
            ? Optional.empty()
            : Optional.of(new ProgressiveScores(RunningTable.EVERY, table::at));
        if (isPublic) {
          scores.ifPresent(ProgressiveScores::countingUnits);
        }
        scores.ifPresent(replay::scored);
        result = replay
            .progress(done -> progress.at("replay", done, most, "records"))
            .run(files == null ? new OutputListener() {} : files);
        scores.map(ProgressiveScores::point).ifPresent(table::end);
        if (files != null) {
          files.complete(ReplayOrigin.of(
              throwaway ? Optional.empty() : Optional.of(learner.key().id()), false));
        }
      }
      if (result.events() == 0) {
        throw new RecordingException(
            input.file() + " holds no record: there is nothing to learn from");
      }
      ReplayReport report = new ReplayReport(learner, result, scores);
      print(learner, recording, result, report);
      report.useless().ifPresent(why -> {
        throw new RecordingException(why);
      });
      report.withoutLabel().ifPresent(why -> {
        throw new SottoException(FailureKind.CONFIGURATION, why);
      });
    }
    return ExitCode.OK.code();
  }

  private static long records(Recording recording) {
    return recording.header().records().orElse(-1);
  }

  private LearnerSettings settings() {
    ConfigSource source = options.source(System.getenv()).withEmbedded(true); // needs no broker
    if (!throwaway) {
      try {
        return SottoConfig.load(source).learner();
      } catch (ConfigException failure) {
        if (failure.errors().stream()
            .anyMatch(each -> each.key().startsWith(NoiseKeySettings.PREFIX))) {
          PrintWriter errors = spec.commandLine().getErr();
          errors.println("where the real key need not be: --throwaway-key takes another");
          errors.flush();
        }
        throw failure;
      }
    }
    return ConfigWithoutKeys.load(source).learner().with(SeededNoiseKey.of(seed));
  }

  private Recording open(LearnerSettings learner) {
    return input.open(learner.encryption());
  }

  private void print(
      LearnerSettings learner, Recording recording, Replay.Result result, ReplayReport report) {
    PrintWriter errors = spec.commandLine().getErr();
    if (result.newest().isEmpty()) {
      errors.println("No version would be published: one takes "
          + learner.plan().learning().versions().slots() + " slots (" + VersionKeys.SLOTS
          + ") of a model, in whole rounds of " + learner.plan().batch() + ", and "
          + input.file() + " holds " + result.events() + " events"
          + (learner.plan().ranges().rounds() > 0
              ? "; " + GuaranteeText.ranges(learner.plan())
              : "")
          + ".");
    }
    if (result.deadLetters() > 0 && report.useless().isEmpty()) {
      errors.println("Dead letters: " + result.reasonsInWords());
    }
    errors.flush();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("recording", input.file().getFileName().toString());
    figures.put("topic", recording.header().topic());
    figures.putAll(report.figures());
    figures.put("exactNotPrivate", true);
    figures.put("throwawayKey", throwaway);
    report.addDigests(figures);
    PrintWriter terminal = spec.commandLine().getOut();
    InsideWarning.print(spec, json, WARNING);
    if (throwaway) {
      InsideWarning.print(spec, json, KNOWN_KEY);
    }
    if (!learner.learnedBefore().isEmpty()) {
      InsideWarning.print(spec, json, NEW_RECORDS);
    }
    RecordingInput.tell(recording, errors);
    report.tellLabels(errors);
    report.advice().ifPresent(errors::println);
    report.spent().ifPresent(errors::println);
    errors.flush();
    if (json) {
      terminal.println(JsonRenderer.of(figures));
    } else {
      ReplayReport.print(figures, terminal);
    }
    terminal.flush();
  }
}

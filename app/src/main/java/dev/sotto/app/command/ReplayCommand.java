package dev.sotto.app.command;

import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.PublishedFiles;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.key.NoiseKeySettings;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
      "Figures below are exact, NOT private (loss, accuracy, how many events were set aside,"
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
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Write ledger, snapshots, metrics and dead letters there, one JSON object a line; what"
              + " is there is replaced.")
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
      ProgressiveScores scores = new ProgressiveScores();
      Replay replay = new Replay(learner, recording).seed(seed);
      if (recordedOrder != null) {
        replay.order(recordedOrder);
      }
      if (recordedLabels != null) {
        replay.labels(recordedLabels);
      }
      if (!unscored) {
        replay.scored(scores);
      }
      if (limit != null) {
        replay.limit(limit);
      }
      Replay.Result result;
      long most = records(recording);
      try (Progress progress = Progress.onTerminal();
          PublishedFiles files = out == null ? null : new PublishedFiles(out, throwaway)) {
        result = replay
            .progress(done -> progress.at("replay", done, most, "records"))
            .run(files == null ? new OutputListener() {} : files);
        if (files != null) {
          files.complete();
        }
      }
      if (result.events() == 0) {
        throw new RecordingException(
            input.file() + " holds no record: there is nothing to learn from");
      }
      print(learner, recording, result, scores);
      if (result.deadLetters() >= result.events()) {
        throw new RecordingException("none of the " + result.events()
            + " records that were read can be used under this configuration: " + reasons(result)
            + "; check events.format, features, label and unit");
      }
    }
    return ExitCode.OK.code();
  }

  /** How many records were set aside and why, and which field the first of them is about. */
  private static String reasons(Replay.Result result) {
    return result.reasons().entrySet().stream()
        .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue())
            + Optional.ofNullable(result.faults().get(each.getKey()))
                .map(fault -> " (" + fault + ")")
                .orElse(""))
        .collect(Collectors.joining(", "));
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
      LearnerSettings learner,
      Recording recording,
      Replay.Result result,
      ProgressiveScores scores) {
    if (result.newest().isEmpty()) {
      PrintWriter errors = spec.commandLine().getErr();
      errors.println("No version would be published: one takes "
          + learner.plan().learning().versions().slots() + " slots (" + VersionKeys.SLOTS
          + ") of a model, in whole rounds of " + learner.plan().batch() + ", and "
          + input.file() + " holds " + result.events() + " events.");
      errors.flush();
    }
    if (result.deadLetters() > 0 && result.deadLetters() < result.events()) {
      PrintWriter errors = spec.commandLine().getErr();
      errors.println("Set aside: " + reasons(result));
      errors.flush();
    }
    Map<String, Object> figures = figures(learner, recording, result, scores);
    PrintWriter terminal = spec.commandLine().getOut();
    InsideWarning.print(spec, json, WARNING);
    if (throwaway) {
      InsideWarning.print(spec, json, KNOWN_KEY);
    }
    if (!learner.learnedBefore().isEmpty()) {
      InsideWarning.print(spec, json, NEW_RECORDS);
    }
    tellLabels(learner);
    if (json) {
      terminal.println(JsonRenderer.of(figures));
    } else {
      figures.forEach((name, value) -> {
        if (value instanceof Map<?, ?> models) {
          models.forEach(
              (key, each) -> terminal.printf("%-20s %s %s%n", name, key, text(name, each)));
        } else {
          terminal.printf("%-20s %s%n", name, text(name, value));
        }
      });
    }
    terminal.flush();
  }

  /** What the labels themselves say is wrong with their rule: exact, as the figures are. */
  private void tellLabels(LearnerSettings learner) {
    PrintWriter errors = spec.commandLine().getErr();
    learner
        .newDecoders()
        .get(0)
        .labels()
        .ifPresent(labels -> labels.faults().forEach(each -> errors.println("Labels: " + each)));
    errors.flush();
  }

  private Map<String, Object> figures(
      LearnerSettings learner, Recording recording, Replay.Result result, ProgressiveScores all) {
    ProgressiveScores.Point scores = all.point();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("recording", input.file().getFileName().toString());
    figures.put("topic", recording.header().topic());
    figures.put("events", result.events());
    figures.put("deadLetters", result.deadLetters());
    if (result.deadLetters() > 0) {
      figures.put("deadLetterReasons", result.reasons());
    }
    if (!unscored) {
      figures.put("examples", scores.examples());
    }
    figures.put("seconds", result.seconds());
    long learned = unscored ? result.events() : scores.examples();
    figures.put("examplesPerSecond", learned / result.seconds());
    figures.put("rounds", result.rounds());
    figures.put("epsilon", result.epsilon());
    figures.put("delta", learner.plan().budget().delta());
    if (!unscored) {
      String loss = isLogLoss(learner) ? "logLoss" : "loss";
      Map<String, ProgressiveScores.Point> byCandidate = all.candidates();
      figures.put(loss, finite(scores.loss()));
      figures.put(loss + "OfVersions", finite(scores.publishedLoss()));
      figures.put("accuracy", finite(scores.accuracy()));
      byCandidate.forEach((name, each) -> {
        figures.put(name + "." + loss, finite(each.loss()));
        figures.put(name + "." + loss + "OfVersions", finite(each.publishedLoss()));
        figures.put(name + ".accuracy", finite(each.accuracy()));
      });
    }
    figures.put("exactNotPrivate", true);
    figures.put("throwawayKey", throwaway);
    Map<String, String> digests = new LinkedHashMap<>();
    for (LedgerEntry each : result.newest().values()) {
      digests.put(each.modelId(), HexFormat.of().formatHex(each.snapshotDigest()));
    }
    figures.put(
        digests.size() == 1 ? "snapshotDigest" : "snapshotDigests",
        digests.size() == 1 ? digests.values().iterator().next() : digests);
    return figures;
  }

  private static boolean isLogLoss(LearnerSettings learner) {
    String loss = learner.plan().lossName();
    return loss.equals("logistic") || loss.startsWith("softmax(");
  }

  private static Double finite(double figure) {
    return Double.isNaN(figure) ? null : (Double) figure;
  }

  private static String text(String name, Object value) {
    if (value instanceof Double figure) {
      return name.equals("epsilon")
          ? GuaranteeFigures.up(figure, 6)
          : String.format(Locale.ROOT, figure >= 1000 ? "%,.0f" : "%.6g", figure);
    }
    if (value instanceof Long count) {
      return String.format(Locale.ROOT, "%,d", count);
    }
    return value == null ? "-" : value.toString();
  }
}

package dev.sotto.app.command;

import dev.sotto.app.scoring.ScoreSettings;
import dev.sotto.app.scoring.ScoringService;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Scores a topic into another one, until it is stopped. */
@Command(
    name = "score",
    description = {
      "Score a topic of events into a topic of predictions, exactly once, with the newest published"
          + " version of a model; a new version is taken as it comes.",
      "Each event gives one record: its key, time and headers, a JSON object with the prediction,"
          + " and headers that name the version and what it promises (docs/client.md).",
      "Predictions tell of the events that they are about: they stay where the events may be."
    },
    footer = {"", "Stop it with Ctrl-C or SIGTERM; it goes on where it was, by its --id."})
public final class ScoreCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ScoreCommand.class);

  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions cluster;

  @Mixin
  private ModelOptions model;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "TOPIC",
      description = "The events, of the form from which the model learns; no label is needed.")
  private String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TOPIC",
      description = "The predictions; created with as many partitions where it is missing.")
  private String to;

  @Option(
      names = "--dead-letters",
      paramLabel = "TOPIC",
      description =
          "Events that cannot be scored go there, as they are; otherwise the reason goes to --to.")
  private String deadLetters;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "The application.id. Instances of one id share the work. Default: <app-id>-score-<to>.")
  private String id;

  @Mixin
  private EventSchemaOptions schemas;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Stream threads. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--from-latest",
      description = "At the first start: only events that come from then on. Otherwise all.")
  private boolean fromLatest;

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      defaultValue = "-1",
      description = "Of topics that are created. Default: that of the brokers.")
  private short replication;

  @Override
  public Integer call() throws InterruptedException {
    ScoringService service = new ScoringService(settings(), this::say);
    StopHook hook = new StopHook(service::close);
    try {
      service.start();
      service.awaitEnd();
    } finally {
      service.close();
      hook.close();
    }
    return ExitCode.OK.code();
  }

  private ScoreSettings settings() {
    String app = cluster.appId();
    try {
      return new ScoreSettings(
          cluster.unasked(),
          new ScoreSettings.Model(app, model.choice()),
          new ScoreSettings.Topics(from, to, Optional.ofNullable(deadLetters)),
          new ScoreSettings.Streams(
              id == null ? app + "-score-" + to : id, threads, fromLatest, replication),
          schemas.read(cluster.configFile()));
    } catch (IllegalArgumentException wrong) {
      throw new SottoException(FailureKind.USAGE, wrong.getMessage(), wrong);
    }
  }

  private void say(String line) {
    PrintWriter terminal = spec.commandLine().getErr();
    terminal.println(line);
    terminal.flush();
    LOG.info("{}", line);
  }
}

package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sotto.app.predict.EventInput;
import dev.sotto.app.predict.PredictionWriter;
import dev.sotto.client.LiveModel;
import dev.sotto.client.ModelHealth;
import dev.sotto.client.ModelUnavailableException;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Scores events of a file, of standard input or of a topic with a published model. */
@Command(
    name = "predict",
    description = {
      "Score events with a published model: a JSON line each, on standard output.",
      "The model says itself how events become features; no configuration is needed. Events need no"
          + " label. One that cannot be used gets a line with the reason."
    })
public final class PredictCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "EVENTS",
      description = "JSON lines, CSV or libsvm, also with .gz, or what sotto record has made;"
          + " - for JSON lines on standard input.")
  private Path events;

  @Mixin
  private ClusterOptions cluster;

  @Mixin
  private ModelChoice choice;

  @Mixin
  private TextOptions text;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "Score the committed events of a topic, from its beginning to its end.")
  private String topic;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description =
          "Events in Avro: a schema (.avsc) that they were written with; may be repeated.")
  private List<Path> schemas = List.of();

  @Option(names = "--with-event", description = "Put each event into its line; for events in JSON.")
  private boolean withEvent;

  @Override
  public Integer call() throws Exception {
    if ((events == null) == (topic == null)) {
      throw new SottoException(
          FailureKind.USAGE,
          "give either a file of events (- for standard input) or --topic, and not both");
    }
    try (LiveModel live = choice.open(cluster)) {
      ScoringModel model = await(live, choice.seconds());
      System.err.println("scoring with version " + model.version() + " of model " + model.modelId()
          + " (" + PredictionWriter.guarantee(model) + ")");
      Scorer scorer = scorer(model);
      try (EventInput input = input();
          JsonGenerator out = new JsonFactory()
              .createGenerator(new BufferedOutputStream(System.out, 1 << 16))
              .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
        out.setRootValueSeparator(new com.fasterxml.jackson.core.io.SerializedString("\n"));
        PredictionWriter writer = new PredictionWriter(out, scorer, withEvent);
        input.forEach(writer::write);
        out.writeRaw(writer.events() == 0 ? "" : "\n");
        out.flush();
        System.err.println(writer.summary());
      }
    }
    return ExitCode.OK.code();
  }

  static ScoringModel await(LiveModel live, long seconds) throws InterruptedException {
    try {
      return live.await(Duration.ofSeconds(seconds));
    } catch (ModelUnavailableException none) {
      throw new SottoException(
          live.health().state() == ModelHealth.State.UNREACHABLE
              ? FailureKind.UNREACHABLE
              : FailureKind.UNVERIFIED,
          "no model within " + seconds + " s: " + none.getMessage(),
          none);
    }
  }

  private Scorer scorer(ScoringModel model) {
    if (!model.readsFields() && model.manifest().features().startsWith("events own")) {
      throw new SottoException(
          FailureKind.USAGE,
          "model " + model.modelId() + " learns from events that your own decoder reads: score"
              + " their vectors in Java instead (docs/client.md)");
    }
    try {
      return schemas.isEmpty()
          ? model.scorer()
          : model.scorer(framing(model), schemas.stream().map(SchemaFile::read).toList());
    } catch (IllegalArgumentException | IllegalStateException unfit) {
      throw new SottoException(FailureKind.USAGE, "--schema: " + unfit.getMessage(), unfit);
    }
  }

  private static AvroFraming framing(ScoringModel model) {
    return model.manifest().features().contains("\nevents avro raw")
        ? AvroFraming.RAW
        : AvroFraming.SINGLE_OBJECT;
  }

  private EventInput input() throws IOException {
    if (topic != null) {
      return EventInput.topic(cluster.clients(), topic);
    }
    return events.toString().equals("-")
        ? EventInput.lines(System.in)
        : EventInput.file(events, text.recording());
  }
}

package dev.sotto.app.command;

import dev.sotto.app.view.InsideWarning;
import dev.sotto.app.view.Progress;
import dev.sotto.app.view.RecordingText;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.replay.recorder.FileRecorder;
import dev.sotto.replay.recorder.RangeBound;
import dev.sotto.replay.recorder.RecordProgress;
import dev.sotto.replay.recorder.RecordRequest;
import dev.sotto.replay.recorder.RecordResult;
import dev.sotto.replay.recorder.RecordTarget;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recorder.TopicRecorder;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.serdes.event.EventKeys;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes a topic, or a text file, to a recording. */
@Command(
    name = "record",
    description = {
      "Write the committed records of a topic to a file, for replay without a broker: keys,"
          + " values, headers, timestamps, offsets and partitions, up to the last stable offset.",
      "The same command goes on where it was interrupted.",
      "With -c and layout ordered, the order of the events is recorded too, into FILE.order.",
      "With --file it turns a text file into such a recording, with --show it prints what a"
          + " recording says of itself.",
      "A recording is raw data, as sensitive as the topic: only you can read the file;"
          + " --encryption-key-file encrypts it.",
      "What is printed is for inside the trust boundary too: a digest or a size can confirm a"
          + " guess of one record."
    })
public final class RecordCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RecordCommand.class);

  @Spec
  private CommandSpec spec;

  @Mixin
  private SourceOptions source;

  @Mixin
  private TextOptions text;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "The topic, instead of events.topic of -c.")
  private String topic;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "A text file (or a recording) to read instead of a topic.")
  private Path file;

  @Option(
      names = "--show",
      paramLabel = "FILE",
      description = "Print the header of a recording, and do nothing else.")
  private Path show;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file to write: a new one, or one to go on with.")
  private Path out;

  @Option(
      names = "--from",
      paramLabel = "WHERE",
      description = "earliest (default), latest, an offset, P:OFFSET,P:OFFSET, or a time"
          + " (2026-01-31T12:00:00Z).")
  private String from = "earliest";

  @Option(
      names = "--to",
      paramLabel = "WHERE",
      description =
          "The same, exclusive; latest by default. Never beyond what is committed at the start.")
  private String to = "latest";

  @Option(
      names = "--partitions",
      paramLabel = "P",
      split = ",",
      description = "Only these partitions of the topic, as in 0,2.")
  private Set<Integer> partitions = Set.of();

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      description = "null (fastest), deflate or zstandard (default).")
  private String codec = Compression.ZSTANDARD.toString();

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "An Avro schema of the values (.avsc) to put into the header.")
  private Path schema;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    Optional<SottoConfig> config = source.config();
    Encryption encryption = source.encryption(config);
    Map<String, Object> view;
    List<String> warnings = List.of();
    if (show != null) {
      try (Recording recording = Recordings.open(show, text.recording().with(encryption))) {
        view = RecordingText.header(recording);
      }
    } else {
      RecordResult recorded = record(config, encryption);
      warnings = recorded.warnings();
      view = RecordingText.recorded(out, recorded);
    }
    InsideWarning.print(spec, json, InsideWarning.OF_RECORDINGS);
    PrintWriter printed = spec.commandLine().getOut();
    if (json) {
      printed.println(JsonRenderer.of(view));
    } else {
      printed.print(RecordingText.text(view));
    }
    printed.flush();
    PrintWriter errors = spec.commandLine().getErr();
    warnings.forEach(each -> errors.println("sotto: " + each));
    errors.flush();
    return ExitCode.OK.code();
  }

  private RecordResult record(Optional<SottoConfig> config, Encryption encryption) {
    if (out == null) {
      throw new ParameterException(spec.commandLine(), "--out must name the file to write");
    }
    Compression compression = Compression.of(codec)
        .orElseThrow(() -> new ParameterException(
            spec.commandLine(), "--codec must be null, deflate or zstandard, but was " + codec));
    RecordTarget target = new RecordTarget(out, schema(config), compression, encryption);
    if (file != null) {
      refuseFlagsOfTopics();
      try (Progress progress = Progress.onTerminal()) {
        return FileRecorder.record(
            file, text.recording().with(encryption), target, watch(progress));
      }
    }
    RecordRequest request = new RecordRequest(topic(config), bound(from), bound(to), partitions);
    Map<String, String> clients = source.clients(config);
    boolean madeOrder = recordOrder(config, clients, compression, encryption);
    try (Progress progress = Progress.onTerminal()) {
      return new TopicRecorder(clients).record(request, target, watch(progress));
    } finally {
      if (madeOrder && !Files.exists(out)) {
        takeOrderAway(); // so that the same command can be given again
      }
    }
  }

  private void takeOrderAway() {
    try {
      Files.deleteIfExists(OrderInput.beside(out));
    } catch (IOException left) {
      LOG.debug("the order of no recording is left", left); // the next try says so
    }
  }

  /** First, so that every event that it announces is recorded behind it; whether there is one. */
  private boolean recordOrder(
      Optional<SottoConfig> config,
      Map<String, String> clients,
      Compression compression,
      Encryption encryption) {
    if (topic != null
        || Files.exists(out)
        || config.filter(each -> each.learner().layout().keepsOrder()).isEmpty()) {
      return false;
    }
    RecordRequest all = new RecordRequest(
        config.get().learner().trainingTopic(), bound("earliest"), bound("latest"), Set.of());
    try (Progress progress = Progress.onTerminal()) {
      new TopicRecorder(clients)
          .record(
              all,
              new RecordTarget(OrderInput.beside(out), "", compression, encryption),
              watch(progress));
      return true;
    } catch (SottoException failure) {
      if (failure.kind() != FailureKind.TOPIC) { // else nothing has been learned yet
        throw failure;
      }
      return false;
    }
  }

  private static RecordProgress watch(Progress progress) {
    return (done, most) -> progress.at("recording", done, most, most < 0 ? "records" : "offsets");
  }

  private void refuseFlagsOfTopics() {
    for (String each : List.of("--topic", "--from", "--to", "--partitions")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(each)) {
        throw new ParameterException(
            spec.commandLine(),
            each + " is of topics and --file is read as a whole: leave one of them out"
                + (each.equals("--partitions")
                    ? "; --partition-count deals records out to partitions"
                    : ""));
      }
    }
  }

  private String topic(Optional<SottoConfig> config) {
    if (topic == null && config.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "what to record is not named: give --topic, --file or -c");
    }
    return topic == null ? config.get().learner().eventTopic() : topic;
  }

  private RangeBound bound(String given) {
    try {
      return RangeBound.of(given);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
    }
  }

  /** The schema of the flag; otherwise the one of the configuration, where it has exactly one. */
  private String schema(Optional<SottoConfig> config) {
    if (schema != null) {
      return SchemaFile.read(schema).toString();
    }
    List<String> files =
        config.flatMap(each -> each.effective().find(EventKeys.AVRO_SCHEMAS)).orElse(List.of());
    return topic == null && files.size() == 1
        ? SchemaFile.read(Path.of(files.get(0))).toString()
        : "";
  }
}

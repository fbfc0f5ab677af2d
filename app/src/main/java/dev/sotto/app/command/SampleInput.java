package dev.sotto.app.command;

import dev.sotto.app.init.EventSource;
import dev.sotto.app.init.SampleReader;
import dev.sotto.app.init.SampledEvents;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.serdes.schema.WriterSchema;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.Schema;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The events that a configuration is made for: a picocli mixin. */
final class SampleInput {
  @Parameters(
      arity = "0..1",
      paramLabel = "SAMPLE",
      description = "JSON lines, CSV or libsvm, also with .gz, or what sotto record has made.")
  private Path sample;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      converter = TextOptions.Formats.class,
      description = "avro, json-lines, csv or libsvm, instead of what the file's name tells.")
  private RecordingFormat format;

  @Option(
      names = "--labels-as-they-are",
      description = "libsvm: take labels as they stand; otherwise they are -1 (read as 0), 0 or 1.")
  private boolean labelsAsTheyAre;

  @Option(
      names = "--cell-lines",
      paramLabel = "N",
      description = "CSV: the most line ends that a quoted cell may hold (default 5).")
  private Integer cellLines;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "A schema of the records, without any sample: .avsc of Avro (or with a sample),"
          + " .proto, or .json of JSON Schema.")
  private Path schema;

  @Option(
      names = "--topic",
      paramLabel = "TOPIC",
      description = "A topic to look at instead of a file; committed records, without a group.")
  private String topic;

  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The brokers. Default: ${DEFAULT-VALUE}.",
      defaultValue = "localhost:9092")
  private String servers;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "A properties file with Kafka client settings (security and the like).")
  private Path clientProperties;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Look at the first N records. Default: ${DEFAULT-VALUE}.")
  private long rows;

  /** What is wrong with the flags; empty where nothing is. */
  Optional<String> problem() {
    if (sample == null && topic == null && schema == null) {
      return Optional.of("what to look at is not named: give a sample file, --topic or --schema");
    }
    if (sample != null && topic != null) {
      return Optional.of("a sample file and --topic exclude each other: give one of them");
    }
    if (sample != null && schema != null && EventSource.kind(schema) != WriterSchema.Kind.AVRO) {
      return Optional.of(
          "a sample file and a schema of Protobuf or JSON exclude each other: give one of them");
    }
    return rows < 1 ? Optional.of("--rows must be at least 1, but was " + rows) : Optional.empty();
  }

  /**
   * Looks at them.
   *
   * @param isPublic whether somebody has said that the values are public or made up
   * @throws dev.sotto.topology.failure.SottoException where they cannot be read
   */
  SampledEvents look(boolean isPublic) {
    SampleReader reader = new SampleReader(isPublic, rows);
    Optional<WriterSchema> written = Optional.ofNullable(schema).map(SchemaFile::writer);
    Optional<Schema> read = written
        .filter(each -> each.kind() == WriterSchema.Kind.AVRO)
        .map(each -> ((WriterSchema.AvroSchema) each).schema());
    if (written.isPresent() && read.isEmpty()) {
      return reader.schema(written.get());
    }
    if (topic != null) {
      Map<String, String> clients = clientProperties == null
          ? new TreeMap<>()
          : ClientProperties.read(clientProperties, "--command-config");
      clients.put("bootstrap.servers", servers);
      return reader.topic(clients, topic, read);
    }
    if (sample == null) {
      return reader.schema(written.orElseThrow());
    }
    RecordingOptions options = RecordingOptions.defaults();
    options = labelsAsTheyAre ? options.withLabelsAsTheyAre() : options;
    options = cellLines == null ? options : options.withCellLines(cellLines);
    options = format == null ? options : options.withFormat(format);
    return reader.file(sample, options, read);
  }

  /** The sample file; empty where there is none. */
  Optional<Path> file() {
    return Optional.ofNullable(sample);
  }

  /** The name of what is looked at. */
  String name() {
    return topic == null ? fileName() : "topic " + topic;
  }

  /** The name of the topic, or of the file up to its first dot. */
  String shortName() {
    return topic == null ? fileName().split("\\.", 2)[0] : topic;
  }

  private String fileName() {
    return String.valueOf((sample == null ? schema : sample).getFileName());
  }

  /**
   * Where the events will come from.
   *
   * @param otherwise the topic, where none is named
   */
  EventSource source(String otherwise) {
    return new EventSource(
        name(), topic == null ? otherwise : topic, servers, Optional.ofNullable(schema));
  }
}

package dev.sotto.app.init;

import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.RecordingFormat;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.text.TextRecording;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** Looks at the first records of a file or topic, or at a schema alone. */
public final class SampleReader {
  private static final Duration LONGEST = Duration.ofSeconds(60); // of reading a topic

  private final boolean isPublic;
  private final long rows;

  /**
   * A reader.
   *
   * @param isPublic whether somebody has said that the values are public or made up
   * @param rows the most records to look at, at least 1
   */
  public SampleReader(boolean isPublic, long rows) {
    this.isPublic = isPublic;
    this.rows = rows;
  }

  /** What is done with each value. */
  private interface Visitor {
    void add(byte[] value);
  }

  /**
   * The fields of a schema.
   *
   * @throws SottoException where it is no record
   */
  public SampledEvents schema(WriterSchema schema) {
    Sample sample = new Sample(isPublic);
    if (schema instanceof WriterSchema.AvroSchema avro) {
      return SampledEvents.ofAvro(sample, avro(sample, avro.schema()));
    }
    SchemaFields.declare(sample, schema.shapes().get(0));
    if (sample.fields().isEmpty()) {
      throw new SottoException(
          FailureKind.USAGE, "the schema must state an object with fields, but states none");
    }
    return SampledEvents.ofJson(sample);
  }

  /**
   * The fields of a file.
   *
   * @param schema of the values; empty for JSON
   * @throws SottoException where it cannot be read, or has no field
   */
  public SampledEvents file(Path file, RecordingOptions options, Optional<Schema> schema) {
    try (Recording recording = Recordings.open(file, options)) {
      String format = recording.header().format();
      if (!format.equals(RecordingFormat.AVRO.toString()) && schema.isPresent()) {
        throw new SottoException(
            FailureKind.USAGE,
            "--schema must stand alone or with Avro records, but " + file + " is " + format
                + "; leave one of them out");
      }
      if (schema.isEmpty() && !recording.header().schema().isEmpty()) {
        throw new SottoException(
            FailureKind.USAGE,
            "the records of " + file + " have an Avro schema; name its file with --schema");
      }
      Sample sample = new Sample(isPublic);
      if (format.equals(RecordingFormat.LIBSVM.toString())) {
        ExampleFields examples = new ExampleFields(sample);
        read(recording, examples::add);
        return SampledEvents.ofExamples(sample, examples, options.text().signedLabels());
      }
      if (schema.isPresent()) {
        AvroFields avro = avro(sample, schema.get());
        read(recording, avro::add);
        return checked(SampledEvents.ofAvro(sample, avro), file.toString());
      }
      if (recording instanceof TextRecording text) {
        text.columns().forEach(each -> sample.field(List.of(each)).name());
      }
      boolean ordered = !sample.fields().isEmpty();
      read(recording, new JsonFields(sample)::add);
      if (!ordered) {
        sample.sort();
      }
      recording.remark().ifPresent(sample::remark);
      return checked(SampledEvents.ofJson(sample), file.toString());
    }
  }

  /** As many of each partition. */
  private void read(Recording recording, Visitor visitor) {
    List<RecordedRange> ranges = recording.header().ranges();
    long most = (rows + ranges.size() - 1) / Math.max(1, ranges.size());
    for (RecordedRange range : ranges) {
      try (RecordCursor cursor = recording.open(range.partition())) {
        for (long i = 0; i < most && cursor.next(); i++) {
          visitor.add(cursor.value());
        }
      }
    }
  }

  /**
   * The fields of a topic's committed records, from its beginning on and for a minute at most.
   *
   * @param clients Kafka client settings
   * @param schema of the values; empty for JSON
   * @throws SottoException where it cannot be read, or has no field
   */
  public SampledEvents topic(Map<String, String> clients, String topic, Optional<Schema> schema) {
    Sample sample = new Sample(isPublic);
    AvroFields avro = schema.map(each -> avro(sample, each)).orElse(null);
    Visitor visitor = avro == null ? new JsonFields(sample)::add : avro::add;
    long end = System.nanoTime() + LONGEST.toNanos();
    try (CommittedTopic records = open(clients, topic)) {
      records.readUntil(record -> {
        visitor.add(record.value());
        return sample.records() >= rows || System.nanoTime() - end > 0;
      });
    }
    if (sample.records() == 0 && schema.isEmpty()) {
      throw new SottoException(
          FailureKind.TOPIC,
          "topic " + topic + " must hold a committed record to look at, but has none; name a sample"
              + " file, or a schema");
    }
    if (avro == null) {
      sample.sort();
    }
    String name = "topic " + topic;
    return sample.records() == 0
        ? SampledEvents.ofAvro(sample, avro)
        : checked(
            avro == null ? SampledEvents.ofJson(sample) : SampledEvents.ofAvro(sample, avro), name);
  }

  private static CommittedTopic open(Map<String, String> clients, String topic) {
    try {
      return new CommittedTopic(clients, topic);
    } catch (SottoException failed) {
      throw failed.kind() == FailureKind.TOPIC
          ? new SottoException(
              FailureKind.TOPIC,
              "topic " + topic + " does not exist on " + clients.get("bootstrap.servers")
                  + "; check its name",
              failed)
          : failed;
    }
  }

  private static AvroFields avro(Sample sample, Schema schema) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new SottoException(
          FailureKind.USAGE,
          "the schema must be a record, but is " + schema.getType().getName());
    }
    return new AvroFields(sample, schema);
  }

  /** Refuses a sample of which nothing could be read. */
  private static SampledEvents checked(SampledEvents events, String name) {
    events.sample().settle();
    if (events.records() > 0 && events.records() == events.unreadableRecords()) {
      throw new RecordingException(name + ": none of its records could be read. The first, "
          + events.firstFault() + ". Correct it, or say which format it has (--format, --schema)");
    }
    if (events.sample().fields().isEmpty()) {
      throw new RecordingException(
          name + " must have records with fields, but all are empty; check the path");
    }
    return events;
  }
}

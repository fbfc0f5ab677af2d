package dev.sotto.app.scoring;

import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.processor.DeadLetters;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One event in, one prediction out: with the event's key, time and headers, and those of ours. */
final class ScoreProcessor implements Processor<byte[], byte[], byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(ScoreProcessor.class);

  /** Bytes of a prediction that producers and brokers take by default, with some to spare. */
  private static final long LARGEST = 1_000_000;

  private static final int HEADER = 16; // bytes that one takes beside its name and value

  private final Supplier<ScoringModel> current;
  private final EventSchemas schemas;
  private final boolean deadLetters;
  private ProcessorContext<byte[], byte[]> context;
  private DeadLetters aside;
  private ScoringModel seen;
  private Scorer scorer;
  private VersionHeaders headers;

  /**
   * A processor of one task.
   *
   * @param current the model in place
   * @param deadLetters whether there is a topic for events that cannot be scored
   */
  ScoreProcessor(Supplier<ScoringModel> current, EventSchemas schemas, boolean deadLetters) {
    this.current = current;
    this.schemas = schemas;
    this.deadLetters = deadLetters;
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> taskContext) {
    context = taskContext;
    aside = deadLetters ? new DeadLetters(taskContext, ScoreTopology.TO_DEAD_LETTERS) : null;
  }

  @Override
  public void process(Record<byte[], byte[]> event) {
    follow();
    RecordMetadata at = context
        .recordMetadata()
        .orElseThrow(() -> new IllegalStateException("an event must have a place, but has none"));
    byte[] value = scorer.framed(event.value(), event.headers());
    RecordStatus status = scorer.score(value);
    Optional<String> fault =
        status == RecordStatus.USED ? Optional.empty() : scorer.fault(value, status);
    byte[] prediction = text(status, fault);
    byte[] key = event.key();
    Headers all = new RecordHeaders(event.headers());
    if (bytes(key, all) + prediction.length > LARGEST) { // it would be refused, at each start
      status = RecordStatus.TOO_LARGE;
      fault = Optional.empty();
      prediction = text(status, fault);
      key = null;
      all = new RecordHeaders();
    }
    if (status != RecordStatus.USED && aside != null) {
      aside.send(
          at.topic(),
          at.partition(),
          at.offset(),
          event.timestamp(),
          event.key(),
          value,
          new RecordFault(status, fault));
      return;
    }
    headers.addTo(all, at);
    context.forward(
        new Record<>(key, prediction, event.timestamp(), all), ScoreTopology.TO_PREDICTIONS);
  }

  private byte[] text(RecordStatus status, Optional<String> fault) {
    String text = status == RecordStatus.USED
        ? PredictionText.json(scorer)
        : PredictionText.json(status, fault);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** What a prediction takes over from its event. */
  private static long bytes(byte[] key, Headers headers) {
    long bytes = key == null ? 0 : key.length;
    for (Header each : headers) {
      byte[] value = each.value();
      bytes += HEADER + Utils.utf8Length(each.key()) + (value == null ? 0 : value.length);
    }
    return bytes;
  }

  /** Takes the model in place, if it is another one and can read these events. */
  private void follow() {
    ScoringModel now = current.get();
    if (now == seen) {
      return;
    }
    seen = now;
    try {
      scorer = schemas.scorer(now);
      headers = new VersionHeaders(now.manifest());
    } catch (IllegalArgumentException | IllegalStateException unfit) {
      if (scorer == null) {
        throw unfit;
      }
      LOG.warn(
          "version {} of model {} cannot score these events, version {} goes on: {}",
          now.version(),
          now.modelId(),
          scorer.model().version(),
          unfit.getMessage());
    }
  }
}

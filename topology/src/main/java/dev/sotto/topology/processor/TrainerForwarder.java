package dev.sotto.topology.processor;

import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.trainer.TrainerOutput;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Forwards what a trainer publishes to its topics. */
final class TrainerForwarder implements TrainerOutput {
  private final ProcessorContext<byte[], byte[]> context;
  private final LearnerSettings settings;
  private final SourceTopics source;
  private final LearnerStatus status;
  private final LongSupplier timestamp;
  private final Runnable behind;
  private final DeadLetters deadLetters;
  private boolean snapshotWritten;

  /**
   * For the life of one task.
   *
   * @param timestamp of the record that is processed
   * @param behind looks whether something is left to be read later
   */
  TrainerForwarder(
      ProcessorContext<byte[], byte[]> context,
      LearnerSettings settings,
      SourceTopics source,
      LearnerStatus status,
      LongSupplier timestamp,
      Runnable behind) {
    this.context = context;
    this.settings = settings;
    this.source = source;
    this.status = status;
    this.timestamp = timestamp;
    this.behind = behind;
    this.deadLetters = new DeadLetters(context, Names.TO_DEAD_LETTERS);
  }

  @Override
  public void ledger(String modelId, byte[] entry) {
    String ranges = settings.layout().spansPartitions() ? source.eventTopicId() : source.topicId();
    Headers headers = new RecordHeaders()
        .add(Names.EVENT_TOPIC_ID, utf8(source.eventTopicId()))
        .add(Names.RANGES_TOPIC_ID, utf8(ranges));
    forward(Names.TO_LEDGER, modelId, entry, headers);
  }

  @Override
  public void snapshot(String modelId, String key, byte[] value) {
    forward(Names.TO_SNAPSHOTS, key, value, new RecordHeaders());
    snapshotWritten = true;
  }

  @Override
  public void versionClosed(String modelId, long firstRound, long round) {
    int partition = context.taskId().partition();
    status.versionClosed(partition, modelId, firstRound, round);
    if (snapshotWritten) {
      status.snapshotPublished(partition, modelId, round);
    }
    snapshotWritten = false;
  }

  @Override
  public void metrics(String modelId, byte[] value) {
    forward(Names.TO_METRICS, modelId, value, new RecordHeaders());
  }

  private void forward(String sink, String key, byte[] value, Headers headers) {
    context.forward(new Record<>(utf8(key), value, timestamp.getAsLong(), headers), sink);
  }

  @Override
  public void commitSoon() {
    context.commit();
    behind.run();
  }

  @Override
  public void deadLetter(
      int partition, long offset, long appended, byte[] key, byte[] value, RecordFault fault) {
    long time = appended > SourceRecord.NO_TIME ? appended : timestamp.getAsLong();
    deadLetters.send(settings.eventTopic(), partition, offset, time, key, value, fault);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

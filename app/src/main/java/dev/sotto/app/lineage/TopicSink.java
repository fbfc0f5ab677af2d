package dev.sotto.app.lineage;

import dev.sotto.topology.admin.FencedTransaction;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * A topic of the same cluster, keyed by job. It is its own memory: each transaction reads what was
 * committed before, and adds what is not there yet, also where several processes write. Events of
 * others may be in it.
 */
final class TopicSink implements LineageSink {
  private final String topic;
  private final CommittedTopic there;
  private final FencedTransaction transaction;
  private final LineagePlaces places;

  /**
   * Reads the topic to its end.
   *
   * @param transactionalId one for each ledger
   * @throws SottoException where it is missing or may not be read
   */
  TopicSink(Map<String, String> clients, String topic, String ledger, String transactionalId) {
    this.topic = topic;
    this.places = new LineagePlaces(ledger);
    this.transaction = new FencedTransaction(clients, transactionalId, "lineage to topic " + topic);
    this.there = new CommittedTopic(clients, topic);
    try {
      there.readToEnd(this::note);
    } catch (RuntimeException failed) {
      there.close();
      throw failed;
    }
  }

  private void note(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() != null) {
      places.add(record.value());
    }
  }

  @Override
  public Map<Integer, LedgerPlace> places() {
    return places.all();
  }

  @Override
  public void write(List<EntryEvents> entries) {
    try {
      transaction.run(() -> {
        there.readToEnd(this::note);
        return entries.stream()
            .filter(this::isNew)
            .flatMap(entry -> entry.json().stream().map(each -> record(entry.job(), each)))
            .toList();
      });
    } catch (ProducerFencedException raced) {
      throw new SottoException(
          FailureKind.IN_USE, "another process writes lineage to topic " + topic, raced);
    }
    entries.forEach(each -> places.add(each.place()));
  }

  private boolean isNew(EntryEvents entry) {
    LedgerPlace known = places.all().get(entry.place().partition());
    return known == null || known.sequence() < entry.place().sequence();
  }

  private ProducerRecord<byte[], byte[]> record(String job, String event) {
    return new ProducerRecord<>(
        topic,
        ("run:" + job).getBytes(StandardCharsets.UTF_8),
        event.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    there.close();
  }
}

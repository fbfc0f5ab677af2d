package dev.sotto.replay.verify;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Names;
import java.util.Map;

/**
 * What a learner has published, from the topics of its cluster.
 *
 * @param clients Kafka client settings
 * @param app the learner's app.id
 */
public record PublishedTopics(Map<String, String> clients, String app) implements PublishedOutputs {
  @Override
  public void ledger(Visitor visitor) {
    read(Names.ledger(app), visitor);
  }

  @Override
  public void snapshots(Visitor visitor) {
    read(Names.snapshots(app), visitor);
  }

  @Override
  public void metrics(Visitor visitor) {
    try {
      read(Names.metrics(app), visitor);
    } catch (SottoException failure) {
      if (failure.kind() != FailureKind.TOPIC) { // a learner without metrics has no such topic
        throw failure;
      }
    }
  }

  private void read(String topic, Visitor visitor) {
    try (CommittedTopic committed = new CommittedTopic(clients, topic)) {
      committed.readToEnd(record ->
          visitor.take(record.partition(), record.offset(), record.key(), record.value()));
    }
  }
}

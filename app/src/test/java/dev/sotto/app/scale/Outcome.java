package dev.sotto.app.scale;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a finished run has left in its topics.
 *
 * @param settings as the instances read them
 * @param written how many events were committed
 */
record Outcome(Map<String, String> clients, LearnerSettings settings, long written) {
  public static Outcome of(Path config, String servers, long written) {
    SottoConfig read = SottoConfig.load(ConfigSource.of(config));
    return new Outcome(Map.of("bootstrap.servers", servers), read.learner(), written);
  }

  /** The committed records of a topic. */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    return Published.read(clients, topic);
  }

  String topicId(String topic) {
    try (Admin admin = Admin.create(Map.copyOf(clients))) {
      return admin
          .describeTopics(List.of(topic))
          .allTopicNames()
          .get()
          .get(topic)
          .topicId()
          .toString();
    } catch (ExecutionException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }
}

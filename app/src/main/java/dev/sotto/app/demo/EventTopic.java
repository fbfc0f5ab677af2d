package dev.sotto.app.demo;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** The topic that the demo plays its stream into. */
final class EventTopic {
  private EventTopic() {}

  static void create(Map<String, String> clients, String topic) {
    try (Admin admin = Admin.create(Map.copyOf(clients))) {
      admin
          .createTopics(List.of(new NewTopic(topic, 1, (short) 1)
              .configs(Map.of("message.timestamp.type", "LogAppendTime"))))
          .all()
          .get(30, TimeUnit.SECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new StartFailure(
          ExitCode.UNEXPECTED, "interrupted while creating topic " + topic, stop);
    } catch (ExecutionException | TimeoutException failed) {
      throw new StartFailure(
          ExitCode.UNEXPECTED, "could not create topic " + topic + ": " + failed, failed);
    }
  }
}

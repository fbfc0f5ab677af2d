package dev.sotto.topology.live;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sotto.testbroker.Cluster;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** On Kafka's own image, of the version that the clients have. */
class ContainerLearningIT extends LearningContract {
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "no Docker engine answers here; the same tests run on the embedded broker");
    KafkaContainer container = new KafkaContainer("apache/kafka:" + AppInfoParser.getVersion());
    container.start();
    cluster = new Cluster(container.getBootstrapServers(), container::stop);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  Cluster cluster() {
    return cluster;
  }
}

package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.evaluation.volume.ExpectedLoad;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.runtime.Deployment;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

/** What preflight prints is outside the trust boundary: no size of records, no committed offset. */
class PreflightSecretsTest {
  private static final TopicPartition WHERE = new TopicPartition("events", 0);

  private final TreeSet<String> asked = new TreeSet<>();

  /** Brokers that know topic "events" with 1000 records of an hour, and note what they are asked. */
  private Admin brokers() {
    return (Admin) Proxy.newProxyInstance(
        Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (self, method, arguments) -> {
          asked.add(method.getName());
          return switch (method.getName()) {
            case "describeTopics" -> topics((Collection<?>) arguments[0]);
            case "listOffsets" -> offsets((Map<?, ?>) arguments[0]);
            default -> throw new AssertionError("brokers were asked to " + method.getName());
          };
        });
  }

  private static DescribeTopicsResult topics(Collection<?> names) {
    Node node = new Node(0, "localhost", 9092);
    Map<String, KafkaFuture<TopicDescription>> all = new HashMap<>();
    for (Object each : names) {
      KafkaFutureImpl<TopicDescription> future = new KafkaFutureImpl<>();
      if (each.equals("events")) {
        TopicPartitionInfo only = new TopicPartitionInfo(0, node, List.of(node), List.of(node));
        future.complete(new TopicDescription("events", false, List.of(only)));
      } else {
        future.completeExceptionally(new UnknownTopicOrPartitionException());
      }
      all.put(each.toString(), future);
    }
    return new DescribeTopicsResult(null, all) {};
  }

  private static ListOffsetsResult offsets(Map<?, ?> wanted) {
    Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> all = new HashMap<>();
    wanted.forEach((where, which) -> {
      boolean first = which instanceof OffsetSpec.TimestampSpec;
      long time = first ? 0 : Duration.ofHours(1).toMillis();
      all.put(
          (TopicPartition) where,
          KafkaFuture.completedFuture(
              new ListOffsetsResultInfo(first ? 0 : 1000, time, Optional.empty())));
    });
    return new ListOffsetsResult(all);
  }

  private String volumes(OptionalLong recordBytes) {
    SottoConfig config = SottoConfig.load(
        ConfigSource.of("test.yaml", """
            app.id: secrets
            bootstrap.servers: localhost:9092
            events.topic: events
            events.format: example
            features.dimension: 10
            loss: logistic
            privacy.epsilon: 2
            privacy.delta: 1e-6
            privacy.horizon.rounds: endless
            noise.key.env: KEY
            """).withEnvironment(Map.of("KEY", "01".repeat(32))));
    PreflightFindings findings = new PreflightFindings();
    PreflightContext preflight = new PreflightContext(
        config,
        Deployment.of(config.learner(), config.service()),
        new ClusterInspector(brokers(), "localhost:9092"),
        findings,
        Duration.ofDays(1));
    VolumeCheck.run(
        preflight,
        new ExpectedLoad(
            OptionalDouble.empty(),
            recordBytes,
            OptionalInt.empty(),
            OptionalLong.empty(),
            OptionalLong.empty()));
    return TextRenderer.of(findings.describe());
  }

  /** The size of a record is one that somebody states, or a default, and never that of the log. */
  @Test
  void asksBrokersForNoSize() {
    assertThat(volumes(OptionalLong.empty()))
        .contains("0.278 events a second of perhaps " + ExpectedLoad.RECORD_BYTES + " bytes");
    assertThat(asked).containsExactly("describeTopics", "listOffsets");
    assertThat(volumes(OptionalLong.of(812))).contains(" of 812 bytes (--record-bytes)");
  }

  private static String held(long committed, long first) {
    PreflightFindings findings = new PreflightFindings();
    HistoryChecks.held(findings, Map.of(WHERE, committed), Map.of(WHERE, first));
    return TextRenderer.of(findings.describe());
  }

  /** Whether records are missing is told, and not from which one on the group would read. */
  @Test
  void tellsNoCommittedOffset() {
    assertThat(held(4711, 9000))
        .contains("FAULT", "begin at offset 9000", "after the record")
        .isEqualTo(held(8999, 9000));
    assertThat(held(9000, 9000)).contains("all are still held").isEqualTo(held(9001, 9000));
  }
}

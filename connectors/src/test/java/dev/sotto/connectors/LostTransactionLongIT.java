package dev.sotto.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.testbroker.Clients;
import dev.sotto.testbroker.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What an exactly-once worker meets that has lost its transaction: docs/connect.md. */
@Tag("long")
@Timeout(600)
class LostTransactionLongIT {
  private static final int LINES = 20_000;
  private static EmbeddedBroker broker;
  private static Admin admin;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS) // the worker's log is in it
  private Path folder;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(BrokerSettings.temporary()
        .withProperties(
            Map.of("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500")));
    admin = Admin.create(Clients.settings(broker.bootstrapServers(), Map.of()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  @Test
  void aCommitAfterTheTimeOutIsRefusedAndPublishesNothing() throws Exception {
    createTopic("late");
    try (var producer = producer(Map.of("transaction.timeout.ms", "500"), "late")) {
      begin(producer, "late");
      await(() -> state("late") == TransactionState.COMPLETE_ABORT);
      assertThatThrownBy(producer::commitTransaction).isInstanceOf(InvalidTxnStateException.class);
      assertThatThrownBy(producer::beginTransaction)
          .as("only a new producer goes on")
          .isInstanceOf(KafkaException.class);
    }
    assertThat(committed("late")).isEmpty();
  }

  @Test
  void aCommitAfterANewerProducerHasTakenOverHasAnotherName() throws Exception {
    createTopic("fenced");
    try (var older = producer(Map.of(), "fenced");
        var newer = producer(Map.of(), "fenced")) {
      begin(older, "fenced");
      newer.initTransactions();
      assertThatThrownBy(older::commitTransaction).isInstanceOf(ProducerFencedException.class);
    }
    assertThat(committed("fenced")).isEmpty();
  }

  @Test
  void aTaskThatIsStartedAgainPlaysEachLineOnce() throws Exception {
    createTopic("frozen");
    List<String> lines = IntStream.range(0, LINES).mapToObj(i -> "line " + i).toList();
    Path file = Files.write(folder.resolve("stream.txt"), lines);
    try (WorkerProcess worker = new WorkerProcess(
        folder, broker.bootstrapServers(), Map.of("session.timeout.ms", "60000"))) {
      worker.put("recorded", new ObjectMapper().writeValueAsString(settings(file)));
      await(() -> committed("frozen").size() >= 2000);
      freezeUntilAnOpenTransactionIsAborted(worker);
      await(() -> worker.status("recorded").contains("FAILED"));
      assertThat(worker.status("recorded"))
          .containsAnyOf("InvalidTxnStateException", "InvalidProducerEpochException");
      await(() -> {
        worker.restartFailed("recorded");
        return committed("frozen").size() >= LINES;
      });
      assertThat(committed("frozen")).isEqualTo(lines);
      worker.kill(); // before the folder goes
    }
  }

  /** The worker stops anywhere, which is not always between a first record and its commit. */
  private static void freezeUntilAnOpenTransactionIsAborted(WorkerProcess worker) throws Exception {
    String id = "sotto-connect-recorded-0";
    boolean open = false;
    for (int attempt = 0; attempt < 20 && !open; attempt++) {
      worker.freeze();
      Thread.sleep(1000); // requests on their way arrive
      open = state(id) == TransactionState.ONGOING;
      await(() -> state(id) != TransactionState.ONGOING);
      worker.thaw();
    }
    assertThat(open).as("stopped in a transaction").isTrue();
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, String> settings, String id) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("transactional.id", id);
    return new KafkaProducer<>(
        Clients.settings(broker.bootstrapServers(), all),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static void begin(KafkaProducer<byte[], byte[]> producer, String topic) throws Exception {
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic, new byte[] {1})).get();
  }

  private static TransactionState state(String id) throws Exception {
    return admin.listTransactions().all().get().stream()
        .filter(each -> each.transactionalId().equals(id))
        .map(TransactionListing::state)
        .findFirst()
        .orElseThrow();
  }

  /** Transactions of a second, so that one is open most of the time. */
  private static Map<String, String> settings(Path file) {
    return Map.of(
        "connector.class", "dev.sotto.connectors.stream.RecordedStreamSource",
        "files", file.toString(),
        "topic", "frozen",
        "lines.per.second", "2000",
        "batch.lines", "50",
        "exactly.once.support", "required",
        "transaction.boundary", "interval",
        "transaction.boundary.interval.ms", "1000",
        "producer.override.transaction.timeout.ms", "5000");
  }

  private static void createTopic(String topic) throws Exception {
    Topics.create(admin, new NewTopic(topic, 1, (short) 1));
  }

  /** Patient, for machines with much else to do. */
  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(500))
        .until(condition);
  }

  private static List<String> committed(String topic) {
    try (var consumer = new KafkaConsumer<>(
        Clients.settings(broker.bootstrapServers(), Map.of("isolation.level", "read_committed")),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      var partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      List<String> all = new ArrayList<>();
      while (consumer.position(partition) < end) {
        consumer
            .poll(Duration.ofMillis(200))
            .forEach(each -> all.add(new String(each.value(), UTF_8)));
      }
      return all;
    }
  }
}

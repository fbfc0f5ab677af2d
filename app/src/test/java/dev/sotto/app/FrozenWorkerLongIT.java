package dev.sotto.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.broker.BrokerSettings;
import dev.sotto.app.broker.Clients;
import dev.sotto.app.broker.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** An exactly-once worker that stands still until its transaction has timed out. */
@Tag("long")
@Timeout(600)
class FrozenWorkerLongIT {
  private static final int LINES = 20_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS) // the worker's log is in it
  private Path folder;

  @Test
  void losesItsTransactionAndPlaysEachLineOnceAfterARestartOfTheTask() throws Exception {
    List<String> lines = IntStream.range(0, LINES).mapToObj(i -> "line " + i).toList();
    Path file = Files.write(folder.resolve("stream.txt"), lines);
    try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.temporary()
            .withProperties(Map.of(
                "group.min.session.timeout.ms", "1000",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500")));
        Admin admin = Admin.create(Clients.settings(broker, Map.of()));
        WorkerProcess worker = new WorkerProcess(
            folder, broker.bootstrapServers(), Map.of("session.timeout.ms", "60000"))) {
      admin.createTopics(List.of(new NewTopic("frozen", 1, (short) 1))).all().get();
      worker.put("recorded", new ObjectMapper().writeValueAsString(settings(file)));
      await(() -> committed(broker).size() >= 2000);
      String id = "sotto-connect-recorded-0";
      int attempt = 0;
      do { // the worker stops anywhere: not always between the first record and the commit
        worker.freeze();
        Thread.sleep(1000); // requests on their way arrive
        boolean open = state(admin, id) == TransactionState.ONGOING;
        await(() -> state(admin, id) != TransactionState.ONGOING);
        worker.thaw();
        if (open) {
          break;
        }
      } while (++attempt < 20);
      await(() -> worker.status("recorded").contains("FAILED"));
      assertThat(worker.status("recorded"))
          .containsAnyOf("InvalidTxnStateException", "InvalidProducerEpochException");
      await(() -> {
        worker.restartFailed("recorded");
        return committed(broker).size() >= LINES;
      });
      assertThat(committed(broker)).isEqualTo(lines);
      worker.kill(); // before the folder goes
    }
  }

  private static TransactionState state(Admin admin, String id) throws Exception {
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

  /** Patient, for machines with much else to do. */
  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(500))
        .until(condition);
  }

  private static List<String> committed(EmbeddedBroker broker) {
    try (var consumer = new KafkaConsumer<>(
        Clients.settings(broker, Map.of("isolation.level", "read_committed")),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer())) {
      var partition = new TopicPartition("frozen", 0);
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

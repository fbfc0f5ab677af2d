package dev.sotto.app.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An endpoint gets each event in its order, and what it did not take again. */
class HttpSinkTest {
  private static final String LEDGER = MadeLedger.NAMES.ledger();

  @TempDir
  Path folder;

  private final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  private final List<String> tokens = Collections.synchronizedList(new ArrayList<>());
  private final Queue<Integer> answers = new ArrayDeque<>(); // 201 where there are none
  private HttpServer server;
  private URI endpoint;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/api/v1/lineage", exchange -> {
      byte[] event = exchange.getRequestBody().readAllBytes();
      int answer = answers.isEmpty() ? 201 : answers.remove();
      if (answer == 201) {
        taken.add(new String(event, StandardCharsets.UTF_8));
        tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
      }
      exchange.sendResponseHeaders(answer, -1);
      exchange.close();
    });
    server.start();
    endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v1/lineage");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Path position() {
    return folder.resolve("position");
  }

  private void handOn(List<ConsumerRecord<byte[], byte[]>> records) {
    try (HttpSink sink = new HttpSink(endpoint, Optional.of("secret"), position(), LEDGER)) {
      MadeLedger.handOn(sink, records);
    }
  }

  private static List<String> events(MadeLedger ledger) {
    LineageEvents events = new LineageEvents(MadeLedger.NAMES);
    return ledger.records().stream()
        .flatMap(each -> events.of(each).json().stream())
        .toList();
  }

  private void refused(FailureKind kind, String words) {
    assertThatThrownBy(() -> handOn(MadeLedger.of(1, 1).records()))
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(kind))
        .hasMessageContaining(words);
  }

  @Test
  void sendsEachEventOnceAcrossStartsAndFaults() {
    MadeLedger ledger = MadeLedger.of(4, 1);
    answers.addAll(List.of(503, 201, 429, 500, 201, 201));
    handOn(ledger.records().subList(0, 2));
    handOn(ledger.records());
    handOn(ledger.records());
    // A part of an entry may come again: START was taken, what follows it was not.
    assertThat(new ArrayList<>(new LinkedHashSet<>(taken))).isEqualTo(events(ledger));
    assertThat(taken).hasSize(events(ledger).size() + 1);
    assertThat(tokens).containsOnly("Bearer secret");
  }

  /** Killed after an entry was taken and before that was kept. */
  @Test
  void sendsEqualBytesWhereItCannotKnow() throws IOException {
    MadeLedger ledger = MadeLedger.of(3, 1);
    handOn(ledger.records().subList(0, 1));
    byte[] before = Files.readAllBytes(position());
    handOn(ledger.records().subList(0, 2));
    Files.write(position(), before);
    handOn(ledger.records());
    List<String> all = events(ledger);
    assertThat(taken)
        .isEqualTo(Stream.of(all.subList(0, 3), all.subList(2, 4))
            .flatMap(List::stream)
            .toList());
  }

  @Test
  void saysWhatTheEndpointDoesNotTake() throws IOException {
    answers.add(401);
    refused(FailureKind.FORBIDDEN, "answered 401: check --token-file");
    answers.add(404);
    refused(FailureKind.USAGE, "answered 404 to an event: --to must name where");
    answers.add(302);
    refused(FailureKind.USAGE, "answered 302");
    answers.addAll(Collections.nCopies(5, 503));
    refused(FailureKind.UNREACHABLE, "answered 503");
    assertThat(answers).isEmpty();
    assertThat(position()).doesNotExist();
    server.stop(0);
    refused(FailureKind.UNREACHABLE, "takes no events");
  }

  @Test
  void refusesAPositionOfSomethingElse() throws IOException {
    handOn(MadeLedger.of(1, 1).records());
    Path kept = position();
    assertThatThrownBy(
            () -> new HttpSink(URI.create("http://other/x"), Optional.empty(), kept, LEDGER))
        .hasMessageContaining("a file of its own for each ledger and endpoint");
    assertThatThrownBy(() -> new HttpSink(endpoint, Optional.empty(), kept, "other.ledger"))
        .hasMessageContaining("not of other.ledger to " + endpoint);
    for (String wrong : List.of("{", "[1]", "hello")) {
      Files.writeString(kept, wrong);
      refused(FailureKind.USAGE, "--position must name a file");
    }
  }

  /** With --follow an endpoint that takes nothing is waited for, longer each time to a minute. */
  @Test
  void waitsForEverWhereItFollows() throws IOException {
    MadeLedger ledger = MadeLedger.of(2, 1);
    answers.addAll(Collections.nCopies(20, 503));
    List<Long> pauses = new ArrayList<>();
    try (HttpSink sink = new HttpSink(endpoint, Optional.empty(), position(), LEDGER)) {
      MadeLedger.handOn(sink, ledger.records(), true, (failed, millis) -> pauses.add(millis));
    }
    assertThat(taken).isEqualTo(events(ledger));
    assertThat(pauses).hasSize(20).startsWith(1_000L, 2_000L).endsWith(60_000L).isSorted();
  }
}

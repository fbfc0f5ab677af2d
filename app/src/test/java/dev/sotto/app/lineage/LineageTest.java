package dev.sotto.app.lineage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import io.openlineage.client.OpenLineage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events of a ledger: what is in them, and that a file has each once, wherever it is stopped. */
class LineageTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String PUBLISHED = """
      eventType eventTime producer schemaURL run runId job namespace name inputs outputs
      processing_engine version jobType processingType integration sotto_offsets partitions
      partition from to datasetVersion sotto_model model firstRound slots algorithm digest
      fingerprint sotto_privacy unit adjacency mechanism mu epsilon delta muLimit epsilonLimit
      budgetEpsilon epsilonLeft last sotto_ledger topic sequence hash""";

  @TempDir
  Path folder;

  private static List<JsonNode> events(MadeLedger ledger) throws IOException {
    LineageEvents events = new LineageEvents(MadeLedger.NAMES);
    List<JsonNode> all = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> each : ledger.records()) {
      for (String event : events.of(each).json()) {
        all.add(JSON.readTree(event));
      }
    }
    return all;
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(each -> each.get("eventType").asText()).toList();
  }

  private void handOn(Path file, List<ConsumerRecord<byte[], byte[]>> records) {
    try (FileSink sink = new FileSink(file, MadeLedger.NAMES.ledger())) {
      MadeLedger.handOn(sink, records);
    }
  }

  private static void refuses(Runnable what, FailureKind kind, String... words) {
    assertThatThrownBy(what::run)
        .isInstanceOfSatisfying(
            SottoException.class, each -> assertThat(each.kind()).isEqualTo(kind))
        .hasMessageContainingAll(words);
  }

  @Test
  void startsOnceRunsWithEachVersionAndCompletesWithTheBudget() throws IOException {
    List<JsonNode> events = events(MadeLedger.of(3, 7));
    assertThat(types(events)).containsExactly("START", "RUNNING", "RUNNING", "COMPLETE");
    UUID run = UUID.fromString(events.get(0).at("/run/runId").asText());
    assertThat(run).isEqualTo(UUID.fromString("07070707-0707-8707-8707-070707070707"));
    assertThat(events).extracting(each -> each.at("/run/runId").asText()).containsOnly("" + run);
    JsonNode second = events.get(2);
    assertThat(second.get("eventTime").asText()).isEqualTo("2001-09-09T01:46:41Z");
    assertThat(second.at("/job/name").asText()).isEqualTo("clicks.model");
    assertThat(second.at("/inputs/0/namespace").asText()).isEqualTo("kafka://broker:9092");
    assertThat(second.at("/inputs/0/name").asText()).isEqualTo("clicks-events");
    assertThat(second.at("/inputs/0/inputFacets/sotto_offsets/partitions").toString())
        .isEqualTo("[{\"partition\":0,\"from\":200,\"to\":290}]");
    assertThat(second.at("/outputs/0/name").asText()).isEqualTo("clicks.snapshots");
    assertThat(second.at("/outputs/0/facets/version/datasetVersion").asText()).isEqualTo("model@2");
    JsonNode privacy = second.at("/run/facets/sotto_privacy");
    assertThat(privacy.get("epsilon").asDouble()).isEqualTo(0.5);
    assertThat(privacy.get("unit").asText()).isEqualTo("key");
    assertThat(privacy.get("epsilonLimit").isNull()).as("infinite").isTrue();
    assertThat(second.at("/run/facets/sotto_ledger/sequence").asInt()).isEqualTo(2);
  }

  /** OpenLineage's own classes take every event, and give what we put in. */
  @Test
  void isReadByClassesThatOthersWrote() throws IOException {
    ObjectMapper theirs = new ObjectMapper().registerModule(new JavaTimeModule());
    List<String> types = new ArrayList<>();
    for (JsonNode each : events(MadeLedger.of(3, 7))) {
      OpenLineage.RunEvent event = theirs.treeToValue(each, OpenLineage.RunEvent.class);
      types.add(event.getEventType().name());
      assertThat(event.getRun().getRunId()).isEqualTo(LineageEvents.runId(sevens()));
      assertThat(event.getEventTime().toInstant())
          .isBetween(Instant.parse("2001-09-09T01:46:40Z"), Instant.parse("2001-09-09T01:46:42Z"));
      assertThat(event.getJob().getFacets().getJobType().getProcessingType())
          .isEqualTo("STREAMING");
      assertThat(event.getInputs().get(0).getName()).isEqualTo("clicks-events");
      assertThat(event.getRun().getFacets().getAdditionalProperties())
          .containsKey(LineagePlaces.FACET);
    }
    assertThat(types).containsExactly("START", "RUNNING", "RUNNING", "COMPLETE");
  }

  private static byte[] sevens() {
    byte[] id = new byte[16];
    Arrays.fill(id, (byte) 7);
    return id;
  }

  /** Whatever is added to events has to be added here: it must be published already. */
  @Test
  void holdsWhatTheLedgerPublishesAndNothingElse() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode each : events(MadeLedger.of(2, 1))) {
      collect(each, names);
    }
    names.removeAll(Set.of("_producer", "_schemaURL", "facets", "inputFacets", "outputFacets"));
    assertThat(names).containsExactlyInAnyOrder(PUBLISHED.split("\\s+"));
  }

  private static void collect(JsonNode node, Set<String> names) {
    node.fieldNames().forEachRemaining(names::add);
    node.forEach(each -> collect(each, names));
  }

  @Test
  void completesARunWhereAnotherBegins() throws IOException {
    List<JsonNode> events =
        events(new MadeLedger(0).add(1, 1, 1, false).add(2, 1, 1, true).add(3, 1, 1, false));
    assertThat(types(events))
        .containsExactly("START", "RUNNING", "COMPLETE", "START", "COMPLETE", "START", "RUNNING");
    assertThat(events.get(2).get("run").get("runId")).isEqualTo(events.get(0).at("/run/runId"));
    assertThat(events.get(2).at("/run/facets/sotto_ledger").has("sequence")).isFalse();
  }

  @Test
  void refusesALedgerThatDoesNotHold() {
    MadeLedger ledger = MadeLedger.of(3, 1);
    LineageEvents events = new LineageEvents(MadeLedger.NAMES);
    events.of(ledger.records().get(0));
    String place = "partition 0, offset 2";
    refuses(
        () -> events.of(ledger.records().get(2)),
        FailureKind.UNVERIFIED,
        place,
        "entry 3 does not follow entry 1");
    refuses(
        () -> events.of(MadeLedger.of(2, 9).records().get(1)),
        FailureKind.UNVERIFIED,
        "entry 2 does not follow entry 1");
    refuses(
        () -> new LineageEvents(MadeLedger.NAMES).of(ledger.records().get(1)),
        FailureKind.UNVERIFIED,
        "entry 2 does not follow the beginning");
    refuses(() -> events.of(ledger.record(1, null)), FailureKind.UNVERIFIED, "deletion mark");
    refuses(() -> events.of(ledger.record(1, new byte[9])), FailureKind.UNVERIFIED, "offset 1");
  }

  /** A process may be killed after any byte: what is torn is cut off and written again. */
  @Test
  void hasEachEventOnceWhereverItWasStopped() throws IOException {
    MadeLedger ledger = MadeLedger.of(3, 1);
    Path whole = folder.resolve("whole");
    handOn(whole, ledger.records());
    byte[] all = Files.readAllBytes(whole);
    assertThat(Files.readAllLines(whole)).hasSize(4);
    Path file = folder.resolve("torn");
    for (int cut = 0; cut < all.length; cut += cut % 97 == 0 ? 1 : 96) {
      Files.write(file, Arrays.copyOf(all, cut));
      handOn(file, ledger.records().subList(0, 2));
      handOn(file, ledger.records());
      assertThat(file).as("cut at %d", cut).hasBinaryContent(all);
    }
    try (FileSink sink = new FileSink(file, MadeLedger.NAMES.ledger())) {
      assertThat(sink.places().get(0).sequence()).isEqualTo(3);
      refuses(
          () -> new FileSink(file, MadeLedger.NAMES.ledger()),
          FailureKind.IN_USE,
          "another lineage writes to " + file);
    }
  }

  @Test
  void addsNothingToWhatOthersWrote() throws IOException {
    Path file = folder.resolve("mine");
    for (String mine : List.of(
        "notes", "notes\n", "{\"eventType\":\"START\",\"producer\":\"urn:x\"}\n", "{\"a\":1}")) {
      Files.writeString(file, mine);
      refuses(
          () -> new FileSink(file, MadeLedger.NAMES.ledger()),
          FailureKind.USAGE,
          "something else than the lineage of this ledger");
      assertThat(file).hasContent(mine);
    }
    Path ours = folder.resolve("ours");
    handOn(ours, MadeLedger.of(2, 1).records());
    refuses(() -> new FileSink(ours, "other.ledger"), FailureKind.USAGE, "(line 1)");
    refuses(
        () -> handOn(ours, MadeLedger.of(3, 2).records()),
        FailureKind.UNVERIFIED,
        "entry 2 of partition 0 has another hash");
    refuses(
        () -> handOn(ours, MadeLedger.of(1, 2).records()),
        FailureKind.UNVERIFIED,
        "entry 2 of partition 0 is not in the ledger");
    assertThat(Files.readAllLines(ours)).hasSize(3);
    refuses(() -> new FileSink(folder.resolve("none/file"), "x"), FailureKind.USAGE, "cannot: ");
  }

  @ParameterizedTest
  @CsvSource({
    "http://h/x,, t, give --position FILE",
    "http://h/x,,, give --position FILE",
    "file, p,, --position and --token-file are for endpoints",
    "topic:a,, t, --position and --token-file are for endpoints",
    "topic:a b,,, must name a topic",
    "topic:,,, must name a topic",
    "http:///x, p,, must be a URL with a host",
    "http://u:secret@h/x, p,, without a password",
    "http://h h/x, p,, must be a URL"
  })
  void refusesDestinationsThatDoNotFit(String to, Path position, String token, String why) {
    refuses(
        () -> new LineageTarget(to, Optional.ofNullable(position), Optional.ofNullable(token)),
        FailureKind.USAGE,
        why);
  }
}

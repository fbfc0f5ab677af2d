package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands for operators, as far as they go without a broker. */
class OperationsCommandsTest extends CommandRuns {
  @TempDir
  private Path folder;

  private static Path home() {
    return Path.of(System.getProperty("basedir", "."), "..").normalize();
  }

  private int described(String... more) {
    List<String> all = new ArrayList<>(
        List.of("describe", "-c", home().resolve("examples/minimal.yaml").toString()));
    all.addAll(Arrays.asList(more));
    return run(all.toArray(String[]::new));
  }

  /** A broker that does not answer, and not for long. */
  private String[] nowhere(String command, String... more) {
    Path key = folder.resolve("key");
    if (!Files.exists(key)) {
      run("key", key.toString());
    }
    List<String> all = new ArrayList<>(List.of(
        command,
        "-c",
        home().resolve("examples/minimal.yaml").toString(),
        "--set",
        "noise.key.file=" + key,
        "--set",
        "state.dir=" + folder,
        "--set",
        "kafka.admin.default.api.timeout.ms=1000",
        "--set",
        "kafka.admin.request.timeout.ms=500",
        "--bootstrap-server",
        "127.0.0.1:1"));
    all.addAll(Arrays.asList(more));
    return all.toArray(String[]::new);
  }

  /** {@code -Dgolden.update=true} writes the topologies anew. */
  @ParameterizedTest
  @ValueSource(strings = {"direct", "ordered", "rounds"})
  void describesTheTopologyThatIsCheckedIn(String layout) throws IOException {
    assertThat(described("--json", "--set", "layout=" + layout)).isZero();
    String topology =
        new ObjectMapper().readTree(out.toString()).get("topology").asText();
    Path file = Path.of(
        System.getProperty("basedir", "."), "src/test/resources/operations", layout + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, topology);
    }
    assertThat(topology).isEqualTo(Files.readString(file));
  }

  @Test
  void describesWithoutABrokerAndWithoutAKey() {
    assertThat(described("--set", "kafka.sasl.jaas.config=hunter2")).isZero();
    assertThat(out.toString())
        .contains("layout ordered: one model over all partitions of the event topic")
        .contains("Sub-topology: 0")
        .contains("minimal.order: how far each partition", "inside: as sensitive as the events")
        .contains("minimal.ledger: what every round", "outside: published", "for ever")
        .contains("yours to choose")
        .contains("  processing.guarantee=exactly_once_v2")
        .contains("  sasl.jaas.config=********")
        .contains("--allow-principal 'User:sotto' --operation Read --operation Describe"
            + " --operation DescribeConfigs --topic 'points'")
        .contains("--resource-pattern-type prefixed --transactional-id 'minimal-'")
        .contains("--allow-principal 'User:reader' --operation Read --operation Describe"
            + " --topic 'minimal.snapshots'")
        .doesNotContain("hunter2");
    assertThat(errors.toString()).isEmpty();
  }

  /** All but the topology, which has files of its own, and the settings of Streams. */
  @Test
  void keepsTheNamesAndValuesOfItsJson() throws IOException {
    assertThat(described("--json")).isZero();
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode now = (ObjectNode) mapper.readTree(out.toString());
    assertThat(now.remove(List.of("topology", "streams")).size()).isPositive();
    Path kept = Path.of(
        System.getProperty("basedir", "."), "src/test/resources/json/describe-minimal.json");
    assertThat(now).isEqualTo(mapper.readTree(Files.readString(kept)));
  }

  @Test
  void describesAsJson() throws IOException {
    assertThat(described("--json", "--reader-principal", "User:eve", "--bootstrap-server", "far:9"))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.at("/topics")).hasSize(4);
    assertThat(json.at("/changelogs")).hasSize(2);
    JsonNode reader = json.at("/acls/reader");
    assertThat(reader).hasSize(2).allSatisfy(grant -> {
      assertThat(grant.get("principal").asText()).isEqualTo("User:eve");
      assertThat(grant.get("operations")).hasSize(2);
      assertThat(grant.get("command").asText())
          .startsWith("kafka-acls.sh --bootstrap-server far:9");
    });
    assertThat(json.at("/acls/learner")).hasSize(9);
    assertThat(described("--mermaid")).isEqualTo(ExitCode.USAGE.code());
  }

  /** Strimzi gets the topics and the permissions of the JSON, whatever layout. */
  @ParameterizedTest
  @ValueSource(strings = {"direct", "ordered", "rounds"})
  void describesTheSameAsResourcesOfStrimzi(String layout) throws IOException {
    String set = "layout=" + layout;
    assertThat(described("--json", "--set", set, "--set", "topics.replication.factor=3"))
        .isZero();
    JsonNode json = new ObjectMapper().readTree(out.toString());
    String[] strimzi = {
      "--strimzi=main",
      "--event-partitions=6",
      "--set",
      set,
      "--set=topics.replication.factor=3",
      "--set=kafka.security.protocol=SSL"
    };
    assertThat(described(strimzi)).as("%s", errors).isZero();
    Map<String, JsonNode> topics = new TreeMap<>();
    Map<String, JsonNode> users = new TreeMap<>();
    ObjectMapper yaml = new ObjectMapper(new YAMLFactory());
    for (JsonNode each :
        yaml.readerFor(JsonNode.class).<JsonNode>readValues(out.toString()).readAll()) {
      assertThat(each.at("/metadata/labels/strimzi.io~1cluster").asText()).isEqualTo("main");
      assertThat(each.get("apiVersion").asText()).isEqualTo("kafka.strimzi.io/v1");
      (each.get("kind").asText().equals("KafkaTopic") ? topics : users)
          .put(each.at("/metadata/name").asText(), each.get("spec"));
    }
    int described = 0;
    for (String part : List.of("topics", "changelogs")) {
      for (JsonNode each : json.get(part)) {
        JsonNode topic = topics.get(each.get("topic").asText());
        assertThat(topic.get("config")).isEqualTo(each.get("settings"));
        assertThat(topic.get("replicas").asInt()).isEqualTo(3);
        assertThat(topic.get("partitions").asInt())
            .isEqualTo(each.get("partitions").asText().equals("1") ? 1 : 6);
        described++;
      }
    }
    assertThat(topics).hasSize(described);
    assertThat(users).containsOnlyKeys("sotto", "reader");
    assertThat(rules(users.get("sotto"))).isEqualTo(grants(json.at("/acls/learner")));
    assertThat(rules(users.get("reader"))).isEqualTo(grants(json.at("/acls/reader")));
    assertThat(users.get("reader").at("/authentication/type").asText()).isEqualTo("tls");
  }

  private static List<String> rules(JsonNode user) {
    List<String> all = new ArrayList<>();
    user.at("/authorization/acls")
        .forEach(each -> all.add(each.at("/resource/type").asText() + " "
            + each.at("/resource/patternType").asText() + " "
            + each.at("/resource/name").asText()
            + " " + each.get("operations")));
    return all;
  }

  private static List<String> grants(JsonNode acls) {
    List<String> all = new ArrayList<>();
    acls.forEach(each ->
        all.add(Map.of("Topic", "topic", "Group", "group", "TransactionalId", "transactionalId")
                .get(each.get("resourceType").asText())
            + (each.get("patternType").asText().equals("prefixed") ? " prefix " : " literal ")
            + each.get("resourceName").asText() + " " + each.get("operations")));
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--strimzi=main | need each other",
        "--event-partitions=3 | need each other",
        "--strimzi=main --event-partitions=0 | must be at least 1, but was 0",
        "--strimzi=Main! --event-partitions=3 | must be the name of a Kafka resource, but was Main!",
        "--strimzi=main --event-partitions=3 --json | leave out --json",
        "--strimzi=main --event-partitions=3 --reader-principal=User:Eve | but was User:Eve"
      })
  void refusesWhatStrimziWouldNotTake(String options, String why) {
    assertThat(described(options.split(" "))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains(why);
  }

  @Test
  void endsWithACodeOfItsOwnWhereAPreflightFindsAFault() throws IOException {
    assertThat(run(nowhere("preflight", "--json"))).isEqualTo(ExitCode.UNFIT.code());
    JsonNode json = new ObjectMapper().readTree(out.toString());
    assertThat(json.get("faults").asInt()).isEqualTo(1);
    assertThat(json.at("/findings/1/level").asText()).isEqualTo("FAULT");
    assertThat(json.at("/findings/1/number").asInt()).isEqualTo(2);
    assertThat(json.at("/findings/1/fix").asText()).contains("bootstrap.servers");
    assertThat(run(nowhere("preflight", "--outage-hours=-1"))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--outage-hours must be at least 0, but was -1");
    assertThat(run(nowhere("preflight", "--rate", "-5"))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--rate, --record-bytes", "but was -5.0");
    assertThat(run(nowhere("preflight", "--rate=10000", "--units=5", "--models=3", "--json")))
        .isEqualTo(ExitCode.UNFIT.code());
  }

  @Test
  void changesNothingWhereNoBrokerAnswers() {
    assertThat(run(nowhere("reset", "--execute", "--yes", "minimal")))
        .isEqualTo(ExitCode.UNREACHABLE.code());
    assertThat(errors.toString()).contains("no broker answered at 127.0.0.1:1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "points/0", "points/x/1", "points/0/-1", "/0/1", "a/0/1/2"})
  void saysHowARecordIsNamed(String wrong) {
    assertThat(run(nowhere("explain", wrong))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains(
            "the record must be TOPIC/PARTITION/OFFSET, as in flights/0/1234, but was " + wrong);
  }
}

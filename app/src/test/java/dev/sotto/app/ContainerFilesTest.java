package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of docker/: what they say fits Sotto, and each other. */
class ContainerFilesTest {
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();
  private static final Path DOCKER = HOME.resolve("docker");
  private static final Pattern SERIES = Pattern.compile("\\bsotto_[a-z_]+\\b");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static List<JsonNode> documents(String file) throws IOException {
    return YAML.readerFor(JsonNode.class)
        .<JsonNode>readValues(DOCKER.resolve(file).toFile())
        .readAll();
  }

  private static Map<String, JsonNode> manifests() throws IOException {
    Map<String, JsonNode> found = new TreeMap<>();
    documents("kubernetes/sotto.yaml")
        .forEach(each -> found.put(each.get("kind").asText(), each));
    return found;
  }

  private static SottoConfig load(String yaml) {
    ConfigSource source = ConfigSource.of("shown", yaml).withEnvironment(Map.of());
    return SottoConfig.load(source.withNoiseKey(NoiseKey.of(new byte[32])));
  }

  private static JsonNode pod() throws IOException {
    return manifests().get("StatefulSet").at("/spec/template/spec");
  }

  private static Set<String> series(String text) {
    Set<String> found = new TreeSet<>();
    Matcher each = SERIES.matcher(text);
    while (each.find()) {
      found.add(each.group());
    }
    return found;
  }

  /** Runs a program that may be missing; fails with what it says. */
  private static void check(Path folder, String... command)
      throws IOException, InterruptedException {
    boolean there = List.of(System.getenv("PATH").split(":")).stream()
        .anyMatch(each -> Files.isExecutable(Path.of(each, command[0])));
    assumeThat(there).as(command[0] + " is installed").isTrue();
    Path said = Files.createTempFile("sotto-check-", ".log");
    try {
      Process process = new ProcessBuilder(command)
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .redirectOutput(said.toFile())
          .start();
      assertThat(process.waitFor()).as(() -> read(said)).isZero();
    } finally {
      Files.delete(said);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return "unreadable: " + file;
    }
  }

  @Test
  void learnsByConfigurationsThatSottoTakes() throws IOException {
    SottoConfig compose = load(read(DOCKER.resolve("learner.yaml")));
    SottoConfig kubernetes =
        load(manifests().get("ConfigMap").at("/data/sotto.yaml").asText());
    for (SottoConfig each : List.of(compose, kubernetes)) {
      assertThat(each.http().orElseThrow().port()).isEqualTo(9404);
      assertThat(each.service().stateFolder()).isEqualTo(Path.of("/var/lib/sotto/state"));
    }
    String sink = read(DOCKER.resolve("connect/models.properties"));
    assertThat(sink).contains("topics=" + compose.learner().app() + ".snapshots");
    assertThat(read(DOCKER.resolve("connect/seasons.properties")))
        .contains("topic=" + compose.learner().eventTopic() + "\n");
  }

  @Test
  void servesWhatTheLearnerPublishes() throws IOException {
    JsonNode compose = documents("compose.yaml").get(0);
    String learner = load(read(DOCKER.resolve("learner.yaml"))).learner().app();
    assertThat(compose.at("/services/serve/command").toString())
        .contains("\"serve\"", "\"" + learner + "\"", "\"0.0.0.0:8080\"");
    JsonNode pod = documents("kubernetes/serve.yaml").get(1).at("/spec/template/spec");
    String minimal = load(manifests().get("ConfigMap").at("/data/sotto.yaml").asText())
        .learner()
        .app();
    JsonNode container = pod.at("/containers/0");
    assertThat(container.get("args").toString()).contains("\"" + minimal + "\"");
    assertThat(container.at("/image")).isEqualTo(pod().at("/containers/0/image"));
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/v2/health/ready");
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
  }

  @Test
  void leavesAnInstanceThatRestoresAlone() throws IOException {
    JsonNode container = pod().at("/containers/0");
    assertThat(container.at("/startupProbe/httpGet/path").asText()).isEqualTo("/health/started");
    assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/health/live");
    assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/health/ready");
    assertThat(pod().get("terminationGracePeriodSeconds").asInt()).isEqualTo(45);
  }

  @Test
  void runsAsAUserWhoCanReadTheSecretAndNothingElse() throws IOException {
    JsonNode security = pod().get("securityContext");
    assertThat(security.get("runAsNonRoot").asBoolean()).isTrue();
    assertThat(security.get("fsGroup").asInt()).isEqualTo(10001);
    assertThat(pod().at("/containers/0/securityContext/readOnlyRootFilesystem").asBoolean())
        .isTrue();
    assertThat(pod().get("enableServiceLinks").asBoolean(true)).isFalse();
    assertThat(read(DOCKER.resolve("Dockerfile")))
        .contains("USER " + security.get("runAsUser").asInt() + ":")
        .contains("HEALTHCHECK ");
    assertThat(documents("kubernetes/network.yaml")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"grafana/dashboards/sotto.json", "prometheus/rules.yml"})
  void asksForSeriesThatThereAre(String file) throws IOException {
    Set<String> known = series(Files.readString(HOME.resolve("docs/monitoring.md")));
    Set<String> asked = series(Files.readString(DOCKER.resolve(file)));
    assertThat(asked).hasSizeGreaterThan(5).isSubsetOf(known);
  }

  @Test
  void showsADashboardOfItsOwnDataSource() throws IOException {
    JsonNode dashboard = new ObjectMapper()
        .readTree(DOCKER.resolve("grafana/dashboards/sotto.json").toFile());
    String source = documents("grafana/provisioning/datasources/prometheus.yaml")
        .get(0)
        .at("/datasources/0/uid")
        .asText();
    assertThat(dashboard.get("panels")).hasSizeGreaterThan(8);
    dashboard.get("panels").forEach(each -> {
      assertThat(each.at("/datasource/uid").asText()).isEqualTo(source);
      assertThat(each.get("targets")).isNotEmpty();
    });
  }

  @Test
  void writesAComposeFileThatComposeTakes() throws IOException, InterruptedException {
    check(DOCKER, "docker-compose", "-f", "compose.yaml", "config", "-q");
  }

  @Test
  void writesRulesThatFireWhenTheyShould() throws IOException, InterruptedException {
    Path folder = DOCKER.resolve("prometheus");
    check(folder, "promtool", "check", "config", "prometheus.yml");
    check(folder, "promtool", "test", "rules", "rules-test.yml");
  }
}

package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.key.NoiseKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;
import org.junit.jupiter.api.Test;

/**
 * The Helm chart with its own values gives what the manifests beside it give, and what people
 * change arrives where it belongs. Templates use a part of Helm's language that {@link #render}
 * knows; whatever else stands in them fails here.
 */
class HelmChartTest {
  private static final Path FOLDER = Path.of(System.getProperty("basedir", "."))
      .resolve("../docker/kubernetes")
      .normalize();
  private static final Path CHART = FOLDER.resolve("chart");
  private static final ObjectMapper YAML =
      new ObjectMapper(new YAMLFactory().disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER));
  private static final Pattern ACTION = Pattern.compile("(\\s*)\\{\\{(-?) (.*?) (-?)}}");
  private static final List<String> TEMPLATES =
      List.of("learner.yaml", "serve.yaml", "network.yaml");

  private static ObjectNode values() throws IOException {
    return (ObjectNode) YAML.readTree(CHART.resolve("values.yaml").toFile());
  }

  private static Map<String, JsonNode> rendered(JsonNode values) throws IOException {
    ObjectNode all = YAML.createObjectNode();
    all.set("Values", values);
    all.putObject("Release").put("Name", "sotto");
    JsonNode chart = YAML.readTree(CHART.resolve("Chart.yaml").toFile());
    all.putObject("Chart").set("AppVersion", chart.get("appVersion"));
    Map<String, JsonNode> found = new TreeMap<>();
    for (String each : TEMPLATES) {
      collect(render(Files.readString(CHART.resolve("templates").resolve(each)), all), found);
    }
    return found;
  }

  private static void collect(String text, Map<String, JsonNode> into) throws IOException {
    for (JsonNode each :
        YAML.readerFor(JsonNode.class).<JsonNode>readValues(text).readAll()) {
      if (each.has("kind")) {
        into.put(each.get("kind").asText() + " " + each.at("/metadata/name").asText(), each);
      }
    }
  }

  /** Values, conditions and pipes to the few functions of {@link #apply}. */
  private static String render(String template, JsonNode data) {
    StringBuilder out = new StringBuilder();
    Deque<Boolean> shown = new ArrayDeque<>();
    Matcher action = ACTION.matcher(template);
    int at = 0;
    boolean trim = false;
    while (action.find()) {
      String before = template.substring(at, action.start());
      before = trim ? before.stripLeading() : before;
      boolean visible = !shown.contains(false);
      if (visible) {
        out.append(before);
        out.append(action.group(2).isEmpty() && !(trim && before.isEmpty()) ? action.group(1) : "");
      }
      String said = action.group(3);
      if (said.startsWith("if ")) {
        shown.push(isTrue(data.at(pointer(said.substring(3)))));
      } else if (said.equals("end")) {
        shown.pop();
      } else if (visible) {
        out.append(evaluate(said, data));
      }
      trim = !action.group(4).isEmpty();
      at = action.end();
    }
    assertThat(shown).as("every if has its end").isEmpty();
    return out + template.substring(at);
  }

  private static String evaluate(String pipe, JsonNode data) {
    JsonNode value = MissingNode.getInstance();
    for (String step : pipe.split(" \\| ")) {
      List<String> words = List.of(step.split(" "));
      String first = words.get(0);
      if (first.startsWith(".")) {
        value = data.at(pointer(first));
        assertThat(value.isMissingNode()).as("%s is among the values", first).isFalse();
      } else {
        value = apply(first, words.subList(1, words.size()), value, data);
      }
    }
    return value.asText();
  }

  private static JsonNode apply(
      String function, List<String> given, JsonNode value, JsonNode data) {
    return TextNode.valueOf(
        switch (function) {
          case "quote" -> TextNode.valueOf(value.asText()).toString();
          case "default" -> (isTrue(value) ? value : data.at(pointer(given.get(0)))).asText();
          case "sha256sum" ->
            DigestUtils.sha256Hex(value.asText().getBytes(StandardCharsets.UTF_8));
          case "nindent" ->
            "\n" + value.asText().indent(Integer.parseInt(given.get(0))).stripTrailing();
          case "toYaml" -> yaml(data.at(pointer(given.get(0)))).stripTrailing();
          default -> throw new AssertionError("a template calls " + function + ", not known here");
        });
  }

  private static String yaml(JsonNode value) {
    try {
      return YAML.writeValueAsString(value);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static String pointer(String path) {
    assertThat(path).startsWith(".");
    return path.replace('.', '/');
  }

  private static boolean isTrue(JsonNode value) {
    return value.isContainerNode()
        ? !value.isEmpty()
        : value.isTextual() ? !value.asText().isEmpty() : value.asBoolean();
  }

  @Test
  void givesTheManifestsThatAreBesideIt() throws IOException {
    Map<String, JsonNode> manifests = new TreeMap<>();
    for (String each : List.of("sotto.yaml", "serve.yaml", "network.yaml")) {
      collect(Files.readString(FOLDER.resolve(each)), manifests);
    }
    Map<String, JsonNode> rendered = rendered(values());
    ObjectNode annotations =
        (ObjectNode) rendered.get("StatefulSet sotto").at("/spec/template/metadata/annotations");
    assertThat(annotations.remove("checksum/config").asText()).hasSize(64);
    for (Map<String, JsonNode> each : List.of(manifests, rendered)) {
      ObjectNode config = (ObjectNode) each.get("ConfigMap sotto").get("data");
      config.set("sotto.yaml", YAML.readTree(config.get("sotto.yaml").asText()));
    }
    assertThat(rendered).isEqualTo(manifests).hasSize(7);
  }

  @Test
  void learnsByAConfigurationThatSottoTakes() throws IOException {
    String config =
        rendered(values()).get("ConfigMap sotto").at("/data/sotto.yaml").asText();
    ConfigSource source = ConfigSource.of("shown", config).withEnvironment(Map.of());
    SottoConfig loaded = SottoConfig.load(source.withNoiseKey(NoiseKey.of(new byte[32])));
    assertThat(loaded.learner().app()).isEqualTo("minimal");
  }

  @Test
  void putsWhatPeopleChangeWhereItBelongs() throws IOException {
    ObjectNode values = values();
    YAML.readerForUpdating(values).readValue("""
        appId: "007"
        bootstrapServers: a:1,b:2
        image: {repository: far/sotto, tag: "2", pullPolicy: Always, pullSecrets: [{name: login}]}
        networkPolicy: {enabled: true, from: scraper}
        """);
    ((ObjectNode) values.get("learner")).put("storageClass", "fast").put("replicas", 3);
    ((ObjectNode) values.get("learner")).putArray("env").addObject().put("name", "A");
    ((ObjectNode) values.get("serve")).putArray("args").add("--alias").add("best");
    ((ObjectNode) values.get("serve")).putArray("env").addObject().put("name", "B");
    Map<String, JsonNode> found = rendered(values);
    JsonNode learner = found.get("StatefulSet sotto").get("spec");
    JsonNode pod = learner.at("/template/spec");
    assertThat(learner.get("replicas").asInt()).isEqualTo(3);
    assertThat(learner.at("/volumeClaimTemplates/0/spec/storageClassName").asText())
        .isEqualTo("fast");
    assertThat(pod.at("/containers/0/image").asText()).isEqualTo("far/sotto:2");
    assertThat(pod.at("/containers/0/imagePullPolicy").asText()).isEqualTo("Always");
    assertThat(pod.at("/containers/0/env/1/name").asText()).isEqualTo("A");
    assertThat(pod.at("/imagePullSecrets/0/name").asText()).isEqualTo("login");
    JsonNode serve = found.get("Deployment sotto-serve").at("/spec/template/spec/containers/0");
    assertThat(serve.get("args").toString())
        .contains("\"a:1,b:2\",\"--app-id\",\"007\"")
        .endsWith("\"--alias\",\"best\"]");
    assertThat(serve.at("/env/1/name").asText()).isEqualTo("B");
    assertThat(found.get("ConfigMap sotto").at("/data/sotto.yaml").asText())
        .startsWith("app.id: \"007\"\nbootstrap.servers: \"a:1,b:2\"\nevents.topic: points\n");
    assertThat(found.get("NetworkPolicy sotto").toString()).contains("\"scraper\"");
  }

  @Test
  void leavesOutWhatIsSwitchedOff() throws IOException {
    ObjectNode values = values();
    ((ObjectNode) values.get("learner")).put("enabled", false);
    assertThat(rendered(values)).containsOnlyKeys("Deployment sotto-serve", "Service sotto-serve");
    values = values();
    ((ObjectNode) values.get("serve")).put("enabled", false);
    ((ObjectNode) values.get("networkPolicy")).put("enabled", false);
    assertThat(rendered(values))
        .containsOnlyKeys(
            "ConfigMap sotto", "PodDisruptionBudget sotto", "Service sotto", "StatefulSet sotto");
  }

  /** What the schema does not name Helm refuses: a value that is misspelt. */
  @Test
  void namesEveryValueInTheSchema() throws IOException {
    JsonNode schema = YAML.readTree(CHART.resolve("values.schema.json").toFile());
    assertThat(schema.at("/properties/global").isObject()).as("Helm adds it").isTrue();
    ((ObjectNode) schema.get("properties")).remove("global");
    requireSame(schema, values(), "");
  }

  private static void requireSame(JsonNode schema, JsonNode values, String where) {
    if (!schema.has("properties")) {
      return;
    }
    Set<String> named = names(schema.get("properties"));
    assertThat(named).as(where).isEqualTo(names(values));
    assertThat(schema.get("additionalProperties").asBoolean(true)).as(where).isFalse();
    named.forEach(each ->
        requireSame(schema.get("properties").get(each), values.get(each), where + "." + each));
  }

  private static Set<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return new TreeSet<>(names);
  }

  /** The renderer itself refuses what it does not know. */
  @Test
  void knowsWhatItDoesNotKnow() {
    JsonNode data = YAML.createObjectNode().put("a", "b");
    assertThat(render("x: {{ .a | quote }}}\n", data)).isEqualTo("x: \"b\"}\n");
    assertThat(render("a\n  {{- if .a }}\n  b\n  {{- end }}\nc", data)).isEqualTo("a\n  b\nc");
    assertThatThrownBy(() -> render("{{ .c }}", data)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> render("{{ lookup .a }}", data)).hasMessageContaining("lookup");
  }
}

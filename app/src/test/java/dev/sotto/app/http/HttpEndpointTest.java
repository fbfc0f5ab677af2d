package dev.sotto.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.status.AwaitedPartition;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.RestoreStatus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpEndpointTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private volatile InstanceView view = Views.of(LifecyclePhase.RUNNING, true);
  private volatile Map<String, Drift> drifts = Map.of();
  private final HttpEndpoint endpoint = HttpEndpoint.startWith(
      "flights", settings(0), Views.plan(), () -> view, () -> drifts, Map.of());

  private static HttpSettings settings(int port) {
    return new HttpSettings(HttpSettings.LOOPBACK, port, Optional.empty(), 10);
  }

  @AfterEach
  void close() {
    endpoint.close();
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(endpoint.address() + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new ObjectMapper().readTree(response.body());
  }

  @Test
  void listensOnLoopback() {
    assertThat(endpoint.address()).startsWith("http://127.0.0.1:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health/live", "/health/ready", "/health/started"})
  void answersProbes(String path) throws Exception {
    HttpResponse<String> up = send("GET", path);
    assertThat(up.statusCode()).isEqualTo(200);
    assertThat(json(up).get("status").asText()).isEqualTo("up");
    assertThat(json(up).get("phase").asText()).isEqualTo("running");
    assertThat(json(up).get("reasons")).isEmpty();

    view = Views.failed(InstanceView.starting(), "no \"key\"; give one");
    HttpResponse<String> down = send("GET", path);
    assertThat(down.statusCode()).isEqualTo(503);
    assertThat(json(down).get("status").asText()).isEqualTo("down");
    assertThat(json(down).get("reasons").get(0).asText()).isEqualTo("no \"key\"; give one");
  }

  @Test
  void sendsSaneHeaders() throws Exception {
    HttpResponse<String> health = send("GET", "/health/live");
    assertThat(health.headers().map().keySet())
        .containsExactlyInAnyOrder(
            "cache-control",
            "content-length",
            "content-security-policy",
            "content-type",
            "date",
            "referrer-policy",
            "x-content-type-options");
    assertThat(health.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'none'; ")
        .doesNotContain("unsafe", "*");
    assertThat(health.headers().firstValue("content-type"))
        .contains("application/json; charset=utf-8");
    assertThat(health.headers().firstValue("cache-control")).contains("no-store");
    assertThat(health.headers().firstValue("x-content-type-options")).contains("nosniff");
    assertThat(send("GET", "/metrics").headers().firstValue("content-type"))
        .contains("text/plain; version=0.0.4; charset=utf-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health/live", "/metrics"})
  void answersHeadWithoutABody(String path) throws Exception {
    HttpResponse<String> head = send("HEAD", path);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValueAsLong("content-length").orElseThrow()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get"})
  void refusesOtherMethods(String method) throws Exception {
    for (String path : List.of("/metrics", "/health/live")) {
      HttpResponse<String> refused = send(method, path);
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("allow")).contains("GET, HEAD");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/health",
        "/health/",
        "/health/live/",
        "/health/../metrics",
        "/health/%6Cive",
        "/metrics/",
        "/metrics.txt",
        "//metrics",
        "/favicon.ico",
        "/..%2f..%2fetc/passwd"
      })
  void knowsNoOtherPaths(String path) throws Exception {
    for (String method : List.of("GET", "POST")) {
      HttpResponse<String> none = send(method, path);
      assertThat(none.statusCode()).isEqualTo(404);
      assertThat(none.body()).contains(path.startsWith("//") ? "404" : "no such path"); // the JDK's
    }
  }

  @Test
  void refusesAPortThatIsTaken() {
    int port = URI.create(endpoint.address()).getPort();
    SottoException failure = catchThrowableOfType(
        SottoException.class,
        () -> HttpEndpoint.startWith(
            "flights", settings(port), Views.plan(), () -> view, Map::of, Map.of()));
    assertThat(failure.kind()).isEqualTo(FailureKind.LISTEN);
    assertThat(failure).hasMessageContainingAll("http.listen 127.0.0.1:" + port, "free port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"no.such.host.invalid", "192.0.2.1"})
  void refusesAnAddressThatIsNotItsOwn(String host) {
    HttpSettings elsewhere = new HttpSettings(host, 0, Optional.empty(), 10);
    SottoException failure = catchThrowableOfType(
        SottoException.class,
        () -> HttpEndpoint.startWith(
            "flights", elsewhere, Views.plan(), () -> view, Map::of, Map.of()));
    assertThat(failure.kind()).isEqualTo(FailureKind.LISTEN);
  }

  @Test
  void hidesWhatWentWrongInside() throws Exception {
    view = null;
    HttpResponse<String> broken = send("GET", "/metrics");
    assertThat(broken.statusCode()).isEqualTo(500);
    assertThat(broken.body()).doesNotContain("Exception", "dev.sotto");
  }

  @Test
  void tellsAModelsFigures() throws Exception {
    view = Views.learning(
        5,
        List.of(new AwaitedPartition(3, 3, Duration.ofMillis(1_500))),
        Views.model("a \"b\" \\ c", 2),
        Views.model("m", 3));
    CostForecast costs = new CostForecast(Views.plan());
    assertThat(send("GET", "/metrics").body().lines())
        .contains(
            "# TYPE sotto_epsilon_spent gauge",
            "# TYPE sotto_rounds_total counter",
            "sotto_rounds_total{app=\"flights\"} 7.0",
            "sotto_round{app=\"flights\",model=\"m\"} 3.0",
            "sotto_round{app=\"flights\",model=\"a \\\"b\\\" \\\\ c\"} 2.0",
            "sotto_round_age_seconds{app=\"flights\",model=\"m\"} 3.0",
            "sotto_round_open_slots{app=\"flights\",model=\"m\"} 2.0",
            "sotto_round_slots{app=\"flights\"} 4.0",
            "sotto_snapshot_round{app=\"flights\",model=\"m\"} 3.0",
            "sotto_snapshot_age_seconds{app=\"flights\",model=\"m\"} 3.0",
            "sotto_epsilon_spent{app=\"flights\",model=\"m\"} " + costs.of(3).epsilon(),
            "sotto_epsilon_left{app=\"flights\",model=\"m\"} " + costs.of(3).left(),
            "sotto_mu{app=\"flights\",model=\"m\"} " + costs.of(3).mu(),
            "sotto_exhausted{app=\"flights\",model=\"m\"} 1.0",
            "sotto_exhausted{app=\"flights\",model=\"a \\\"b\\\" \\\\ c\"} 0.0",
            "sotto_awaited_partition_seconds{app=\"flights\",partition=\"3\"} 1.5",
            "sotto_newest_round_age_seconds{app=\"flights\"} 5.0",
            "sotto_models_shown{app=\"flights\"} 2.0",
            "sotto_models_hidden{app=\"flights\"} 0.0",
            "sotto_tasks{app=\"flights\",kind=\"active\"} 2.0",
            "sotto_tasks{app=\"flights\",kind=\"standby\"} 1.0",
            "sotto_phase{app=\"flights\",phase=\"running\"} 1.0",
            "sotto_phase{app=\"flights\",phase=\"failed\"} 0.0",
            "sotto_ready{app=\"flights\"} 1.0");
    view = Views.learning(5, List.of(), Views.model("m", 3)); // the other one has moved away
    assertThat(send("GET", "/metrics").body())
        .contains("model=\"m\"")
        .doesNotContain("c\"}", "awaited_partition_seconds{");
  }

  @Test
  void tellsDriftOfPublishedMetrics() throws Exception {
    assertThat(send("GET", "/metrics").body()).doesNotContain("sotto_drift_alarm{");
    drifts = Map.of(
        "a", new Drift(30, 0.5, 0.25, OptionalLong.of(21)),
        "b", new Drift(9, -0.5, 0.125, OptionalLong.empty()));
    assertThat(send("GET", "/metrics").body().lines())
        .contains(
            "sotto_drift_alarm{app=\"flights\",model=\"a\"} 1.0",
            "sotto_drift_alarm{app=\"flights\",model=\"b\"} 0.0",
            "sotto_drift_rise{app=\"flights\",model=\"a\"} 0.5",
            "sotto_drift_threshold{app=\"flights\",model=\"b\"} 0.125",
            "sotto_drift_since_round{app=\"flights\",model=\"a\"} 21.0",
            "sotto_drift_since_round{app=\"flights\",model=\"b\"} 0.0",
            "sotto_drift_round{app=\"flights\",model=\"b\"} 9.0");
  }

  @Test
  void tellsARestore() throws Exception {
    view = Views.withRestores(
        Views.of(LifecyclePhase.RESTORING, true),
        new RestoreStatus("heads", 1, 4, Duration.ofSeconds(8)),
        new RestoreStatus("units", 0, 0, Duration.ofSeconds(2)));
    assertThat(send("GET", "/metrics").body().lines())
        .contains(
            "sotto_restoring_stores{app=\"flights\"} 2.0",
            "sotto_restore_remaining_ratio{app=\"flights\",partition=\"1\",store=\"heads\"} 0.6",
            "sotto_restore_remaining_ratio{app=\"flights\",partition=\"0\",store=\"units\"} 1.0",
            "sotto_restore_age_seconds{app=\"flights\",partition=\"1\",store=\"heads\"} 8.0",
            "sotto_restore_estimate_seconds{app=\"flights\",partition=\"1\",store=\"heads\"} 12.0",
            "sotto_ready{app=\"flights\"} 0.0",
            "sotto_live{app=\"flights\"} 1.0")
        .noneMatch(line ->
            line.startsWith("sotto_restore_estimate_seconds{app=\"flights\",partition=\"0\""));
  }

  @Test
  void namesTheApplicationInEverySeries() throws Exception {
    view = Views.learning(5, List.of(), Views.model("m", 3));
    assertThat(send("GET", "/metrics").body().lines().filter(line -> !line.startsWith("#")))
        .isNotEmpty()
        .allMatch(line -> line.matches("[a-z_]+\\{app=\"flights\"[,}].*"));
  }

  /**
   * By the conventions of Prometheus: one prefix, a help text and a type each, counters alone end
   * in _total.
   */
  @Test
  void namesMetricsAsPrometheusWantsThem() throws Exception {
    view = Views.learning(5, List.of(), Views.model("m", 3));
    List<String> lines = send("GET", "/metrics").body().lines().toList();
    List<String> types =
        lines.stream().filter(line -> line.startsWith("# TYPE ")).toList();
    assertThat(types).isNotEmpty().allSatisfy(line -> {
      String[] words = line.split(" ");
      assertThat(words[2]).matches("sotto(_[a-z]+)+");
      assertThat(words[3]).isEqualTo(words[2].endsWith("_total") ? "counter" : "gauge");
      assertThat(lines)
          .anyMatch(other ->
              other.matches("# HELP " + Pattern.quote(words[2]) + " [A-Z0-9].*\\.(\\)\\.)?"));
      if (words[2].matches(".*(_age|_estimate)(_.*)?")) {
        assertThat(words[2]).endsWith("_seconds");
      }
    });
  }
}

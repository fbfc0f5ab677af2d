package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.app.http.HttpRegistry;
import dev.sotto.app.page.StatusPage;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.status.LifecyclePhase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a running learner says over HTTP: the same whatever its records hold, and never ahead of
 * what is committed.
 */
class MonitoringIT {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final int EVENTS = 42;
  private static final int ROUNDS = 10;
  private static final int OPEN = 2;
  private static final String TRANSACTION_AGE = "sotto_transaction_age_seconds{thread=\"1\"}";
  private static final String AWAITED = "sotto_awaited_partition_seconds{partition=\"%d\"}";

  private static final Pattern APP =
      Pattern.compile("\\{app=\"[a-z-]+\"}$|(?<=\\{)app=\"[a-z-]+\",");

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private static HttpEndpoint listen(Trial trial, LearnerService service) {
    return listen(trial, service, Map.of());
  }

  private static HttpEndpoint listen(
      Trial trial, LearnerService service, Map<String, HttpEndpoint.Page> pages) {
    HttpSettings anyPort = new HttpSettings(HttpSettings.LOOPBACK, 0, Optional.empty(), 10);
    return HttpEndpoint.start(
        trial.app(), anyPort, trial.plan(), () -> Optional.of(service), Map::of, pages);
  }

  private static HttpResponse<String> get(HttpEndpoint endpoint, String path) {
    try {
      return CLIENT.send(
          HttpRequest.newBuilder(URI.create(endpoint.address() + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException broken) {
      throw new AssertionError(broken);
    }
  }

  /** Series with their values, without the label that all of them have. */
  private static Map<String, String> scrape(HttpEndpoint endpoint) {
    Map<String, String> series = new TreeMap<>();
    get(endpoint, "/metrics")
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(line -> {
          int space = line.lastIndexOf(' ');
          String name = line.substring(0, space);
          assertThat(name).containsPattern(APP);
          series.put(APP.matcher(name).replaceFirst(""), line.substring(space + 1));
        });
    return series;
  }

  /**
   * What a learner said, and how long it had run by then: no age is larger.
   *
   * @param series with their values
   * @param seconds since the start
   */
  private record Reading(Map<String, String> series, double seconds) {
    static Reading of(HttpEndpoint endpoint, long startNanos) {
      Map<String, String> series = scrape(endpoint);
      return new Reading(series, (System.nanoTime() - startNanos) / 1e9);
    }
  }

  /**
   * Equal but for the wall clock: ages are zero in both or in neither, but for the one since the
   * last commit, and no larger than the time that their learner has run.
   */
  private static void assertSame(Reading actualReading, Reading expectedReading) {
    Map<String, String> actual = actualReading.series();
    Map<String, String> expected = expectedReading.series();
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    expected.forEach((name, value) -> {
      if (name.matches("[a-z_]+_seconds(\\{.*)?")) {
        double age = Double.parseDouble(actual.get(name));
        double other = Double.parseDouble(value);
        if (!name.startsWith("sotto_commit_age_seconds")) { // whole seconds, and grows when idle
          assertThat(age == 0).as("%s: %s and %s", name, age, other).isEqualTo(other == 0);
        }
        assertThat(age).as(name).isBetween(0.0, actualReading.seconds());
        assertThat(other).as(name).isBetween(0.0, expectedReading.seconds());
      } else {
        assertThat(actual.get(name)).as(name).isEqualTo(value);
      }
    });
  }

  private static void awaitEnd(HttpEndpoint endpoint, int rounds) {
    awaitEnd(endpoint, rounds, OPEN);
  }

  private static void awaitEnd(HttpEndpoint endpoint, int rounds, int open) {
    Awaitility.await()
        .atMost(Trial.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(scrape(endpoint))
            .containsEntry("sotto_round{model=\"model\"}", rounds + ".0")
            .containsEntry("sotto_round_open_slots{model=\"model\"}", open + ".0"));
  }

  private Reading metricsAfter(Trial trial, List<byte[]> values, int letters) {
    cluster.createTopic(trial.topic());
    long start = System.nanoTime();
    try (LearnerService service = trial.start();
        StatusPage page = new StatusPage(trial.app(), Map::of);
        HttpEndpoint endpoint = listen(trial, service, page.paths())) {
      page.start(trial.service(), trial.learner());
      cluster.send(trial.topic(), values);
      awaitEnd(endpoint, ROUNDS, trial.layout() == Layout.ROUNDS ? 0 : OPEN); // parts come whole
      Reading reading = Reading.of(endpoint, start);
      Awaitility.await() // those of the open round come by themselves
          .atMost(Trial.PATIENCE)
          .untilAsserted(() -> assertThat(trial.published().letters()).hasSize(letters));
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .untilAsserted(() -> assertThat(get(endpoint, "/api/state").body())
              .as("those of no version, malformed or not")
              .contains("\"waiting\":" + OPEN + ",", "\"threads\":1,"));
      return reading;
    }
  }

  private static List<byte[]> malformed() {
    return IntStream.range(0, EVENTS).mapToObj(i -> new byte[i % 7]).toList();
  }

  @ParameterizedTest
  @EnumSource
  void saysTheSameOfGoodRecordsAndOfMalformedOnes(Layout layout) {
    Trial good = Trial.of("good-" + layout.configName(), folder.resolve("good"), cluster.clients())
        .with(layout);
    Trial bad = Trial.of("bad-" + layout.configName(), folder.resolve("bad"), cluster.clients())
        .with(layout);
    Reading readingOfGood = metricsAfter(good, Trial.events(EVENTS, 1), 0);
    Reading readingOfBad = metricsAfter(bad, malformed(), EVENTS);
    assertThat(good.published().letters()).isEmpty();
    assertThat(bad.published().letters()).hasSize(EVENTS);
    assertSame(readingOfBad, readingOfGood);
    Map<String, String> ofGood = readingOfGood.series();
    assertThat(ofGood)
        .containsEntry("sotto_rounds_total", ROUNDS + ".0")
        .containsEntry("sotto_snapshot_round{model=\"model\"}", ROUNDS + ".0")
        .containsEntry("sotto_exhausted{model=\"model\"}", "0.0")
        .containsEntry("sotto_threads", "1.0")
        .containsKeys(
            "sotto_transaction_age_seconds{thread=\"1\"}",
            "sotto_commit_age_seconds{thread=\"1\"}",
            "sotto_round_age_seconds{model=\"model\"}");
    var last = good.published().ledger().get(ROUNDS - 1);
    assertThat(ofGood)
        .containsEntry(
            "sotto_epsilon_spent{model=\"model\"}", "" + last.guarantee().epsilon())
        .containsEntry("sotto_epsilon_left{model=\"model\"}", "" + last.epsilonLeft())
        .containsEntry("sotto_mu{model=\"model\"}", "" + last.guarantee().mu());
  }

  /**
   * Between commits, where nothing of good records is written in two of the layouts, and dead
   * letters of bad ones are.
   */
  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void saysTheSameOfRecordsThatAreNotCommittedYet(Layout layout) {
    Reading ofGood = uncommitted("open-good", layout, Trial.events(OPEN, 1));
    Reading ofBad = uncommitted("open-bad", layout, malformed().subList(0, OPEN));
    assertSame(ofBad, ofGood);
    assertThat(Double.parseDouble(ofBad.series().get(TRANSACTION_AGE))).isPositive();
  }

  /** What is said once records were taken that are committed only nine seconds later. */
  private Reading uncommitted(String name, Layout layout, List<byte[]> values) {
    String app = name + "-" + layout.configName();
    Trial trial = Trial.of(app, folder.resolve(name), cluster.clients())
        .with(layout)
        .withClients(Map.of("commit.interval.ms", "9000"));
    cluster.createTopic(trial.topic());
    long start = System.nanoTime();
    try (LearnerService service = new LearnerService(trial.learner(), patient(trial.service()));
        HttpEndpoint endpoint = listen(trial, service)) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(service::isRunning);
      cluster.send(trial.topic(), Trial.events(4, 3)); // a round, so that all that is made once is
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> "1.0".equals(scrape(endpoint).get("sotto_rounds_total"))
              && "0.0".equals(scrape(endpoint).get(TRANSACTION_AGE)));
      cluster.send(trial.topic(), values);
      return Awaitility.await()
          .atMost(Trial.PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> Reading.of(endpoint, start),
              reading -> !"0.0".equals(reading.series().get(TRANSACTION_AGE)));
    }
  }

  /** Its transactions last for much longer than lies between two commits. */
  private static ServiceSettings patient(ServiceSettings service) {
    return new ServiceSettings(
        service.clients(), service.stateFolder(), service.firstStart(), 1, Duration.ofMinutes(1));
  }

  @Tag("long")
  @Test
  void namesThePartitionThatHoldsARoundUp() {
    Trial trial = Trial.of("held", folder, cluster.clients()).with(Layout.ROUNDS);
    cluster.createTopic(trial.topic(), 2, Map.of());
    try (LearnerService service = trial.start();
        HttpEndpoint endpoint = listen(trial, service)) {
      awaitAwaited(endpoint, 0, 1); // before the first record of all
      cluster.send(trial.topic(), 0, Trial.events(2, 1));
      awaitAwaited(endpoint, 1);
      assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(200);
      cluster.send(trial.topic(), 1, Trial.events(4, 2)); // all of round 1, and its half of round 2
      awaitAwaited(endpoint, 0);
      cluster.send(trial.topic(), 0, Trial.events(2, 3));
      awaitAwaited(endpoint, 0, 1); // round 3, of which nobody has sent anything
      assertThat(scrape(endpoint)).containsEntry("sotto_round{model=\"model\"}", "2.0");
    }
  }

  private static void awaitAwaited(HttpEndpoint endpoint, Integer... partitions) {
    Awaitility.await()
        .atMost(Trial.PATIENCE)
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(() -> assertThat(scrape(endpoint).keySet())
            .filteredOn(each -> each.startsWith("sotto_awaited_partition_seconds{"))
            .containsExactlyElementsOf(
                Stream.of(partitions).map(AWAITED::formatted).toList()));
  }

  @Tag("long")
  @Test
  void tellsItsStateRightAfterARestartAndGoesOn() {
    Trial trial = Trial.of("again", folder, cluster.clients());
    metricsAfter(trial, Trial.events(EVENTS, 1), 0);
    try (LearnerService service = trial.start();
        HttpEndpoint endpoint = listen(trial, service)) {
      Awaitility.await().atMost(Trial.PATIENCE).until(service::isRunning);
      Map<String, String> idle = scrape(endpoint);
      assertThat(idle)
          .containsEntry("sotto_round{model=\"model\"}", ROUNDS + ".0")
          .containsEntry("sotto_rounds_total", "0.0")
          .doesNotContainKeys(
              "sotto_snapshot_round{model=\"model\"}", "sotto_round_open_slots{model=\"model\"}");
      cluster.send(trial.topic(), Trial.events(4, 2));
      awaitEnd(endpoint, ROUNDS + 1);
      assertThat(scrape(endpoint)).containsEntry("sotto_rounds_total", "1.0");
    }
  }

  /**
   * Without any state it derives all again; the figures wait until they are those of the ledger.
   */
  @Tag("long")
  @Test
  void neverTellsLessThanTheLedgerWhereStateWasLost() throws InterruptedException {
    Trial trial = Trial.of("lost", folder, cluster.clients());
    metricsAfter(trial, Trial.events(EVENTS, 1), 0);
    for (String store : List.of("heads", "learner")) {
      cluster.deleteTopic(trial.app() + "-" + store + "-changelog");
    }
    Trial elsewhere = trial.withFolder(folder.resolve("another"));
    try (LearnerService service = elsewhere.start();
        HttpEndpoint endpoint = listen(elsewhere, service)) {
      cluster.send(trial.topic(), Trial.events(4, 2));
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .pollInterval(Duration.ofMillis(10))
          .until(() -> {
            String round = scrape(endpoint).get("sotto_round{model=\"model\"}");
            assertThat(round).isIn(null, ROUNDS + ".0", (ROUNDS + 1) + ".0");
            return (ROUNDS + 1 + ".0").equals(round);
          });
    }
  }

  @Test
  void followsALearnerFromItsStartToItsEnd() {
    Trial trial = Trial.of("life", folder, cluster.clients());
    cluster.createTopic(trial.topic());
    LearnerService service = new LearnerService(trial.learner(), trial.service());
    try (HttpEndpoint endpoint = listen(trial, service)) {
      assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);
      assertThat(get(endpoint, "/health/started").statusCode()).isEqualTo(503);
      assertThat(get(endpoint, "/health/ready").body()).contains("\"phase\":\"starting\"");
      service.start();
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .until(() -> get(endpoint, "/health/ready").statusCode() == 200);
      assertThat(get(endpoint, "/health/started").statusCode()).isEqualTo(200);
      assertThat(get(endpoint, "/health/live").body())
          .isEqualTo("{\"status\":\"up\",\"phase\":\"running\",\"reasons\":[]}\n");
      service.close();
      assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(503);
      assertThat(get(endpoint, "/health/live").body())
          .contains("\"status\":\"down\"", "\"phase\":\"stopped\"");
      assertThat(scrape(endpoint)).containsEntry("sotto_live", "0.0");
    }
  }

  @Tag("long")
  @Test
  void isDeadOnceItHasRefused() {
    Trial trial = Trial.of("refused", folder, cluster.clients());
    metricsAfter(trial, Trial.events(EVENTS, 1), 0);
    cluster.send(trial.topic(), Trial.events(4, 2));
    cluster.deleteRecords(Names.ledger(trial.app()), 0, -1);
    try (LearnerService service = trial.start();
        HttpEndpoint endpoint = listen(trial, service)) {
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .until(() -> get(endpoint, "/health/live").statusCode() == 503);
      assertThat(service.phase()).isEqualTo(LifecyclePhase.FAILED);
      assertThat(get(endpoint, "/health/live").body()).contains("truncated", "Restore it");
      assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(503);
      assertThat(scrape(endpoint)).containsEntry("sotto_phase{phase=\"failed\"}", "1.0");
    }
  }

  /** The test above can fail: a count of what could not be used is found out. */
  @Test
  void findsAMetricThatDependsOnWhatRecordsHold() {
    Reading ofGood = leaky("leaky-good", Trial.events(EVENTS, 1), 0);
    Reading ofBad = leaky("leaky-bad", malformed(), EVENTS);
    assertThatThrownBy(() -> assertSame(ofBad, ofGood)).isInstanceOf(AssertionError.class);
    String leak = "sotto_leak";
    ofGood.series().remove(leak);
    assertThat(ofBad.series().remove(leak)).isEqualTo(EVENTS + ".0");
    assertSame(ofBad, ofGood);
  }

  private Reading leaky(String app, List<byte[]> values, int letters) {
    Trial trial = Trial.of(app, folder.resolve(app), cluster.clients());
    cluster.createTopic(trial.topic());
    long start = System.nanoTime();
    try (LearnerService service = trial.start();
        HttpEndpoint endpoint = listen(trial, service)) {
      HttpRegistry.gauge(
          endpoint, "sotto.leak", () -> trial.published().letters().size());
      cluster.send(trial.topic(), values);
      awaitEnd(endpoint, ROUNDS);
      Awaitility.await()
          .untilAsserted(() -> assertThat(trial.published().letters()).hasSize(letters));
      return Reading.of(endpoint, start);
    }
  }
}

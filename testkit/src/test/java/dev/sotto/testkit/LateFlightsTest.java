package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.topology.label.LabelJoin;
import dev.sotto.topology.label.PendingEvent;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.store.HeapTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What waiting for labels costs on a year of departures, whose delays are known at arrival. Every
 * flight is scored at its departure, by the model of that moment; then it waits for its label. The
 * figures stand in docs/late-labels.md.
 */
@Tag("long")
class LateFlightsTest {
  private static final String FILE = "hflights_by_tail.jsonl.gz";
  private static final long HOUR = 3_600_000;
  private static final int FLIGHTS = 223_874;
  private static List<Flight> flights;

  @TempDir
  static Path folder;

  private record Flight(String id, long departs, long arrives, byte[] features, byte[] label) {}

  /** Of one run: the mean loss at departures, and how many flights had a label in time. */
  private record Figures(double loss, double accuracy, long labelled, long rounds) {}

  private static Path find() {
    String named = System.getenv("SOTTO_SHARED_DATA");
    Path folder = Path.of(System.getProperty("user.dir")).toAbsolutePath();
    for (; named == null && folder != null; folder = folder.getParent()) {
      Path file = folder.resolve("shared").resolve("data").resolve(FILE);
      if (Files.isReadable(file)) {
        return file;
      }
    }
    return named == null ? Path.of(FILE) : Path.of(named, FILE);
  }

  @BeforeAll
  static void read() throws IOException {
    Path file = find();
    assumeTrue(Files.isReadable(file), FILE + " is not there; SOTTO_SHARED_DATA names its folder");
    flights = new ArrayList<>();
    ObjectMapper json = new ObjectMapper();
    try (var in = new GZIPInputStream(Files.newInputStream(file), 1 << 16);
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode row = json.readTree(line);
        String id = "flight-" + flights.size();
        flights.add(new Flight(
            id,
            row.get("ts").asLong(),
            row.get("label_ts").asLong(),
            json.writeValueAsBytes(row.get("x")),
            ("{\"late\":" + row.get("late").asInt() + "}").getBytes(StandardCharsets.UTF_8)));
      }
    }
    flights.sort(Comparator.comparingLong(Flight::departs));
  }

  private static LearnerSettings settings(long hours, String missing) throws IOException {
    Path key = folder.resolve("noise.key");
    if (!Files.exists(key)) {
      NoiseKey.create(key);
    }
    Path file =
        Files.writeString(folder.resolve("sotto.yaml"), """
        app.id: late-flights
        bootstrap.servers: localhost:9092
        events.topic: departures
        events.labels.topic: arrivals
        events.labels.wait.ms: %d
        events.labels.missing: %s
        layout: direct
        features.numeric.distance: {field: distance, min: 0, max: 3500}
        features.numeric.delay: {field: dep_delay, min: -30, max: 180}
        features.categorical.carrier.field: carrier
        features.categorical.origin.field: origin
        features.categorical.dest.field: dest
        features.categorical.month.field: month
        features.categorical.dow.field: dow
        features.categorical.hour.field: hour
        features.hash.bits: 10
        label.field: late
        loss: logistic
        clip.norm: 1
        batch.size: 500
        release.every.slots: 500
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.file: %s
        """.formatted(hours * HOUR, missing, key));
    return SottoConfig.load(ConfigSource.of(file).withEnvironment(Map.of())).learner();
  }

  /** A learner that is given slots, and scores by its newest model. */
  private static final class Scored {
    private final LearnerSettings settings;
    private final EventDecoder decoder;
    private final ModelLearner model;
    private final Slot learned;
    private final Slot seen;
    private double[] weights;
    private double loss;
    private long right;
    private long scored;
    private long labelled;
    private long rounds;

    Scored(LearnerSettings settings) {
      this.settings = settings;
      decoder = settings.newDecoder();
      model = ModelLearner.start(
          settings.plan(),
          ModelKeys.of(NoiseKey.of(new byte[32])),
          "model",
          new RunName(settings.app(), settings.label()),
          null);
      learned = new Slot(decoder.dimension());
      seen = new Slot(decoder.dimension());
      weights = new double[settings.plan().dimension()];
    }

    /** By the model of this moment; with the label that nobody knows yet. */
    void score(Flight flight) {
      byte[] known = labelled(flight);
      assertThat(decoder.decode(null, known, seen)).isEqualTo(RecordStatus.USED);
      double margin = seen.example().dot(weights);
      double label = seen.example().label();
      double signed = label == 1 ? margin : -margin;
      loss += signed > 0 ? Math.log1p(Math.exp(-signed)) : Math.log1p(Math.exp(signed)) - signed;
      right += signed > 0 ? 1 : 0;
      scored++;
    }

    static byte[] labelled(Flight flight) {
      LabelledEvent.Source source = new LabelledEvent.Source(0, 0, flight.departs());
      return new LabelledEvent(
              LabelledEvent.Join.LABELLED, source, flight.features(), flight.label())
          .encode();
    }

    void learn(byte[] event) {
      labelled += LabelledEvent.decode(event).label() == null ? 0 : 1;
      decoder.decode(null, event, learned);
      if (model.fill(learned)) {
        weights = model.close().weights();
        rounds++;
      }
    }

    Figures figures() {
      return new Figures(loss / scored, (double) right / scored, labelled, rounds);
    }
  }

  private static Figures immediate() throws IOException {
    Scored run = new Scored(settings(24, "empty"));
    for (Flight each : flights) {
      run.score(each);
      run.learn(Scored.labelled(each));
    }
    return run.figures();
  }

  private static Figures delayed(long hours, String missing) throws IOException {
    Scored run = new Scored(settings(hours, missing));
    LabelJoin join = new LabelJoin(
        new HeapTable(), "labels", hours * HOUR, (key, labelled, headers) -> run.learn(labelled));
    List<Flight> arrivals = new ArrayList<>(flights);
    arrivals.sort(Comparator.comparingLong(Flight::arrives));
    int next = 0;
    for (Flight each : flights) {
      for (; next < arrivals.size() && arrivals.get(next).arrives() < each.departs(); next++) {
        label(join, next, arrivals.get(next));
      }
      join.passed(each.departs(), Long.MIN_VALUE);
      run.score(each);
      join.event(new PendingEvent(
          new LabelledEvent.Source(0, run.scored, each.departs()),
          LabelledEvent.Join.MISSING,
          each.id(),
          null,
          each.features(),
          new RecordHeaders()));
      join.taken();
    }
    for (; next < arrivals.size(); next++) {
      label(join, next, arrivals.get(next));
    }
    while (join.hasEvents()) {
      join.passed(Long.MAX_VALUE, Long.MAX_VALUE);
    }
    return run.figures();
  }

  private static void label(LabelJoin join, long offset, Flight flight) {
    join.label(offset, flight.arrives(), flight.id(), flight.label());
    join.taken();
  }

  @Test
  void waitingCostsLittleAndRoundsStayTheSame() throws IOException {
    assertThat(flights).hasSize(FLIGHTS);
    Figures now = immediate();
    System.out.println("immediate: " + now);
    Figures day = delayed(24, "empty");
    System.out.println("wait of 24 h: " + day);
    Figures six = delayed(6, "empty");
    System.out.println("wait of 6 h: " + six);
    Figures two = delayed(2, "empty");
    System.out.println("wait of 2 h, empty: " + two);
    Figures negative = delayed(2, "negative");
    System.out.println("wait of 2 h, negative: " + negative);
    assertThat(List.of(day.rounds(), six.rounds(), two.rounds(), negative.rounds()))
        .allMatch(each -> each == now.rounds());
    assertThat(now.rounds()).isEqualTo(FLIGHTS / 500);
    assertThat(day.labelled()).isEqualTo(FLIGHTS);
    assertThat(now.loss()).isLessThan(0.4); // a model that knows nothing: 0.498
    assertThat(day.loss()).isBetween(now.loss() - 0.002, now.loss() + 0.02);
    assertThat(six.loss()).isBetween(now.loss() - 0.002, now.loss() + 0.02);
    assertThat(two.labelled()).isLessThan(FLIGHTS / 2);
  }
}

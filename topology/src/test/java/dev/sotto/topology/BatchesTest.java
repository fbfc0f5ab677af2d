package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import dev.sotto.topology.LearnerDriver.Sent;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events in batches give every record that events one by one give, and nothing beside it. */
class BatchesTest {
  private static final int DIMENSION = 4;
  private static final int EVENTS = Tier.choose(80, 300);
  private static final int ROUNDS = 30;
  private static final Map<Case, List<String>> ALONE = new EnumMap<>(Case.class);

  @TempDir
  private Path folder;

  private static final String MODEL = "model";
  private static final String OURS = "sotto.batch"; // a name that anybody may use, too

  /** Learners that take batches. */
  private enum Case {
    ONE(Layout.DIRECT, Trial.ONE),
    BY_KEY(Layout.DIRECT, new ModelIdRule(ModelIdRule.Source.KEY, "")),
    BY_HEADER(Layout.DIRECT, new ModelIdRule(ModelIdRule.Source.HEADER, MODEL)),
    ORDERED(Layout.ORDERED, Trial.ONE);

    private final Layout layout;
    private final ModelIdRule models;

    Case(Layout layout, ModelIdRule models) {
      this.layout = layout;
      this.models = models;
    }
  }

  private interface Feed {
    void pipe(LearnerDriver driver, List<Sent> events);
  }

  /**
   * A third of them are poison, or nothing. Keys and headers name one of three models, or none, and
   * not the same; times come in any order, or were never set.
   */
  private static List<Sent> events() {
    Random random = Seed.random(4);
    List<Sent> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      byte[] poison = i % 2 == 0 ? null : new byte[i];
      byte[] value = i % 3 == 0 ? poison : Trial.event(random, DIMENSION);
      RecordHeaders headers = new RecordHeaders();
      if (i % 5 != 0) {
        headers.add(MODEL, name(random)).add(MODEL, name(random)); // the last one counts
      }
      if (i % 4 == 0) {
        headers.add(OURS, name(random));
      }
      long time = i % 7 == 0 ? -1 : random.nextInt(10_000);
      events.add(new Sent(i % 11 == 0 ? null : name(random), value, time, headers));
    }
    return events;
  }

  private static byte[] name(Random random) {
    return new byte[] {'m', (byte) ('a' + random.nextInt(3))};
  }

  /** What events one by one give; once for all tests. */
  private List<String> alone(Case what) throws Exception {
    if (!ALONE.containsKey(what)) {
      ALONE.put(what, outputs(what, "alone", (driver, events) -> events.forEach(driver::pipe)));
    }
    return ALONE.get(what);
  }

  private List<String> outputs(Case what, String name, Feed feed) throws Exception {
    LearnerSettings settings = Trial.settings(what.layout, what.models, Trial.plan(DIMENSION, 7));
    List<String> outputs = new ArrayList<>();
    Path state = Files.createDirectories(folder.resolve(name));
    try (LearnerDriver driver = new LearnerDriver(settings, state, 1)) {
      feed.pipe(driver, events());
      if (what == Case.ORDERED) {
        driver.announce();
      }
      for (String topic : List.of(
          Names.ledger(Trial.APP), Names.snapshots(Trial.APP), Names.deadLetters(Trial.APP))) {
        driver.take(topic).forEach(each -> outputs.add(topic + " " + text(what, each)));
      }
    }
    return outputs;
  }

  /**
   * In layout ordered without the time: it is that of an announcement, for which the broker sets
   * one.
   */
  private static String text(Case what, TestRecord<byte[], byte[]> record) {
    TreeMap<String, String> headers = new TreeMap<>();
    for (Header each : record.headers()) {
      headers.put(each.key(), new String(each.value()));
    }
    String time = what == Case.ORDERED ? "" : record.timestamp() + " ";
    return time + Arrays.toString(record.key()) + " " + Arrays.hashCode(record.value()) + " "
        + headers;
  }

  @ParameterizedTest
  @EnumSource
  void givesWhatEventsOneByOneGive(Case what) throws Exception {
    List<String> alone = alone(what);
    assertThat(alone).hasSizeGreaterThan(EVENTS / 2);
    int[] sizes = Tier.isLong() ? new int[] {1, 2, 7, 64, EVENTS} : new int[] {3, EVENTS};
    for (int most : sizes) {
      List<String> together = outputs(what, "together-" + most, (driver, events) -> {
        for (int from = 0; from < events.size(); from += most) {
          driver.pipeTogether(events.subList(from, Math.min(events.size(), from + most)));
        }
      });
      assertThat(together).as("%d at once", most).isEqualTo(alone);
      assertThat(together).noneMatch(each -> each.contains(OURS));
    }
  }

  /** It learns several models of them, and sets aside what has none. */
  @Test
  void tellsModelsApartInABatch() throws Exception {
    for (Case what : List.of(Case.BY_KEY, Case.BY_HEADER)) {
      List<String> together = outputs(what, "all", (driver, events) -> driver.pipeTogether(events));
      for (String model : List.of("ma", "mb", "mc")) {
        String key = Arrays.toString(model.getBytes(StandardCharsets.UTF_8));
        assertThat(together)
            .as("%s %s", what, model)
            .anyMatch(each -> each.startsWith(Names.ledger(Trial.APP)) && each.contains(key));
      }
      assertThat(together).anyMatch(each -> each.contains("NO_MODEL"));
    }
  }

  /** Thirty rounds of a large model take longer than half of this timeout. */
  @Test
  void leavesToALaterTransactionWhatOneDoesNotBear() {
    int dimension = 1 << 17;
    LearnerSettings settings = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(dimension, 1));
    ServiceSettings service = Trial.service(folder, LearnerDriver.BROKERS, Duration.ofMillis(100));
    byte[] event = ExampleCodec.encodeSparse(null, null, new int[] {5}, new double[] {0.5}, 1, 1);
    try (LearnerDriver driver = new LearnerDriver(settings, service, 1, Optional.empty())) {
      driver.pipeTogether(Collections.nCopies(ROUNDS, new Sent(event, 5000)));
      int atOnce = driver.take(Names.ledger(Trial.APP)).size();
      assertThat(atOnce).isBetween(1, ROUNDS - 1);
      int later = 0;
      for (int i = 0; i < 400 && atOnce + later < ROUNDS; i++) {
        driver.pass(Duration.ofMillis(250));
        later += driver.take(Names.ledger(Trial.APP)).size();
      }
      assertThat(atOnce + later).isEqualTo(ROUNDS);
    }
  }

  /** The twin: without one record, something else comes out. */
  @ParameterizedTest
  @EnumSource
  void wouldShowOneThatIsLost(Case what) throws Exception {
    List<String> alone = alone(what);
    List<String> fewer = outputs(what, "fewer", (driver, events) -> {
      events.remove(64);
      driver.pipeTogether(events);
    });
    assertThat(fewer).isNotEqualTo(alone);
  }
}

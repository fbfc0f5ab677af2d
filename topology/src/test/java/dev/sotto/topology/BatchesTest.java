package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Events in batches give every record that events one by one give, and nothing beside it. */
class BatchesTest {
  private static final int DIMENSION = 4;

  @TempDir
  private Path folder;

  private interface Feed {
    void pipe(LearnerDriver driver, List<byte[]> events);
  }

  /** A third of them are poison. */
  private static List<byte[]> events() {
    Random random = new Random(4);
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      events.add(i % 3 == 0 ? new byte[i] : Trial.event(random, DIMENSION));
    }
    return events;
  }

  private List<String> outputs(Layout layout, String name, Feed feed) throws Exception {
    LearnerSettings settings = Trial.settings(layout, Trial.ONE, Trial.plan(DIMENSION, 7));
    List<String> outputs = new ArrayList<>();
    Path state = Files.createDirectories(folder.resolve(name));
    try (LearnerDriver driver = new LearnerDriver(settings, state, 1)) {
      feed.pipe(driver, events());
      if (layout == Layout.ORDERED) {
        driver.announce();
      }
      for (String topic : List.of(
          Names.ledger(Trial.APP), Names.snapshots(Trial.APP), Names.deadLetters(Trial.APP))) {
        driver.take(topic).forEach(each -> outputs.add(topic + " " + text(each)));
      }
    }
    return outputs;
  }

  private static String text(TestRecord<byte[], byte[]> record) {
    TreeMap<String, String> headers = new TreeMap<>();
    for (Header each : record.headers()) {
      headers.put(each.key(), new String(each.value()));
    }
    return record.timestamp() + " " + Arrays.toString(record.key()) + " "
        + Arrays.hashCode(record.value()) + " " + headers;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS") // takes events one by one
  void givesWhatEventsOneByOneGive(Layout layout) throws Exception {
    List<String> alone = outputs(
        layout, "alone", (driver, events) -> events.forEach(each -> driver.pipe(each, 5000)));
    assertThat(alone).hasSizeGreaterThan(150);
    for (int most : new int[] {2, 7, 64, 300}) {
      List<String> together = outputs(layout, "together-" + most, (driver, events) -> {
        for (int from = 0; from < events.size(); from += most) {
          driver.pipeTogether(events.subList(from, Math.min(events.size(), from + most)), 5000);
        }
      });
      assertThat(together).as("%d at once", most).isEqualTo(alone);
      assertThat(together).noneMatch(each -> each.contains("sotto.batch"));
    }
  }

  /** Forty rounds of a large model take longer than a quarter of this timeout. */
  @Test
  void leavesToALaterTransactionWhatOneDoesNotBear() {
    int dimension = 1 << 18;
    LearnerSettings settings = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(dimension, 1));
    ServiceSettings service = Trial.service(folder, LearnerDriver.BROKERS, Duration.ofMillis(400));
    byte[] event = ExampleCodec.encodeSparse(null, null, new int[] {5}, new double[] {0.5}, 1, 1);
    try (LearnerDriver driver = new LearnerDriver(settings, service, 1, Optional.empty())) {
      driver.pipeTogether(Collections.nCopies(40, event), 5000);
      int atOnce = driver.take(Names.ledger(Trial.APP)).size();
      assertThat(atOnce).isBetween(1, 39);
      int later = 0;
      for (int i = 0; i < 400 && atOnce + later < 40; i++) {
        driver.pass(Duration.ofMillis(250));
        later += driver.take(Names.ledger(Trial.APP)).size();
      }
      assertThat(atOnce + later).isEqualTo(40);
    }
  }

  /** The twin: without one record, something else comes out. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS")
  void wouldShowOneThatIsLost(Layout layout) throws Exception {
    List<String> alone = outputs(
        layout, "whole", (driver, events) -> events.forEach(each -> driver.pipe(each, 5000)));
    List<String> fewer = outputs(layout, "fewer", (driver, events) -> {
      events.remove(64);
      driver.pipeTogether(events, 5000);
    });
    assertThat(fewer).isNotEqualTo(alone);
  }
}

package org.example.parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.testkit.LearnerTestKit;
import dev.sotto.testkit.LearningResult;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;

/** Scans go in; counts and models come out. */
class ParcelsTest {
  private static final LearnerTestKit KIT = LearnerTestKit.of(Path.of("sotto.yaml"));

  private final Map<String, String> counts = new LinkedHashMap<>();

  /** Parcels of the depot in the south are late, those of the north are not. */
  private void scan(TopologyTestDriver driver) {
    TestInputTopic<String, String> scans = driver.createInputTopic(
        Parcels.SCANS, new StringSerializer(), new StringSerializer());
    Random random = new Random(1);
    for (int i = 0; i < 400; i++) {
      boolean south = random.nextBoolean();
      double km = 50 * random.nextDouble();
      scans.pipeInput(
          "parcel-" + i,
          String.format(
              Locale.ROOT, "%s;%.1f;%d", south ? "south" : "north", km, south ? 40 : 0));
    }
    scans.pipeInput("parcel-400", "torn label");
    counts.putAll(driver
        .createOutputTopic(Parcels.COUNTS, new StringDeserializer(), new StringDeserializer())
        .readKeyValuesToMap());
  }

  @Test
  void learnsFromWhatItWritesAndCountsAsBefore() {
    LearningResult learned = KIT.learnEmbedded(Parcels.topology(), this::scan)
        .assertRounds(8)
        .assertDeadLetters(RecordStatus.UNREADABLE, 1)
        .assertEpsilonAtMost(2);
    assertEquals(8, learned.versions().size());
    assertEquals(
        400, Integer.parseInt(counts.get("north")) + Integer.parseInt(counts.get("south")));
    assertEquals("1", counts.get("torn label"));
  }

  /** What there is to be learned shows without noise to speak of. */
  @Test
  void learnsWhichDepotIsLate() {
    LearningResult learned =
        KIT.with("privacy.epsilon", 1e6).learnEmbedded(Parcels.topology(), this::scan);
    double south = learned.predict("{\"depot\":\"south\",\"km\":25,\"late\":0}");
    double north = learned.predict("{\"depot\":\"north\",\"km\":25,\"late\":0}");
    assertTrue(south > 0.6 && north < 0.4, south + " and " + north);
  }
}

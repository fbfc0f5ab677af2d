package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.log.MemoryLogs;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class LearnerTopologyTest {
  private static final int DIMENSION = 4;
  private static final Path GOLDEN = Path.of("src", "test", "resources", "topology");

  @TempDir
  Path folder;

  /** A changed drawing shows up in review: {@code -Dgolden.update=true} writes it anew. */
  @ParameterizedTest
  @EnumSource
  void drawsWhatIsCheckedIn(Layout layout) throws IOException {
    LearnerSettings settings = Trial.settings(layout, Trial.ONE, Trial.plan(DIMENSION, 5));
    RoundGenesis genesis = new RoundGenesis(
        "event-topic-id",
        List.of(new OffsetRange(0, 0, 4), new OffsetRange(1, 9, 13)),
        new byte[16],
        new byte[32],
        "key");
    SourceTopics source =
        new SourceTopics(settings.trainingTopic(), "topic-id", 1, "event-topic-id").with(genesis);
    String text = LearnerTopology.build(settings, source, new MemoryLogs(), Optional.empty())
        .describe()
        .toString();
    Path file = GOLDEN.resolve(layout.configName() + ".txt");
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS")
  void isAddedToATopologyOfOnesOwn(Layout layout) {
    LearnerSettings settings = Trial.settings(layout, Trial.ONE, Trial.plan(DIMENSION, 5));
    Topology own = own("raw", "mine");
    add(settings, own);
    Set<String> read = new TreeSet<>();
    List<String> nodes = new ArrayList<>();
    own.describe()
        .subtopologies()
        .forEach(part -> part.nodes().forEach(node -> {
          nodes.add(node.name());
          if (node instanceof TopologyDescription.Source source) {
            read.addAll(source.topicSet());
          }
        }));
    assertThat(nodes).contains("mine", Names.TRAIN);
    assertThat(read).contains("raw").containsAll(LearnerTopology.inputs(settings));
    assertThat(read).hasSize(1 + LearnerTopology.inputs(settings).size());
  }

  @Test
  void refusesATopologyOfOnesOwnThatCannotBeOneWithIt() {
    LearnerSettings direct = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(DIMENSION, 5));
    assertThatThrownBy(() -> add(direct, own(direct.eventTopic(), "mine")))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("the learner alone reads " + direct.eventTopic());
    assertThatThrownBy(() -> add(direct, own("raw", Names.TRAIN)))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("its nodes and stores need their names for themselves");
    LearnerSettings rounds = Trial.settings(Layout.ROUNDS, Trial.ONE, Trial.plan(DIMENSION, 5));
    assertThatThrownBy(() -> add(rounds, own("raw", "mine")))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("layout rounds holds tasks back");
  }

  private static Topology own(String topic, String name) {
    return new Topology().addSource(name, topic).addSink(name + "-sink", "results", name);
  }

  private static void add(LearnerSettings settings, Topology own) {
    SourceTopics source =
        new SourceTopics(settings.trainingTopic(), "topic-id", 1, "event-topic-id");
    LearnerTopology.addTo(own, settings, source, new MemoryLogs(), new LearnerStatus(1));
  }

  /** The event topic would give the trainer as many tasks as it has partitions. */
  @Test
  void readsAnnouncementsAloneWhereTheyOrderTheEvents() {
    LearnerSettings settings = Trial.settings(Layout.ORDERED, Trial.ONE, Trial.plan(DIMENSION, 5));
    SourceTopics source =
        new SourceTopics(settings.trainingTopic(), "topic-id", 1, "event-topic-id");
    assertThat(LearnerTopology.build(settings, source, new MemoryLogs(), Optional.empty())
            .describe()
            .subtopologies())
        .hasSize(1);
    assertThat(LearnerTopology.inputs(settings)).containsExactly(settings.trainingTopic());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ROUNDS") // whose tasks wait for each other
  void publishesTheModelThatThePureStepGives(Layout layout) {
    Plan plan = Trial.plan(DIMENSION, 5);
    LearnerSettings settings = Trial.settings(layout, Trial.ONE, plan);
    ModelLearner reference =
        ModelLearner.start(plan, ModelKeys.of(settings.key()), "model", settings.runName(), null);
    Slot slot = new Slot(DIMENSION);
    List<double[]> expected = new ArrayList<>();
    Random random = Seed.random(1);
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      for (int i = 0; i < 23; i++) {
        byte[] event = Trial.event(random, DIMENSION);
        driver.pipe(null, event);
        settings.decoder().get().decode(null, event, slot);
        if (reference.fill(slot)) {
          expected.add(reference.close().weights());
        }
        if (i % 7 == 0) {
          driver.pass(Duration.ofMinutes(2)); // a checkpoint must not decide anything
        }
      }
      driver.announce();
      List<PublishedModel> models = driver.takeModels();
      assertThat(models).extracting(PublishedModel::weights).containsExactlyElementsOf(expected);
      assertThat(models)
          .extracting(each -> each.manifest().version())
          .containsExactly(1L, 2L, 3L, 4L);
      List<LedgerEntry> ledger = driver.takeLedger();
      assertThat(ledger)
          .extracting(LedgerEntry::ranges)
          .containsExactly(range(0, 5), range(5, 10), range(10, 15), range(15, 20));
      assertThat(ledger)
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(
              models.stream().map(each -> each.manifest().digest()).toList());
      assertThat(driver.takeDeadLetters()).isEmpty();
    }
  }

  public static List<OffsetRange> range(long from, long to) {
    return List.of(new OffsetRange(0, from, to));
  }

  @Test
  void takesWhatIsAnnouncedAndSetsAsideWhatIsOfNoUse() {
    LearnerSettings settings = Trial.settings(Layout.ORDERED, Trial.ONE, Trial.plan(DIMENSION, 5));
    Random random = Seed.random(2);
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      driver.announce();
      for (int i = 0; i < 30; i++) {
        driver.pipe(null, i % 3 == 0 ? new byte[i] : Trial.event(random, DIMENSION));
        if (i == 11) {
          driver.announce();
        }
      }
      driver.announce();
      driver.announce(); // there is nothing new
      assertThat(driver.takeDeadLetters())
          .extracting(record -> LearnerDriver.header(record, "sotto.offset"))
          .containsExactly("0", "3", "6", "9", "12", "15", "18", "21", "24", "27");
      assertThat(driver.takeLedger()).hasSize(6);
    }
  }

  @Test
  void cutsLargeModelsIntoChunksThatBrokersTake() {
    int dimension = 1 << 18;
    var cadence = new Cadence(1000, Duration.ofMinutes(1), 2);
    LearnerSettings settings =
        Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(dimension, 2), cadence);
    Random random = Seed.random(4);
    try (LearnerDriver driver = new LearnerDriver(settings, folder, 1)) {
      for (int i = 0; i < 6; i++) {
        driver.pipe(null, sparse(random, dimension));
      }
      List<PublishedModel> models = driver.takeModels();
      assertThat(models).hasSize(3);
      assertThat(models.get(2).weights()).hasSize(dimension).doesNotContain(Double.NaN);
      assertThat(models.get(2).manifest().chunks()).isEqualTo(4);
      assertThat(driver.parts)
          .hasSize(3 * 5)
          .allSatisfy(part -> assertThat(part.length).isLessThan(512 * 1024 + 100));
      assertThat(driver.takeLedger()).hasSize(3);
    }
  }

  private static byte[] sparse(Random random, int dimension) {
    int[] indices = random.ints(20, 0, dimension).sorted().distinct().toArray();
    double[] values = random.doubles(indices.length, -1, 1).toArray();
    return ExampleCodec.encodeSparse(null, null, indices, values, random.nextInt(2), 1);
  }
}

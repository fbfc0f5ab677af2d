package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * State, topics and ledger that a learner of some version left when it stopped in the middle of a
 * round, kept as files: the program of today goes on from them bit for bit, or refuses them by name
 * and says how to go on (docs/upgrading.md). With {@code -Dfixture.update=true} the files of the
 * present semantics are written anew; those of earlier ones stay.
 */
class UpgradeTest {
  private static final Path FOLDER = Path.of("src/test/resources/stopped");
  private static final int DIMENSION = 3;
  private static final int EVENTS = 400; // in each partition
  private static final int STOPPED_AFTER = 230;
  /** What was stopped. */
  enum Stopped {
    DIRECT_RECORD(Layout.DIRECT, 1, new Participation.Once(), UnitSource.NONE),
    DIRECT_KEY(Layout.DIRECT, 1, new Participation.Budgeted(4), UnitSource.KEY),
    ROUNDS(Layout.ROUNDS, 2, new Participation.Once(), UnitSource.NONE);

    private final Layout layout;
    private final int partitions;
    private final Participation participation;
    private final UnitSource units;

    Stopped(Layout layout, int partitions, Participation participation, UnitSource units) {
      this.layout = layout;
      this.partitions = partitions;
      this.participation = participation;
      this.units = units;
    }

    private Plan plan() {
      return new PlanBuilder()
          .features("three features")
          .dimension(DIMENSION)
          .loss("logistic", Losses.LOGISTIC.make())
          .algorithm(
              "private-ftrl",
              "decreasing 1",
              new PrivateFtrl(
                  new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)))
          .mechanism(Mechanisms.BLT.make())
          .clip(1)
          .batch(16)
          .versions(new VersionSchedule(48, 0))
          .sigma(0.5)
          .adjacency(Adjacency.ZERO_OUT)
          .unit(units == UnitSource.KEY ? PrivacyUnit.KEY : PrivacyUnit.RECORD)
          .budget(new Budget(1e6, 1e-6))
          .participation(participation)
          .build();
    }

    private LearnerSettings learner() {
      return new LearnerSettings(
          "stopped",
          layout,
          new LearnerSettings.Events(
              "events",
              new ModelIdRule(ModelIdRule.Source.CONSTANT, "model"),
              () -> new ExampleCodec(DIMENSION, 1 << 20, units)),
          new LearnerSettings.Run(plan(), NoiseKey.of(new byte[32]), "1"),
          new LearnerSettings.Cadence(50, Duration.ofSeconds(60), 1));
    }

    private Recording events() {
      Random random = new Random(3);
      InMemoryRecording.Builder events = InMemoryRecording.of("events").topicId("topic");
      for (int i = 0; i < EVENTS * partitions; i++) {
        double[] values = random.doubles(DIMENSION, -0.5, 0.5).toArray();
        byte[] value = random.nextInt(20) == 0
            ? new byte[3]
            : ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
        events.add(i % partitions, new byte[] {(byte) random.nextInt(40)}, value);
      }
      return events.build();
    }

    private Path file(int semantics) {
      return FOLDER.resolve(name().toLowerCase(java.util.Locale.ROOT).replace('_', '-')
          + "-semantics-" + semantics + ".txt");
    }
  }

  /** Publishes into a list of lines. */
  private record Lines(List<String> all) implements OutputListener {
    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      all.add(ClusterFile.line("ledger", partition, modelId, entry));
    }

    @Override
    public void snapshot(int partition, String key, byte[] value) {
      all.add(ClusterFile.line("snapshots", partition, key, value));
    }
  }

  private static InMemoryCluster cluster(Stopped what, List<String> published) {
    return new InMemoryCluster(
        what.learner(),
        RecordedInput.of(what.events()),
        new Lines(published),
        (model, round) -> null);
  }

  /** Lets tasks take turns, up to a number of events. */
  private static void run(InMemoryCluster cluster, long most) {
    boolean stepped = true;
    while (stepped) {
      stepped = false;
      for (ProcessorTask each : cluster.all()) {
        while (cluster.events() < most && each.step()) {
          stepped = true;
          if (each.wantsCommit() || each.hasOutput()) {
            commit(cluster, each);
          }
        }
        commit(cluster, each);
      }
    }
  }

  private static void commit(InMemoryCluster cluster, ProcessorTask task) {
    InMemoryTransaction transaction = cluster.begin();
    task.commit(transaction);
    transaction.end();
  }

  private static List<String> undisturbed(Stopped what) {
    List<String> published = new ArrayList<>();
    try (InMemoryCluster cluster = cluster(what, published)) {
      cluster.all().forEach(ProcessorTask::start);
      run(cluster, Long.MAX_VALUE);
    }
    return published;
  }

  /** With a checkpoint of the open round. */
  private static void stop(Stopped what) throws IOException {
    List<String> published = new ArrayList<>();
    try (InMemoryCluster cluster = cluster(what, published)) {
      cluster.all().forEach(ProcessorTask::start);
      run(cluster, (long) STOPPED_AFTER * what.partitions);
      cluster.passTime(61_000);
      cluster.all().forEach(each -> {
        each.advanceClock(cluster.now());
        commit(cluster, each);
      });
      ClusterFile.write(what.file(Releaser.SEMANTICS), Releaser.SEMANTICS, cluster, published);
    }
  }

  private static List<String> goOn(Stopped what, Path file, String damagedStore)
      throws IOException {
    List<String> published = new ArrayList<>();
    try (InMemoryCluster cluster = cluster(what, published)) {
      published.addAll(ClusterFile.read(file, cluster));
      if (damagedStore != null) {
        ClusterFile.damage(cluster, damagedStore);
      }
      cluster.all().forEach(ProcessorTask::start);
      run(cluster, Long.MAX_VALUE);
    }
    return published;
  }

  @ParameterizedTest
  @EnumSource
  void goesOnFromWhatItLeftOrSaysHow(Stopped what) throws IOException {
    if (Boolean.getBoolean("fixture.update")) {
      stop(what);
    }
    List<String> whole = undisturbed(what);
    assertThat(whole).hasSizeGreaterThan(20);
    int kept = 0;
    for (int semantics = 1; semantics <= Releaser.SEMANTICS; semantics++) {
      Path file = what.file(semantics);
      if (Files.notExists(file)) {
        continue; // of before there were such files
      }
      kept++;
      assertThat(ClusterFile.semantics(file)).isEqualTo(semantics);
      if (semantics == Releaser.SEMANTICS) {
        assertThat(goOn(what, file, null)).isEqualTo(whole);
      } else {
        assertThatThrownBy(() -> goOn(what, file, null))
            .isInstanceOf(UnsafeToContinueException.class)
            .hasMessageContaining("start.from");
      }
    }
    assertThat(what.file(Releaser.SEMANTICS)).exists();
    assertThat(kept).isPositive();
  }

  /** Its twin: the state is what it goes on from. */
  @ParameterizedTest
  @EnumSource
  void wouldNoticeAnotherState(Stopped what) throws IOException {
    List<String> whole = undisturbed(what);
    try {
      assertThat(goOn(what, what.file(Releaser.SEMANTICS), "learner")).isNotEqualTo(whole);
    } catch (RuntimeException refused) {
      assertThat(refused).hasMessageContaining("state");
    }
  }
}

package dev.sotto.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.StepScale;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
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
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.LabelledDecoder;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.RoundObserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * State, topics and ledger that a learner of some version left when it stopped in the middle of a
 * round, kept as files: the program of today goes on from them bit for bit, or refuses them by name
 * and says how to go on (docs/upgrading.md). With {@code -Dfixture.update=true} files that the
 * present semantics lack are written; what is there stays as it was written.
 */
class UpgradeTest {
  private static final Path FOLDER = Path.of("src/test/resources/stopped");
  private static final int DIMENSION = 3;
  private static final int BATCH = 16;
  private static final int EVENTS = 400; // in each partition
  private static final int STOPPED_AFTER = 230;
  private static final int TURN = 7; // events of one partition, before others take theirs
  private static final String MODEL = "model";
  private static final ModelIdRule ONE = new ModelIdRule(ModelIdRule.Source.CONSTANT, MODEL);
  private static final ModelIdRule SEVERAL = new ModelIdRule(ModelIdRule.Source.HEADER, MODEL);

  private static final FeatureMap FIELDS = FeatureMap.builder()
      .bias(true)
      .numeric("a", "a", -1, 1, Transform.IDENTITY, false)
      .numeric("b", "b", -1, 1, Transform.IDENTITY, false)
      .label("y", new LabelRule.AsItIs())
      .build();
  private static final LateLabels LABELS = new LateLabels(
      "events",
      "labels",
      Optional.empty(),
      Duration.ofMillis(500),
      Duration.ZERO,
      OptionalLong.empty());

  /** What was stopped. */
  enum Stopped {
    DIRECT_RECORD(Layout.DIRECT, 1, new Participation.Once(), UnitSource.NONE, ONE),
    /** Its state has iterates beside noisy sums. */
    DIRECT_ITERATES(Layout.DIRECT, 1, new Participation.Once(), UnitSource.NONE, ONE),
    /**
     * Enough weights for all that is done for many: sums in bits, noise of rounds that is drawn again
     * on top of stored noise, steps that are raised.
     */
    DIRECT_WIDE(Layout.DIRECT, 1, new Participation.Once(), UnitSource.NONE, ONE),
    DIRECT_KEY(Layout.DIRECT, 1, new Participation.Budgeted(4), UnitSource.KEY, ONE),
    DIRECT_MODELS(Layout.DIRECT, 2, new Participation.Budgeted(4), UnitSource.KEY, SEVERAL),
    /** Events and labels wait for each other. */
    DIRECT_LATE_LABELS(Layout.DIRECT, 1, new Participation.Once(), UnitSource.NONE, ONE),
    ORDERED(Layout.ORDERED, 2, new Participation.Once(), UnitSource.NONE, ONE),
    ORDERED_CANDIDATES(Layout.ORDERED, 2, new Participation.Budgeted(8), UnitSource.KEY, ONE),
    ROUNDS(Layout.ROUNDS, 2, new Participation.Once(), UnitSource.NONE, ONE);

    private final Layout layout;
    private final int partitions;
    private final Participation participation;
    private final UnitSource units;
    private final ModelIdRule models;

    Stopped(
        Layout layout,
        int partitions,
        Participation participation,
        UnitSource units,
        ModelIdRule models) {
      this.layout = layout;
      this.partitions = partitions;
      this.participation = participation;
      this.units = units;
      this.models = models;
    }

    private int dimension() {
      return this == DIRECT_WIDE ? 100 : DIMENSION;
    }

    /** Of many weights it is such that their sums take bits that are no whole bytes. */
    private double sigma() {
      return this == DIRECT_WIDE ? 0.1 : 0.5;
    }

    private PlanBuilder algorithm(double step) {
      PlanBuilder plan = new PlanBuilder()
          .features("three features")
          .dimension(dimension())
          .loss("logistic", Losses.LOGISTIC.make());
      if (this == DIRECT_WIDE) {
        StepSize steps = new StepSize.NoiseAware(
            Mechanisms.BLT.make(), sigma(), BATCH, new StepScale(1, 50, 0.5), true, true);
        return plan.algorithm(
            "private-ftrl",
            "noise-aware",
            new PrivateFtrl(new EuclideanBall(null, Double.POSITIVE_INFINITY), steps));
      }
      return this == DIRECT_ITERATES
          ? plan.algorithm(
              "accelerated-dp-srgd",
              "step " + step,
              new AcceleratedDpSrgd(new EuclideanBall(null, 2), step, true, Gradients.RECURSIVE))
          : plan.algorithm(
              "private-ftrl",
              "decreasing " + (step == 1 ? "1" : step),
              new PrivateFtrl(
                  new EuclideanBall(null, Double.POSITIVE_INFINITY),
                  new StepSize.Decreasing(step)));
    }

    private Plan plan(double step) {
      return algorithm(step)
          .mechanism(Mechanisms.BLT.make())
          .clip(1)
          .batch(BATCH)
          .versions(new VersionSchedule(48, 0))
          .sigma(sigma())
          .adjacency(Adjacency.ZERO_OUT)
          .unit(units == UnitSource.KEY ? PrivacyUnit.KEY : PrivacyUnit.RECORD)
          .budget(new Budget(1e6, 1e-6))
          .participation(participation)
          .candidates(this == ORDERED_CANDIDATES ? Candidates.of(2) : Candidates.ALONE)
          .build();
    }

    private EventDecoder decoder() {
      return this == DIRECT_LATE_LABELS
          ? new LabelledDecoder(
              FIELDS,
              new JsonEventDecoder(FIELDS),
              new JsonEventDecoder(FIELDS),
              MissingLabel.NEGATIVE)
          : new ExampleCodec(dimension(), 1 << 20, units);
    }

    private LearnerSettings.Run run() {
      NoiseKey key = NoiseKey.of(new byte[32]);
      if (this != ORDERED_CANDIDATES) {
        return new LearnerSettings.Run(plan(1), key, "1");
      }
      CandidateModels two = new CandidateModels(
          List.of(new CandidateModels.One("a", plan(1)), new CandidateModels.One("b", plan(0.5))));
      return new LearnerSettings.Run(two, key, "1", RoundObserver.NONE, Optional.empty());
    }

    private LearnerSettings learner() {
      return new LearnerSettings(
              "stopped",
              layout,
              new LearnerSettings.Events(
                  "events",
                  models,
                  Collections.nCopies(run().candidates().number(), this::decoder),
                  Optional.empty(),
                  Optional.empty()),
              run(),
              new Cadence(50, Duration.ofSeconds(60), 1))
          .with(Optional.of(LABELS).filter(each -> this == DIRECT_LATE_LABELS));
    }

    private RecordedInput input(Recording order) {
      return this == DIRECT_LATE_LABELS
          ? new RecordedInput(
              late("events", 0.5, i -> "{\"a\": " + (i % 17 - 8) / 8.0 + ", \"b\": 0.5}"),
              late("labels", 2, i -> "{\"y\": " + i % 2 + "}"),
              order)
          : new RecordedInput(events(), null, order);
    }

    /**
     * Records of one of two topics that are joined by id, in the order of their time; one in six is
     * missing, and one in twelve comes twice.
     *
     * @param spread their times lie by up to so many waits behind those of the ids
     */
    private Recording late(String topic, double spread, IntFunction<String> value) {
      Random random = new Random(topic.length()); // the events of the files, under any seed
      List<long[]> all = new ArrayList<>(); // time, id
      for (int id = 0; id < EVENTS * partitions; id++) {
        int chance = random.nextInt(12);
        for (int i = chance < 2 ? 0 : chance < 3 ? 2 : 1; i > 0; i--) {
          long after = (long) (random.nextDouble() * spread * LABELS.patience().toMillis());
          all.add(new long[] {1 + 10L * id + after, id});
        }
      }
      all.sort(Comparator.comparingLong(each -> each[0]));
      InMemoryRecording.Builder made = InMemoryRecording.of(topic); // no id, as in the files
      long[] ends = new long[partitions];
      for (long[] each : all) {
        int id = (int) each[1];
        made.add(
            id % partitions,
            ends[id % partitions]++,
            each[0],
            ("id " + id).getBytes(StandardCharsets.UTF_8),
            value.apply(id).getBytes(StandardCharsets.UTF_8),
            new RecordHeaders());
      }
      return made.build();
    }

    private Recording events() {
      Random random = new Random(3); // as above
      InMemoryRecording.Builder events = InMemoryRecording.of("events").topicId("topic");
      long[] ends = new long[partitions];
      for (int i = 0; i < EVENTS * partitions; i++) {
        double[] values = random.doubles(dimension(), -0.5, 0.5).toArray();
        byte[] value = random.nextInt(20) == 0
            ? new byte[3]
            : ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
        byte[] unit = {(byte) random.nextInt(40)};
        if (models.source() == ModelIdRule.Source.CONSTANT) {
          events.add(i % partitions, unit, value);
          continue;
        }
        byte[] model = ("model-" + random.nextInt(5)).getBytes(StandardCharsets.UTF_8);
        int place = random.nextInt(12); // of one in twelve not its home, of another it has no name
        int partition = (models.home(model, partitions) + (place == 0 ? 1 : 0)) % partitions;
        RecordHeaders headers = new RecordHeaders();
        if (place != 1) {
          headers.add(MODEL, model);
        }
        events.add(partition, ends[partition]++, i, unit, value, headers);
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

  /**
   * What a run has published, by the partition that did.
   *
   * @param order in which layout ordered learned; null in other layouts
   */
  private record Outcome(List<String> published, Recording order) {
    static Outcome of(InMemoryCluster cluster, List<String> published) {
      List<String> sorted = new ArrayList<>(published);
      if (cluster.settings().labels().isPresent()) {
        // Only weights: the offsets of what a join writes depend on its transactions.
        sorted.removeIf(each -> each.startsWith("ledger") || each.contains("/manifest "));
      }
      sorted.sort(Comparator.comparingInt(each -> Integer.parseInt(each.split(" ")[1])));
      boolean ordered =
          cluster.settings().layout() == Layout.ORDERED && !cluster.topics().followsOrder();
      return new Outcome(
          sorted, ordered ? cluster.topics().recorded(Names.order(cluster.application())) : null);
    }
  }

  private static InMemoryCluster cluster(Stopped what, Recording order, List<String> published) {
    return new InMemoryCluster(
        what.learner(), what.input(order), new Lines(published), (model, round) -> null);
  }

  /** Lets tasks take turns, up to a number of events. */
  private static void run(InMemoryCluster cluster, long most) {
    boolean stepped = true;
    while (stepped) {
      stepped = cluster.arrivals() != null && arrive(cluster.arrivals(), most);
      for (ProcessorTask each : cluster.all()) {
        for (int i = 0; i < TURN && cluster.events() < most && each.step(); i++) {
          stepped = true;
          if (each.wantsCommit() || each.hasOutput()) {
            commit(cluster, each);
          }
        }
        cluster.passTime(100);
        stepped |= each.advanceClock(cluster.now()) && cluster.events() < most;
        commit(cluster, each);
      }
    }
  }

  private static boolean arrive(Arrivals arrivals, long most) {
    boolean arrived = false;
    for (int i = 0; i < arrivals.partitions(); i++) {
      arrived |= arrivals.arrive(i, (int) Math.min(TURN, most - arrivals.count())) > 0;
    }
    return arrivals.announce() || arrived;
  }

  private static void commit(InMemoryCluster cluster, ProcessorTask task) {
    InMemoryTransaction transaction = cluster.begin();
    task.commit(transaction);
    transaction.end();
  }

  /** In the same order, where the layout leaves one open. */
  private static List<String> undisturbed(Stopped what, Recording order) {
    List<String> published = new ArrayList<>();
    try (InMemoryCluster cluster = cluster(what, order, published)) {
      cluster.all().forEach(ProcessorTask::start);
      run(cluster, Long.MAX_VALUE);
      return Outcome.of(cluster, published).published();
    }
  }

  /** With a checkpoint of the open round. */
  private static void stop(Stopped what) throws IOException {
    List<String> published = new ArrayList<>();
    try (InMemoryCluster cluster = cluster(what, null, published)) {
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

  private static Outcome goOn(Stopped what, Path file, String damagedStore) throws IOException {
    List<String> published = new ArrayList<>();
    try (InMemoryCluster cluster = cluster(what, null, published)) {
      published.addAll(ClusterFile.read(file, cluster));
      if (damagedStore != null) {
        ClusterFile.damage(cluster, damagedStore);
      }
      cluster.all().forEach(ProcessorTask::start);
      run(cluster, Long.MAX_VALUE);
      return Outcome.of(cluster, published);
    }
  }

  @ParameterizedTest
  @EnumSource
  void goesOnFromWhatItLeftOrSaysHow(Stopped what) throws IOException {
    if (Boolean.getBoolean("fixture.update") && Files.notExists(what.file(Releaser.SEMANTICS))) {
      stop(what);
    }
    int kept = 0;
    for (int semantics = 1; semantics <= Releaser.SEMANTICS; semantics++) {
      Path file = what.file(semantics);
      if (Files.notExists(file)) {
        continue; // of before there were such files
      }
      kept++;
      assertThat(ClusterFile.semantics(file)).isEqualTo(semantics);
      if (semantics == Releaser.SEMANTICS) {
        Outcome outcome = goOn(what, file, null);
        assertThat(outcome.published())
            .hasSizeGreaterThan(what == Stopped.DIRECT_LATE_LABELS ? 6 : 20)
            .isEqualTo(undisturbed(what, outcome.order()));
      } else {
        assertThatThrownBy(() -> goOn(what, file, null))
            .isInstanceOf(UnsafeToContinueException.class)
            .hasMessageContaining("start.from");
      }
    }
    assertThat(what.file(Releaser.SEMANTICS)).exists();
    assertThat(kept).isPositive();
  }

  /** What the state of many weights is there for lies in it. */
  @Test
  void hasAllFormsOfManyWeights() throws IOException {
    List<String> lines = Files.readAllLines(Stopped.DIRECT_WIDE.file(Releaser.SEMANTICS));
    for (String array : List.of("prefix", "noise", "redrawn", "iterates")) {
      String key = ClusterFile.hex((array + "/0/model").getBytes(StandardCharsets.UTF_8));
      List<String> values = lines.stream()
          .filter(each -> each.contains(" learner " + key + " "))
          .map(each -> each.substring(each.lastIndexOf(' ') + 1))
          .toList();
      assertThat(values).as(array).hasSize(1);
      if (array.equals("prefix")) {
        assertThat((values.get(0).length() / 2 * 8 / 100) % 8).isNotZero(); // no whole bytes each
      }
    }
  }

  /** Its twin: the state is what it goes on from. */
  @ParameterizedTest
  @EnumSource
  void wouldNoticeAnotherState(Stopped what) throws IOException {
    Path file = what.file(Releaser.SEMANTICS);
    List<String> whole = undisturbed(what, goOn(what, file, null).order());
    try {
      String store = what == Stopped.DIRECT_LATE_LABELS ? "joins" : "learner";
      assertThat(goOn(what, file, store).published()).isNotEqualTo(whole);
    } catch (RuntimeException refused) {
      assertThat(refused).hasMessageContaining("state");
    }
  }
}

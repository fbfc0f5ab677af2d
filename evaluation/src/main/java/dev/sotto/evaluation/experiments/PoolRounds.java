package dev.sotto.evaluation.experiments;

import dev.sotto.evaluation.text.ResultTable;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionKeys;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loss over synchronous rounds on recorded flights in four partitions, in layout rounds, at one
 * guarantee, with the bytes that are sent: what an algorithm makes of few rounds.
 */
final class PoolRounds implements Experiment {
  private static final int PARTITIONS = 4;
  private static final int SLOTS = 32_768;
  private static final int TESTED = 32_768;
  private static final double[] EPSILONS = {1, 4};
  private static final double[] ROUNDS = {4, 8, 16, 32, 64};

  private final ResultTable table = new ResultTable(
      "epsilon",
      "algorithm",
      "settings",
      "synchronous rounds",
      "gradients of a slot",
      "loss",
      "bytes down, all workers",
      "bytes up, all workers",
      "ms a round, in memory");

  /** What is compared. */
  private enum Contender {
    RESQUE("resque", 8),
    RESQUE_WIDE("resque, wide", 8),
    SRGD("accelerated-dp-srgd", 0),
    FTRL("private-ftrl", 0),
    NORMALISED("sensitivity-reduced-nsgd", 1),
    NORMALISED_PLAIN("sensitivity-reduced-nsgd, fresh gradients", 1);

    final String label;

    /** Gradients of a slot in a round; 0 where each slot is in one round. */
    final int gradients;

    Contender(String label, int gradients) {
      this.label = label;
      this.gradients = gradients;
    }

    List<String> settings(int rounds) {
      String algorithm = "algorithm=" + label.split(",")[0];
      if (gradients == 0) {
        return List.of(
            algorithm,
            "batch.size=" + SLOTS / rounds,
            "privacy.horizon.rounds=" + rounds,
            VersionKeys.SLOTS + "=1");
      }
      List<String> settings = new ArrayList<>(List.of(algorithm, "block.slots=" + SLOTS));
      switch (this) {
        case RESQUE -> settings.add("resque.rounds=" + rounds);
        case RESQUE_WIDE ->
          settings.addAll(List.of("resque.rounds=" + rounds, "resque.smoothing=2"));
        case NORMALISED -> settings.add("momentum.epochs=" + rounds);
        default -> settings.addAll(List.of("momentum.epochs=" + rounds, "momentum.share=1"));
      }
      return settings;
    }
  }

  @Override
  public String name() {
    return "resque-rounds";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          name() + ": skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(table, table, Map.of());
    }
    QualityRun run = new QualityRun(QualitySet.YEAR_B, folder.get(), List.of());
    Recording recording = recording(QualitySet.YEAR_B.events(folder.get()));
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (double epsilon : quick ? new double[] {4} : EPSILONS) {
      double[] rounds = quick ? new double[] {4} : ROUNDS;
      Chart chart = new Chart(
          "32,768 flights in four partitions, epsilon " + (int) epsilon,
          "synchronous rounds",
          true,
          "log-loss of the flights behind",
          false);
      for (Contender each : Contender.values()) {
        double[] losses = Arrays.stream(rounds)
            .map(count -> measure(run, recording, epsilon, each, (int) count))
            .toArray();
        chart.line(each.label, rounds, losses, losses, losses);
      }
      charts.put("epsilon-" + (int) epsilon, chart);
    }
    return new Outcome(table, table, charts);
  }

  private static Recording recording(List<byte[]> events) {
    InMemoryRecording.Builder builder = InMemoryRecording.of("events");
    for (int i = 0; i < SLOTS; i++) {
      builder.add(i % PARTITIONS, null, events.get(i));
    }
    return builder.build();
  }

  /** Runs the processors of the layout; returns the loss of what they published last. */
  private double measure(
      QualityRun run, Recording recording, double epsilon, Contender contender, int rounds) {
    List<String> more = new ArrayList<>(contender.settings(rounds));
    String settings = String.join(" ", more.subList(1, more.size()));
    more.add("layout=rounds");
    LearnerSettings learner = run.learner(epsilon, more).with(SeededNoiseKey.of(1));
    Plan plan = learner.plan();
    SnapshotAssembler assembler = new SnapshotAssembler();
    double[][] weights = {plan.start()};
    Replay.Result result = new Replay(learner, recording).run(new OutputListener() {
      @Override
      public void snapshot(int partition, String key, byte[] value) {
        assembler
            .accept(key.getBytes(StandardCharsets.UTF_8), value)
            .ifPresent(model -> weights[0] = model.weights());
      }
    });
    double loss =
        PoolDefaults.loss(plan.objective(), new StreamPart(run, SLOTS, TESTED), weights[0]);
    RoundMessages messages = RoundMessages.of(plan);
    int gradients = contender.gradients == 0
        ? contender == Contender.SRGD ? 2 : 1
        : contender == Contender.NORMALISED ? 2 * rounds - 1 : contender.gradients * rounds;
    double millis = 1e3 * result.seconds() / rounds;
    table.add(
        epsilon,
        contender.label,
        settings,
        rounds,
        gradients,
        loss,
        messages.down() * PARTITIONS * rounds,
        messages.up() * PARTITIONS * rounds,
        millis);
    System.err.println("resque-rounds: " + epsilon + " " + contender.label + " " + settings + ": "
        + rounds + " rounds, " + (float) loss + ", " + messages + ", " + (float) millis + " ms, "
        + result.rounds() + " closed");
    return loss;
  }
}

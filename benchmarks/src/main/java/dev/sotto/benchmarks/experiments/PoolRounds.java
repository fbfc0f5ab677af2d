package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.FlightRounds.Contender;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.key.SeededNoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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

  @Override
  public String name() {
    return "resque-rounds";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    Optional<FlightRounds> opened = FlightRounds.open();
    if (opened.isEmpty()) {
      System.err.println(
          name() + ": skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(table, table, Map.of());
    }
    FlightRounds flights = opened.get();
    Recording recording = recording(flights);
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
        if (each.isSynchronous()) {
          double[] losses = Arrays.stream(rounds)
              .map(count -> measure(flights, recording, epsilon, each, (int) count))
              .toArray();
          chart.line(each.label(), rounds, losses, losses, losses);
        }
      }
      charts.put("epsilon-" + (int) epsilon, chart);
    }
    return new Outcome(table, table, charts);
  }

  private static Recording recording(FlightRounds flights) {
    InMemoryRecording.Builder builder = InMemoryRecording.of("events");
    for (int i = 0; i < FlightRounds.SLOTS; i++) {
      builder.add(i % PARTITIONS, null, flights.event(i));
    }
    return builder.build();
  }

  /** Runs the processors of the layout; returns the loss of what they published last. */
  private double measure(
      FlightRounds flights, Recording recording, double epsilon, Contender contender, int rounds) {
    List<String> chosen = contender.settings(rounds);
    String settings = String.join(" ", chosen.subList(1, chosen.size()));
    LearnerSettings learner =
        flights.learner(contender, epsilon, rounds).with(SeededNoiseKey.of(1));
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
    double loss = flights.loss(plan, weights[0]);
    RoundMessages messages = RoundMessages.of(plan);
    double millis = 1e3 * result.seconds() / rounds;
    table.add(
        epsilon,
        contender.label(),
        settings,
        rounds,
        contender.gradients(rounds),
        loss,
        messages.down() * PARTITIONS * rounds,
        messages.up() * PARTITIONS * rounds,
        millis);
    System.err.println("resque-rounds: " + epsilon + " " + contender.label() + " " + settings + ": "
        + rounds + " rounds, " + (float) loss + ", " + messages + ", " + (float) millis + " ms, "
        + result.rounds() + " closed");
    return loss;
  }
}

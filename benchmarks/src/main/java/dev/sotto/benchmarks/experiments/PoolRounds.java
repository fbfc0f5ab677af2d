package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.FlightRounds.Contender;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Loss over synchronous rounds on recorded flights in four partitions, in layout rounds, at one
 * guarantee, with the bytes that are sent: what an algorithm makes of few rounds.
 */
final class PoolRounds implements Experiment {
  private static final int PARTITIONS = 4;
  private static final List<Double> EPSILONS = List.of(1.0, 4.0);
  private static final List<Integer> ROUNDS = List.of(4, 8, 16, 32, 64);

  private record Row(
      double epsilon,
      Contender contender,
      int rounds,
      double loss,
      RoundMessages messages,
      double millis) {
    String settings() {
      List<String> chosen = contender.settings(rounds);
      return String.join(" ", chosen.subList(1, chosen.size()));
    }
  }

  @Override
  public String name() {
    return "resque-rounds";
  }

  @Override
  public String question() {
    return "Loss and bytes over synchronous rounds, on flights in four partitions";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    FlightRounds flights = FlightRounds.open().orElseThrow();
    Recording recording = recording(flights);
    List<Row> all = new ArrayList<>();
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (double epsilon : trials.choose(EPSILONS, List.of(4.0))) {
      Chart chart = new Chart(
          "32,768 flights in four partitions, epsilon " + (int) epsilon,
          "synchronous rounds",
          true,
          "log-loss of the flights behind",
          false);
      for (Contender each : Contender.values()) {
        if (each.isSynchronous()) { // one after the other: they are timed
          List<Row> rows = new ArrayList<>();
          for (int rounds : trials.choose(ROUNDS, List.of(4))) {
            rows.add(measured(flights, recording, epsilon, each, rounds));
            trials.say("%s", rows.get(rows.size() - 1));
          }
          chart.line(each.label(), rows, Row::rounds, Row::loss);
          all.addAll(rows);
        }
      }
      charts.put("epsilon-" + (int) epsilon, chart);
    }
    var table = new Columns<Row>()
        .add("epsilon", Row::epsilon)
        .add("algorithm", row -> row.contender().label())
        .add("settings", Row::settings)
        .add("synchronous rounds", Row::rounds)
        .add("gradients of a slot", row -> row.contender().gradients(row.rounds()))
        .add("loss", Row::loss)
        .add("bytes down, all workers", row -> all(row.messages().down(), row))
        .add("bytes up, all workers", row -> all(row.messages().up(), row))
        .add("ms a round, in memory", Row::millis)
        .of(all);
    return new Outcome(table, table, charts);
  }

  private static long all(long bytes, Row row) {
    return bytes * PARTITIONS * row.rounds();
  }

  private static Recording recording(FlightRounds flights) {
    InMemoryRecording.Builder builder = InMemoryRecording.of("events");
    for (int i = 0; i < FlightRounds.SLOTS; i++) {
      builder.add(i % PARTITIONS, null, flights.event(i));
    }
    return builder.build();
  }

  /** Runs the processors of the layout, and looks at what they published last. */
  private static Row measured(
      FlightRounds flights, Recording recording, double epsilon, Contender contender, int rounds) {
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
    return new Row(
        epsilon,
        contender,
        rounds,
        flights.loss(plan, weights[0]),
        RoundMessages.of(plan),
        1e3 * result.seconds() / rounds);
  }
}

package org.example.lateness;

import dev.sotto.client.LiveModel;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.RecordStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Scores lines of JSON with the newest version of a model, while versions come and go. */
public final class LatenessScorer {
  private final Supplier<ScoringModel> newest;
  private Scorer scorer;

  /** A scorer that asks for the newest version before each event; for one thread. */
  LatenessScorer(Supplier<ScoringModel> newest) {
    this.newest = newest;
    this.scorer = newest.get().scorer();
  }

  /** The brokers and the app.id of the learner; events come from standard input. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Map<String, String> clients = Map.of("bootstrap.servers", arguments[0]);
    try (LiveModel model = LiveModel.open(clients, arguments[1])) {
      model.await(Duration.ofSeconds(30));
      LatenessScorer scorer = new LatenessScorer(() -> model.current().orElseThrow());
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(scorer.score(line));
      }
    }
  }

  /** What is predicted of an event, by which version; or why nothing is. */
  String score(String event) {
    ScoringModel model = newest.get();
    if (model != scorer.model()) {
      scorer = model.scorer();
    }
    RecordStatus status = scorer.score(event.getBytes(StandardCharsets.UTF_8));
    return status == RecordStatus.USED
        ? "version " + model.version() + ": " + scorer.prediction()
        : "version " + model.version() + ": none, since " + status.sentence();
  }
}

package org.example.parcels;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.topology.runtime.LearnerService;
import java.nio.file.Path;

/** Runs the application with the learner inside: one Kafka Streams, one group, exactly once. */
public final class ParcelsApp {
  private ParcelsApp() {}

  /** The one argument is sotto.yaml. Runs until it is stopped, or until it cannot go on. */
  public static void main(String[] arguments) throws InterruptedException {
    SottoConfig config = SottoConfig.load(
        ConfigSource.of(Path.of(arguments[0])).withEnvironment(System.getenv()));
    LearnerService app = new LearnerService(config.learner(), config.service());
    Runtime.getRuntime().addShutdownHook(new Thread(app::close));
    app.start(Parcels.topology());
    app.awaitEnd();
    if (app.failure() != null) {
      throw app.failure(); // says what to do
    }
  }
}

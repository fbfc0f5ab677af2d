package dev.sotto.app.live;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.topology.runtime.LearnerService;
import java.nio.file.Path;
import java.util.Map;

/** A learner as a process of its own, to be killed. Its one argument is a configuration. */
final class LateLabelsLearner {
  private LateLabelsLearner() {}

  public static void main(String[] args) throws InterruptedException {
    SottoConfig config =
        SottoConfig.load(ConfigSource.of(Path.of(args[0])).withEnvironment(Map.of()));
    LearnerService service = new LearnerService(config.learner(), config.service());
    Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    service.start();
    service.awaitEnd();
    if (service.failure() != null) {
      System.err.println(service.failure().getMessage());
    }
  }
}

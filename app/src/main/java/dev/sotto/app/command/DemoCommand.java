package dev.sotto.app.command;

import dev.sotto.app.demo.Demo;
import dev.sotto.app.demo.DemoPlan;
import dev.sotto.app.demo.DemoReport;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.settings.Optimizers;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The whole product on one machine, on public data. */
@Command(
    name = "demo",
    description = {
      "Start a Kafka broker, play a recorded stream into it, learn a private model, and show what"
          + " it came to.",
      "The stream is public: the demo prints figures (empty slots, exact quality) that 'run'"
          + " never does."
    })
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--epsilon",
      defaultValue = "1",
      description = "The budget. Default: ${DEFAULT-VALUE}.")
  private double epsilon;

  @Option(
      names = "--delta",
      defaultValue = "1e-6",
      description = "Its delta. Default: ${DEFAULT-VALUE}.")
  private double delta;

  @Option(
      names = "--algorithm",
      defaultValue = "private-ftrl",
      description = "Default: ${DEFAULT-VALUE}.")
  private String algorithm;

  @Option(
      names = "--mechanism",
      defaultValue = "blt",
      description =
          "How the noise is put together, as privacy.mechanism. Default: ${DEFAULT-VALUE}.")
  private String mechanism;

  @Option(
      names = "--unit",
      defaultValue = "key",
      description =
          "Whom the budget protects: key (every player) or record (every season). Default:"
              + " ${DEFAULT-VALUE}.")
  private String unit;

  @Option(
      names = "--noise-key-file",
      paramLabel = "F",
      description =
          "A file of 64 hexadecimal digits; with the same key the same snapshot digest. Default:"
              + " a fresh key.")
  private Path noiseKeyFile;

  @Option(
      names = "--json",
      description = "Print one JSON object as the last line of standard output.")
  private boolean json;

  @Option(
      names = "--hold",
      description = "Keep broker, learner and page running at the end, until interrupted.")
  private boolean hold;

  @Override
  public Integer call() throws Exception {
    Path home = Path.of(System.getProperty("sotto.home", "."));
    Demo.Options options = new Demo.Options(
        home,
        new DemoPlan.Options(
            Optimizers.named(algorithm)
                .orElseThrow(() -> unknown(
                    "--algorithm", algorithm, names(Optimizers.values(), Optimizers::configName))),
            Mechanisms.named(mechanism)
                .orElseThrow(() -> unknown(
                    "--mechanism", mechanism, names(Mechanisms.values(), Mechanisms::configName))),
            budget(),
            PrivacyUnit.named(unit)
                .orElseThrow(() ->
                    unknown("--unit", unit, names(PrivacyUnit.values(), PrivacyUnit::configName)))),
        noiseKeyFile,
        System.console() != null);
    Path folder = Files.createTempDirectory("sotto-demo-");
    // Read when the first logger is made, which is later.
    if (System.getenv("SOTTO_LOG_DIR") == null) {
      System.setProperty("sotto.log.dir", folder.resolve("logs").toString());
    }
    Demo demo = new Demo(options, folder, System.err);
    StopHook hook = new StopHook(demo::close);
    try {
      DemoReport report = demo.run();
      PrintStream people = json ? System.err : System.out;
      report
          .lines(hold || options.terminal() && !json ? demo.bootstrapServers() : null)
          .forEach(people::println);
      if (json) {
        System.out.println(JsonRenderer.of(report.json()));
      }
      if (hold) {
        new CountDownLatch(1).await(); // until interrupted
      } else if (options.terminal() && !json) {
        people.println("page        " + demo.pageAddress() + " is served until you press Enter");
        System.in.read();
      }
    } finally {
      demo.close();
      hook.close();
    }
    return ExitCode.OK.code();
  }

  private Budget budget() {
    try {
      if (!(epsilon < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("epsilon must be finite, but was " + epsilon);
      }
      return new Budget(epsilon, delta);
    } catch (IllegalArgumentException wrong) {
      throw new SottoException(FailureKind.USAGE, wrong.getMessage(), wrong);
    }
  }

  private static <T> String names(T[] values, Function<T, String> name) {
    return Arrays.stream(values).map(name).collect(Collectors.joining(", "));
  }

  private static SottoException unknown(String option, String value, String known) {
    return new SottoException(
        FailureKind.USAGE, option + " must be one of " + known + ", but was " + value);
  }
}

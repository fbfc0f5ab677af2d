package dev.sotto.app.demo;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.description.GuaranteeFigures;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What the demo prints at its end. */
public final class DemoReport {
  private static final String TEXT = """

      learned     %,d rounds, %,d slots filled in %.1f s (%,.0f examples/s while learning)
      empty       %s
      cost        epsilon %s at delta %s for all %,d snapshots together (budget %s; %s, %s, unit %s)
                  for %s, at the limit of an endless stream: %s
      quality     on %,d later player-seasons     published   record-level   without privacy
                  %s
                  %s
                  %s   (majority %.4f)
                  epsilon                         %9s   %12s               inf
                  (record-level: the same budget for every single season, which leaves a player \
      with many of them far less protected;
                  without privacy: the best of %d trials, steps and passes chosen by these figures)
      digest      %s
                  %s
                  the same key gives the same digest: ./sotto demo --noise-key-file %s
      files       %s: snapshot.json, ledger-last.json, result.json, logs/
      note        the data are public: exact quality and empty slots are unsafe figures, and 'run' \
      prints none
      %s
      """;
  private static final String ENDED =
      "next        ./sotto demo --hold keeps the broker, to look at its topics: %s.snapshots,"
          + " .ledger, .dead-letters";
  private static final String HELD = """
      next        ./sotto ledger --bootstrap-server %2$s --app-id %1$s
                  ./sotto snapshot --bootstrap-server %2$s --app-id %1$s
                  press Ctrl-C to stop the broker\
      """;

  private final DemoResult result;
  private final Path folder;
  private final Demo.Options options;

  DemoReport(DemoResult result, Path folder, Demo.Options options) {
    this.result = result;
    this.folder = folder;
    this.options = options;
  }

  /** The figures as JSON. */
  public Map<String, Object> json() {
    return result.json();
  }

  /**
   * The summary.
   *
   * @param bootstrapServers of the broker that keeps running, or null
   */
  public List<String> lines(String bootstrapServers) {
    Guarantee guarantee = result.guarantee();
    boolean byKey = guarantee.unit() == PrivacyUnit.KEY;
    HeldOutScores own = result.scores();
    HeldOutScores record = result.beside().byRecord().scores();
    HeldOutScores free = result.beside().withoutPrivacy();
    String text = String.format(
        Locale.ROOT,
        TEXT,
        result.last().round(),
        result.last().slots(),
        result.speed().seconds(),
        result.speed().examplesPerSecond(),
        empty(),
        GuaranteeFigures.up(guarantee.epsilon(), 6),
        GuaranteeFigures.upShort(guarantee.delta(), 3),
        result.last().sequence(),
        GuaranteeFigures.upShort(result.last().budgetEpsilon(), 6),
        guarantee.mechanism(),
        guarantee.adjacency().configName(),
        guarantee.unit().configName(),
        byKey ? "each player, all seasons together" : "each season",
        Double.isInfinite(guarantee.epsilonLimit())
            ? "none, the budget stops it"
            : "epsilon " + GuaranteeFigures.up(guarantee.epsilonLimit(), 6),
        own.events(),
        row("AUC", own.auc(), record.auc(), free.auc()),
        row("log-loss", own.logLoss(), record.logLoss(), free.logLoss()),
        row("accuracy", own.accuracy(), record.accuracy(), free.accuracy()),
        Math.max(own.positives(), 1 - own.positives()),
        GuaranteeFigures.up(guarantee.epsilon(), 4),
        GuaranteeFigures.up(result.beside().byRecord().last().guarantee().epsilon(), 4),
        DemoPlan.TRIALS,
        result.snapshotDigest(),
        result.replayAgrees()
            ? "the same events replayed without Kafka gave the same bits"
            : "WARNING: the same events replayed without Kafka gave other bits",
        options.keyFile() == null ? folder.resolve("noise.key") : options.keyFile(),
        folder,
        String.format(bootstrapServers == null ? ENDED : HELD, Demo.APP, bootstrapServers));
    return text.lines().toList();
  }

  /** How many slots of how many, and why. */
  private String empty() {
    String reasons = result.emptyByReason().entrySet().stream()
        .map(each -> String.format(Locale.ROOT, "%s %,d", each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%,d of them%s; %,d were learned from",
        result.emptySlots(),
        reasons.isEmpty() ? "" : ": " + reasons,
        result.last().slots() - result.emptySlots());
  }

  private static String row(String name, double own, double record, double free) {
    return String.format(Locale.ROOT, "%-8s %32.4f   %12.4f   %15.4f", name, own, record, free);
  }
}

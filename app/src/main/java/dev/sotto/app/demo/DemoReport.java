package dev.sotto.app.demo;

import dev.sotto.app.view.Figures;
import dev.sotto.learner.privacy.PrivacyUnit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The demo's last words. */
public final class DemoReport {
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
    return result.asJson();
  }

  /**
   * The summary.
   *
   * @param bootstrapServers of the broker that keeps running, or null
   */
  public List<String> lines(String bootstrapServers) {
    List<String> lines = new ArrayList<>();
    var guarantee = result.guarantee();
    var own = result.privately();
    var record = result.beside().byRecord().evaluation();
    var free = result.beside().withoutPrivacy();
    lines.add("");
    add(
        lines,
        "learned     %d rounds, %,d slots filled in %.1f s (%,.0f examples/s while learning)",
        result.rounds(),
        result.slots(),
        result.seconds(),
        result.learnedPerSecond());
    add(
        lines,
        "empty       %d slots%s",
        result.emptySlots(),
        result.emptySlots() == 0 ? "" : ", because " + result.emptyByReason());
    add(
        lines,
        "cost        epsilon %s at delta %s for all %d snapshots together (budget %s; %s, %s, unit %s)",
        Figures.up(guarantee.epsilon(), 6),
        Figures.upShort(guarantee.delta(), 3),
        result.rounds(),
        Figures.upShort(result.budget(), 6),
        guarantee.mechanism(),
        guarantee.adjacency().configName(),
        guarantee.unit().configName());
    add(
        lines,
        "            for %s, at the limit of an endless stream: %s",
        guarantee.unit() == PrivacyUnit.KEY ? "each player, all seasons together" : "each season",
        Double.isInfinite(guarantee.epsilonLimit())
            ? "none, the budget stops it"
            : "epsilon " + Figures.up(guarantee.epsilonLimit(), 6));
    add(
        lines,
        "quality     on %,d later player-seasons     published   record-level   without privacy",
        own.events());
    add(
        lines,
        "            AUC                             %9.4f   %12.4f   %15.4f",
        own.auc(),
        record.auc(),
        free.auc());
    add(
        lines,
        "            log-loss                        %9.4f   %12.4f   %15.4f",
        own.logLoss(),
        record.logLoss(),
        free.logLoss());
    add(
        lines,
        "            accuracy                        %9.4f   %12.4f   %15.4f   (majority %.4f)",
        own.accuracy(),
        record.accuracy(),
        free.accuracy(),
        Math.max(own.positives(), 1 - own.positives()));
    add(
        lines,
        "            epsilon                         %9s   %12s   %15s",
        Figures.up(guarantee.epsilon(), 4),
        Figures.up(result.beside().byRecord().last().guarantee().epsilon(), 4),
        "inf");
    lines.add(
        "            (record-level: the same budget for every single season, which leaves a player with many"
            + " of them far less protected)");
    add(lines, "digest      %s", result.snapshotDigest());
    lines.add(
        result.replayAgrees()
            ? "            the same events replayed without Kafka gave the same bits"
            : "            WARNING: the same events replayed without Kafka gave other bits");
    add(
        lines,
        "            the same key gives the same digest: ./sotto demo --noise-key-file %s",
        options.keyFile() == null ? folder.resolve("noise.key") : options.keyFile());
    add(lines, "files       %s: snapshot.json, ledger-last.json, result.json, logs/", folder);
    lines.add(
        "note        the data are public: exact quality and empty slots are unsafe figures, and 'run' prints none");
    if (bootstrapServers == null) {
      lines.add("next        ./sotto demo --hold keeps the broker, to look at its topics: "
          + Demo.APP + ".snapshots, .ledger, .dead-letters");
    } else {
      add(
          lines,
          "next        ./sotto ledger --bootstrap-server %s --app-id %s",
          bootstrapServers,
          Demo.APP);
      add(
          lines,
          "            ./sotto snapshot --bootstrap-server %s --app-id %s",
          bootstrapServers,
          Demo.APP);
      lines.add("            press Ctrl-C to stop the broker");
    }
    return lines;
  }

  private static void add(List<String> lines, String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }
}

package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.replay.recording.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Recorded streams under key-level privacy, and under the bound on contributions alone. */
final class BoundedKeys implements Experiment {
  static final double[] EPSILONS = {1, 2, 8};
  private static final double[] SPREADS = {0, 0.3, 0.9};
  private static final double[] MULTIPLIERS = {32, 128, 256, 512};
  private static final double[] QUIET_MULTIPLIERS = {16, 64, 256, 1024};
  private static final int SMALLER = 4; // rounds without noise

  @Override
  public String name() {
    return "bounded-keys";
  }

  /** Every recipe of one kind. */
  static List<KeyedRecipe> grid(KeyedSet set, GuaranteeLevel protection, double epsilon) {
    List<KeyedRecipe> grid = new ArrayList<>();
    boolean noisy = protection == GuaranteeLevel.CONFIGURED;
    double[] spreads = protection == GuaranteeLevel.NONE ? new double[] {0} : SPREADS;
    for (int given : set.batches()) {
      int batch = noisy ? given : given / SMALLER;
      for (double spread : spreads) {
        for (double multiplier : noisy ? MULTIPLIERS : QUIET_MULTIPLIERS) {
          grid.add(new KeyedRecipe(protection, epsilon, batch, spread, multiplier));
        }
      }
    }
    return grid;
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    ResultTable summary = new ResultTable(
        "set",
        "contributions",
        "learned",
        "epsilon",
        "log-loss",
        "least",
        "largest",
        "accuracy",
        "recipe");
    ResultTable all = new ResultTable(
        "set", "protection", "epsilon", "batch", "spread", "multiplier", "log-loss", "accuracy");
    Map<String, Chart> charts = new LinkedHashMap<>();
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          "bounded-keys: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(summary, all, charts);
    }
    for (KeyedSet set : quick ? new KeyedSet[] {KeyedSet.INCIDENTS} : KeyedSet.values()) {
      System.err.println("bounded-keys: " + set.label);
      Recording recording = set.read(folder.get());
      KeyedRun run = new KeyedRun(set, recording, set.reference(folder.get()), quick);
      charts.put(set.label, run.run(EPSILONS, summary, all));
    }
    return new Outcome(summary, all, charts);
  }
}

package dev.sotto.app.quality;

import dev.sotto.learner.monitoring.LossInterval;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The losses of one model's present run by windows, and whether they move an alias. */
final class ModelWindows {
  /** Of this many windows the losses are remembered: the newest. */
  static final int MOST = 5_000;

  private final NavigableMap<Long, LossInterval> byLastRound = new TreeMap<>();
  private byte[] run = {};

  /**
   * A move that the gate would make.
   *
   * @param target the version of the newest window
   * @param newest the loss there
   * @param present the loss where the alias is
   */
  record Move(AliasTarget target, LossInterval newest, LossInterval present) {}

  void add(ModelMetrics window) {
    if (!Arrays.equals(run, window.runId())) {
      run = window.runId();
      byLastRound.clear();
    }
    byLastRound.put(window.noisy().lastRound(), LossInterval.of(window.noisy()));
    if (byLastRound.size() > MOST) {
      byLastRound.pollFirstEntry();
    }
  }

  /**
   * Where an alias is to go; empty where it stays. It stays where it was deleted or rolled back,
   * where it names another run, where the losses of its window are not known any more, and where
   * the newest window is not better, or ends with a version that a rollback has left behind.
   */
  Optional<Move> move(ModelAlias alias) {
    if (alias.newest().isRollback() || alias.target().isEmpty() || byLastRound.isEmpty()) {
      return Optional.empty();
    }
    AliasTarget present = alias.target().get();
    Map.Entry<Long, LossInterval> there = byLastRound.ceilingEntry(present.version());
    LossInterval newest = byLastRound.lastEntry().getValue();
    if (!Arrays.equals(present.runId(), run)
        || there == null
        || !there.getValue().holds(present.version())
        || !newest.isBetterThan(there.getValue())) {
      return Optional.empty();
    }
    AliasTarget target = new AliasTarget(present.modelId(), run, newest.lastRound());
    return Optional.of(new Move(target, newest, there.getValue()))
        .filter(move -> !alias.isAbandoned(move.target()))
        .filter(move -> move.target().version() > present.version());
  }
}

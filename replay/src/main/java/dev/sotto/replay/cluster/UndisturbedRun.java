package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;

/**
 * Runs a learner over a recording without a fault: partitions take turns in an order that a seed decides, and what
 * one task publishes is there for the others at once.
 */
public final class UndisturbedRun {
  private static final int TURN = 1024;
  private static final long REPORT = 16_384;
  private static final long WAIT = 1_000; // milliseconds that pass when nothing else happens

  private final Cluster cluster;
  private final Random random;
  private final int turn;
  private final LongConsumer progress;
  private final long limit;
  private long reported;

  /**
   * A run before its first step.
   *
   * @param keys under which rounds come out
   * @param limit ends it after so many events
   * @param progress told now and then how many events have been processed
   */
  public UndisturbedRun(
      LearnerSettings settings,
      Recording recording,
      Outputs outputs,
      KeyHistory keys,
      long seed,
      long limit,
      LongConsumer progress) {
    this.cluster = new Cluster(settings, recording, outputs, keys);
    this.random = new Random(seed);
    long fresh =
        settings.plan().batch() / 8; // so that no event meets a model much older than need be
    this.turn =
        settings.layout() == Layout.FUNNEL ? (int) Math.max(1, Math.min(TURN, fresh)) : TURN;
    this.limit = limit;
    this.progress = progress;
  }

  /** Has every event watched. */
  public UndisturbedRun watch(EventWatcher watcher) {
    cluster.watch(watcher);
    return this;
  }

  /** Runs to the end; returns how many events were processed. */
  public long run() {
    try (cluster) {
      cluster.all().forEach(Task::start);
      List<Task> open = new ArrayList<>(cluster.sources());
      boolean waited = false;
      while (cluster.events() < limit) {
        boolean stepped = turnOfOne(open);
        stepped |= behind();
        if (stepped) {
          waited = false;
        } else if (waited || !passTime()) {
          break;
        } else {
          waited = true;
        }
      }
      progress.accept(cluster.events());
      return cluster.events();
    }
  }

  /** Lets one task take a turn; of those that have nothing to do now, another. */
  private boolean turnOfOne(List<Task> open) {
    int first = open.size() > 1 ? random.nextInt(open.size()) : 0;
    for (int i = 0; i < open.size(); i++) {
      Task task = open.get((first + i) % open.size());
      int steps = open.size() > 1 ? 1 + random.nextInt(turn) : turn;
      if (steps(task, steps)) {
        return true;
      }
    }
    return false;
  }

  private boolean steps(Task task, int most) {
    int done = 0;
    boolean direct = cluster.behind().isEmpty();
    while (done < most && cluster.events() < limit && task.step()) {
      done++;
      if (task.wantsCommit() || direct && task.hasOutput()) {
        commit(task);
      }
    }
    if (done > 0) {
      commit(task);
      report();
    }
    return done > 0;
  }

  private boolean behind() {
    boolean stepped = false;
    for (Task task : cluster.behind()) {
      while (task.step()) {
        stepped = true;
        if (task.wantsCommit()) {
          commit(task);
        }
      }
      if (task.isTouched()) {
        commit(task);
      }
    }
    if (stepped) {
      cluster.trim();
    }
    return stepped;
  }

  private boolean passTime() {
    cluster.passTime(WAIT);
    boolean called = false;
    for (Task task : cluster.all()) {
      called |= task.advanceClock(cluster.now());
      if (task.isTouched()) {
        commit(task);
      }
    }
    return called;
  }

  private void commit(Task task) {
    Transaction transaction = cluster.begin();
    task.commit(transaction);
    transaction.end();
  }

  private void report() {
    if (cluster.events() - reported >= REPORT) {
      reported = cluster.events();
      progress.accept(reported);
    }
  }
}

package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.MemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Runs a learner over a recording while instances crash, transactions are aborted and tasks move from one instance to
 * another, at moments that a seed decides. What an instance's tasks did since its last commit never happened when it
 * fails: outputs, positions and stores alike, as under exactly_once_v2. Offsets that aborted records and the marks of
 * transactions take up stay empty.
 */
public final class FaultyRun {
  private static final int MOST_RECORDS = 6; // of one turn

  private final Cluster cluster;
  private final LearnerSettings settings;
  private final Faults faults;
  private final Random random;
  private final List<List<Task>> instances = new ArrayList<>();
  private int crashes;
  private int aborts;
  private int rebalances;
  private int commits;
  private int turns;
  private int idle;

  /** A run before its first step. */
  public FaultyRun(
      LearnerSettings settings, Recording recording, Outputs outputs, Faults faults, long seed) {
    this.cluster = new Cluster(settings, recording, outputs);
    this.settings = settings;
    this.faults = faults;
    this.random = new Random(seed);
    cluster.patience(() -> faults.shortSlices() ? 1 + random.nextInt(3) : Integer.MAX_VALUE);
    for (int i = 0; i < faults.instances(); i++) {
      instances.add(new ArrayList<>());
    }
  }

  /**
   * What happened.
   *
   * @param crashes instances that died
   * @param aborts transactions that were aborted
   * @param rebalances tasks that moved
   * @param commits transactions that were committed
   * @param turns in which a task took records
   */
  public record Report(int crashes, int aborts, int rebalances, int commits, int turns) {}

  /** Runs until nobody has anything left to do. */
  public Report run() {
    try (cluster) {
      cluster.all().forEach(each -> any().add(each));
      cluster.all().forEach(Task::start);
      while (idle < 3) {
        turn();
        happen();
      }
      return new Report(crashes, aborts, rebalances, commits, turns);
    }
  }

  private List<Task> any() {
    return instances.get(random.nextInt(instances.size()));
  }

  /** One task takes a few records; if none can, all that is pending is committed and time passes. */
  private void turn() {
    List<Task> all = cluster.all();
    int first = random.nextInt(all.size());
    for (int i = 0; i < all.size(); i++) {
      Task task = all.get((first + i) % all.size());
      int most = faults.single() != null ? 1 : 1 + random.nextInt(MOST_RECORDS);
      boolean stepped = false;
      for (int taken = 0; taken < most && task.step(); taken++) {
        stepped = true;
        if (task.wantsCommit() && random.nextInt(4) > 0) {
          commit(instanceOf(task));
        }
      }
      if (stepped) {
        idle = 0;
        turns++;
        if (faults.single() != null && faults.single().turn() == turns) {
          suffer(faults.single().kind(), instanceOf(task));
        }
        return;
      }
    }
    instances.forEach(this::commit);
    cluster.passTime(1_000);
    boolean called = false;
    for (Task each : all) {
      called |= each.advanceClock(cluster.now());
      if (each.hasOutput() || each.wantsCommit()) {
        idle = -1; // something was read again, and there may be more of it
      }
    }
    instances.forEach(this::commit);
    idle += called ? 1 : 2;
  }

  private void happen() {
    if (idle > 0) {
      return;
    }
    if (comes(faults.commit())) {
      commit(any());
    }
    if (comes(faults.pause())) {
      cluster.passTime(random.nextInt(4) == 0 ? 120_000 : 1 + random.nextInt(1_000));
      cluster.all().forEach(each -> each.advanceClock(cluster.now()));
    }
    if (comes(faults.crash())) {
      crash(any());
    }
    if (comes(faults.abort())) {
      beginAgain(any());
    }
    if (comes(faults.rebalance())) {
      rebalance(any(), any());
    }
  }

  private void suffer(Faults.Kind kind, List<Task> instance) {
    switch (kind) {
      case CRASH -> crash(instance);
      case ABORT -> beginAgain(instance);
      case REBALANCE ->
        rebalance(
            instance,
            instances.stream().filter(each -> each != instance).findFirst().orElse(instance));
      default -> throw new IllegalStateException("no such fault: " + kind);
    }
  }

  private void beginAgain(List<Task> instance) {
    abort(instance);
    instance.forEach(Task::startAgain);
    aborts++;
  }

  private boolean comes(int every) {
    return every > 0 && random.nextInt(every) == 0;
  }

  private List<Task> instanceOf(Task task) {
    return instances.stream().filter(each -> each.contains(task)).findFirst().orElseThrow();
  }

  private void commit(List<Task> instance) {
    if (instance.stream().anyMatch(Task::isTouched)) {
      Transaction transaction = cluster.begin();
      instance.forEach(each -> each.commit(transaction));
      transaction.end();
      commits++;
    }
  }

  private void abort(List<Task> instance) {
    Transaction transaction = cluster.begin();
    instance.forEach(each -> each.abort(transaction));
    transaction.end();
  }

  /** Its tasks begin elsewhere, in new processors. */
  private void crash(List<Task> instance) {
    abort(instance);
    List<Task> lost = List.copyOf(instance);
    instance.clear();
    lost.forEach(each -> {
      any().add(each);
      each.start();
    });
    crashes += lost.isEmpty() ? 0 : 1;
  }

  /** Most instances commit before they give a task away; one that was thrown out of its group has lost it all. */
  private void rebalance(List<Task> from, List<Task> to) {
    if (from == to || from.isEmpty()) {
      return;
    }
    if (random.nextInt(3) == 0) {
      abort(from);
      from.forEach(Task::start);
    } else {
      commit(from);
    }
    Task moved = from.remove(random.nextInt(from.size()));
    commit(to);
    to.add(moved);
    moved.move();
    rebalances++;
  }

  /** The funnel's sequence as it came out: the one order of all events that this run has made. */
  public Recording sequence() {
    if (settings.layout() != Layout.FUNNEL) {
      throw new IllegalStateException("only layout funnel has a sequence");
    }
    String topic = Names.sequence(settings.app());
    MemoryRecording.Builder made = MemoryRecording.of(topic).partition(0, 0);
    try (Feed feed = cluster.feed(topic, 0)) {
      for (; feed.hasNext(); feed.advance()) {
        made.add(0, feed.offset(), feed.timestamp(), feed.key(), feed.value(), feed.headers());
      }
    }
    return made.build();
  }
}

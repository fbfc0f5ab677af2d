package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Runs a learner over a recording while instances crash, transactions are aborted and tasks move
 * from one instance to another, at moments that a seed decides. When an instance fails, all that
 * its tasks did since its last commit is undone: outputs, positions and stores, as under
 * exactly_once_v2. Offsets of aborted records and transaction markers stay empty.
 */
public final class FaultyRun {
  private static final int MAX_RECORDS = 6; // of one turn

  /** Enough: a run that has to read much again after each might go on for ever. */
  private static final int MOST_CRASHES = 300;

  private static final int OLD_TRANSACTION = 60; // calls between two that come late in one
  private static final int MOST_ARRIVE = 2; // events of one partition in one turn

  private final InMemoryCluster cluster;
  private final LearnerSettings settings;
  private final FaultRates faults;
  private final Random random;
  private final Random time; // what it brings is none of the tasks' doing
  private final List<List<ProcessorTask>> instances = new ArrayList<>();
  private int crashes;
  private int aborts;
  private int rebalances;
  private int commits;
  private int turns;
  private int idle;

  /** A run before its first step. */
  public FaultyRun(
      LearnerSettings settings,
      RecordedInput input,
      OutputListener outputs,
      FaultRates faults,
      long seed) {
    this.cluster = new InMemoryCluster(settings, input, outputs, (model, round) -> null);
    this.settings = settings;
    this.faults = faults;
    this.random = new Random(seed);
    this.time = new Random(~seed);
    cluster.readLimit(() -> faults.shortReads() ? 1 + random.nextInt(3) : Integer.MAX_VALUE);
    for (int i = 0; i < faults.instances(); i++) {
      instances.add(new ArrayList<>());
    }
  }

  /** Bounds what is read of a partition at once, by the sizes of keys and values. */
  public FaultyRun fetches(long bytes) {
    cluster.fetches(bytes);
    return this;
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

  /** Runs until no task has anything left to do. */
  public Report run() {
    try (cluster) {
      cluster.all().forEach(each -> anyInstance().add(each));
      cluster.all().forEach(ProcessorTask::start);
      cluster.transactionBegan();
      while (idle < 3 || cluster.arrivals() != null && !cluster.arrivals().isOver()) {
        if (cluster.arrivals() != null && timeBrings(cluster.arrivals())) {
          idle = 0;
        }
        turn();
        injectFaults();
      }
      return new Report(crashes, aborts, rebalances, commits, turns);
    }
  }

  private List<ProcessorTask> anyInstance() {
    return instances.get(random.nextInt(instances.size()));
  }

  /** One task takes a few records; if none can, all is committed and time passes. */
  private void turn() {
    List<ProcessorTask> all = cluster.all();
    int first = random.nextInt(all.size());
    for (int i = 0; i < all.size(); i++) {
      ProcessorTask task = all.get((first + i) % all.size());
      int most = faults.single() != null ? 1 : 1 + random.nextInt(MAX_RECORDS);
      long bytes = cluster.fetchBytes();
      boolean stepped = false;
      while (most > 0 && bytes > 0) {
        int taken = step(task, most);
        if (taken == 0) {
          break;
        }
        most -= taken;
        bytes -= task.lastBytes();
        stepped = true;
        if (task.wantsCommit() && random.nextInt(4) > 0) {
          commit(instanceOf(task));
        }
      }
      if (stepped) {
        idle = 0;
        turns++;
        if (faults.single() != null && faults.single().turn() == turns) {
          inject(faults.single().kind(), instanceOf(task));
        }
        return;
      }
    }
    instances.forEach(this::commit);
    cluster.passTime(1_000);
    boolean called = false;
    for (ProcessorTask each : all) {
      called |= each.advanceClock(cluster.now());
      if (each.hasOutput() || each.wantsCommit()) {
        idle = -1; // something was read again, and there may be more of it
      }
    }
    instances.forEach(this::commit);
    idle += called ? 1 : 2;
  }

  /** Now and then some events of one partition arrive, and ends are announced. */
  private boolean timeBrings(Arrivals arrivals) {
    int partition = time.nextInt(arrivals.partitions());
    int most = time.nextInt(2 * MOST_ARRIVE + 1) - MOST_ARRIVE;
    boolean brought = arrivals.arrive(partition, most) > 0;
    return time.nextBoolean() && arrivals.announce() || brought;
  }

  /** Events come one by one, or together as the learner's own consumer hands them on. */
  private int step(ProcessorTask task, int most) {
    if (faults.single() != null) {
      return task.step() ? 1 : 0;
    }
    if (random.nextInt(OLD_TRANSACTION) == 0) {
      cluster.transactionAges();
    }
    return task.step(1 + random.nextInt(most));
  }

  private void injectFaults() {
    if (idle > 0 || crashes >= MOST_CRASHES) {
      return;
    }
    if (occurs(faults.every().commit())) {
      commit(anyInstance());
    }
    if (occurs(faults.every().pause())) {
      cluster.passTime(random.nextInt(4) == 0 ? 120_000 : 1 + random.nextInt(1_000));
      cluster.all().forEach(each -> each.advanceClock(cluster.now()));
    }
    if (occurs(faults.every().crash())) {
      crash(anyInstance());
    }
    if (occurs(faults.every().abort())) {
      abortAndRestart(anyInstance());
    }
    if (occurs(faults.every().rebalance())) {
      rebalance(anyInstance(), anyInstance());
    }
  }

  private void inject(FaultRates.Kind kind, List<ProcessorTask> instance) {
    switch (kind) {
      case CRASH -> crash(instance);
      case ABORT -> abortAndRestart(instance);
      case REBALANCE ->
        rebalance(
            instance,
            instances.stream().filter(each -> each != instance).findFirst().orElse(instance));
      default -> throw new IllegalStateException("no such fault: " + kind);
    }
  }

  private void abortAndRestart(List<ProcessorTask> instance) {
    abort(instance);
    instance.forEach(ProcessorTask::startAgain);
    aborts++;
  }

  private boolean occurs(int every) {
    return every > 0 && random.nextInt(every) == 0;
  }

  private List<ProcessorTask> instanceOf(ProcessorTask task) {
    return instances.stream().filter(each -> each.contains(task)).findFirst().orElseThrow();
  }

  private void commit(List<ProcessorTask> instance) {
    if (instance.stream().anyMatch(ProcessorTask::isTouched)) {
      InMemoryTransaction transaction = cluster.begin();
      instance.forEach(each -> each.commit(transaction));
      transaction.end();
      cluster.transactionBegan();
      commits++;
    }
  }

  private void abort(List<ProcessorTask> instance) {
    InMemoryTransaction transaction = cluster.begin();
    instance.forEach(each -> each.abort(transaction));
    transaction.end();
    cluster.transactionBegan();
  }

  /** Its tasks start on other instances, in new processors. */
  private void crash(List<ProcessorTask> instance) {
    abort(instance);
    List<ProcessorTask> lost = List.copyOf(instance);
    instance.clear();
    lost.forEach(each -> {
      anyInstance().add(each);
      each.start();
    });
    crashes += lost.isEmpty() ? 0 : 1;
  }

  /**
   * Most instances commit before a task moves; one that was removed from its group loses its work.
   */
  private void rebalance(List<ProcessorTask> from, List<ProcessorTask> to) {
    if (from == to || from.isEmpty()) {
      return;
    }
    if (random.nextInt(3) == 0) {
      abort(from);
      from.forEach(ProcessorTask::start);
    } else {
      commit(from);
    }
    ProcessorTask moved = from.remove(random.nextInt(from.size()));
    commit(to);
    to.add(moved);
    moved.move();
    rebalances++;
  }

  /** The order of the slots in this run, of layout ordered. */
  public Recording order() {
    return recorded(Names.order(settings.app()));
  }

  /** What became of its events and labels, where these were recordings of their own. */
  public Recording labelled() {
    return recorded(settings.eventTopic());
  }

  private Recording recorded(String topic) {
    return cluster.topics().recorded(topic);
  }
}

package dev.sotto.replay.cluster;

import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Runs a learner over a recording without a fault: partitions take turns in an order that a seed
 * decides, and what one task publishes is read by the others at once.
 */
public final class FaultFreeRun {
  private static final int TURN = 1024;
  private static final long REPORT = 16_384;
  private static final long WAIT = 1_000; // milliseconds that pass when nothing else happens

  /** Records of a recorded order that are read between two commits, as one announcement may say. */
  private static final int MOST_READ = 65_536;

  private final InMemoryCluster cluster;
  private Random random = new Random(0);
  private final boolean announces;
  private final int turn;
  private LongConsumer progress = events -> {};
  private long limit = Long.MAX_VALUE;
  private long reported;
  private boolean readOn; // whether a task that was behind has taken some of its slots

  /**
   * A run before its first step: with seed 0, to the end of the recording.
   *
   * @param input what was recorded; an order that was not is decided by the seed
   * @param keys under which rounds are computed
   */
  public FaultFreeRun(
      LearnerSettings settings, RecordedInput input, OutputListener outputs, NoiseKeyHistory keys) {
    this.cluster = new InMemoryCluster(settings, input, outputs, keys);
    this.announces = settings.layout().keepsOrder() && input.order() == null;
    if (input.order() != null) {
      readLimit(MOST_READ);
    }
    // An event should not meet a model much older than necessary.
    long eighth = settings.plan().batch() / 8;
    this.turn = announces ? (int) Math.max(1, Math.min(TURN, eighth)) : TURN;
  }

  /** Chooses one of the possible orders of several partitions. */
  public FaultFreeRun seed(long seed) {
    random = new Random(seed);
    return this;
  }

  /** Reads no more than a number of records again at once, as if no more had time. */
  public FaultFreeRun readLimit(int records) {
    cluster.readLimit(() -> records);
    return this;
  }

  /** Has tasks look at a clock, in nanoseconds, while they read: what they do is the same. */
  public FaultFreeRun clock(LongSupplier nanos) {
    cluster.clock(nanos);
    return this;
  }

  /** Ends it after a number of events. */
  public FaultFreeRun limit(long events) {
    limit = events;
    return this;
  }

  /** Reports the number of processed events from time to time. */
  public FaultFreeRun progress(LongConsumer listener) {
    progress = listener;
    return this;
  }

  /** Reports every event before it is processed. */
  public FaultFreeRun events(EventListener listener) {
    cluster.watch(listener);
    return this;
  }

  /** Runs to the end; returns how many events were processed. */
  public long run() {
    try (cluster) {
      cluster.all().forEach(ProcessorTask::start);
      List<ProcessorTask> open = new ArrayList<>(cluster.sources());
      boolean waited = false;
      while (true) { // a limit ends the events, and what follows from them is still done
        boolean stepped = open.isEmpty() ? arriveAtOne() : turnOfOne(open);
        stepped |= announces && cluster.arrivals().announce();
        stepped |= runDownstream();
        report();
        if (stepped) {
          waited = false;
        } else if (waited || !passTime()) {
          break;
        } else {
          // There may be more of what was read on, unless its recording is at an end.
          waited = !readOn || isAtLimit() && !announces || cluster.endsBeforeOrder();
        }
      }
      progress.accept(cluster.events());
      return cluster.events();
    }
  }

  private boolean isAtLimit() {
    return cluster.events() >= limit;
  }

  /** Lets some events of one partition arrive; where it has no more, of another. */
  private boolean arriveAtOne() {
    Arrivals arrivals = cluster.arrivals();
    int count = arrivals.partitions();
    int first = count > 1 ? random.nextInt(count) : 0;
    for (int i = 0; i < count; i++) {
      long most = count > 1 ? 1 + random.nextInt(turn) : turn;
      most = Math.min(most, limit - arrivals.count());
      if (arrivals.arrive((first + i) % count, (int) most) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Lets one task take a turn; of those that have nothing to do now, another. */
  private boolean turnOfOne(List<ProcessorTask> open) {
    int first = open.size() > 1 ? random.nextInt(open.size()) : 0;
    for (int i = 0; i < open.size(); i++) {
      ProcessorTask task = open.get((first + i) % open.size());
      int steps = open.size() > 1 ? 1 + random.nextInt(turn) : turn;
      if (steps(task, steps)) {
        return true;
      }
    }
    return false;
  }

  private boolean steps(ProcessorTask task, int most) {
    int done = 0;
    boolean alone = cluster.downstream().isEmpty();
    while (done < most && cluster.events() < limit && task.step()) {
      done++;
      if (task.wantsCommit() || alone && task.hasOutput()) {
        commit(task);
      }
    }
    if (done > 0) {
      if (announces) {
        cluster.passTime(WAIT);
        task.advanceClock(cluster.now());
      }
      commit(task);
    }
    return done > 0;
  }

  private boolean runDownstream() {
    boolean stepped = false;
    for (ProcessorTask task : cluster.downstream()) {
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
    readOn = false;
    for (ProcessorTask task : cluster.all()) {
      called |= task.advanceClock(cluster.now());
      readOn |= task.wantsCommit();
      if (task.isTouched()) {
        commit(task);
      }
    }
    return called;
  }

  private void commit(ProcessorTask task) {
    InMemoryTransaction transaction = cluster.begin();
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

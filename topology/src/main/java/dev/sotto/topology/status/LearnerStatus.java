package dev.sotto.topology.status;

import dev.sotto.topology.client.StreamThreads;
import dev.sotto.topology.client.TransactionListener;
import dev.sotto.topology.registry.RegistryWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * What the tasks of one instance have committed. Processors tell it once a round what they do; it
 * keeps that to itself until the transaction of their stream thread has committed (docs/privacy.md,
 * "What is released, and to whom"), and forgets it where the transaction is aborted. Safe for use
 * by several threads; a task is reported by the thread that runs it.
 */
public final class LearnerStatus implements TransactionListener {
  /** Models shown one by one where nothing else is said. */
  public static final int MOST_MODELS = 100;

  private final int mostModels;
  private final LongSupplier nanos;
  private final Map<Integer, PartitionStatus> partitions = new ConcurrentHashMap<>();
  private final AtomicInteger models = new AtomicInteger();
  private final AtomicLong rounds = new AtomicLong();
  private final BooleanSupplier place;
  private final StreamThreads threads;
  private volatile Supplier<Optional<RegistryWait.Waiting>> waiting = Optional::empty;

  /**
   * A status of nothing yet.
   *
   * @param mostModels shown one by one, at least 0; of any more only totals
   */
  public LearnerStatus(int mostModels) {
    this(mostModels, System::nanoTime);
  }

  /** The same under another clock. */
  public LearnerStatus(int mostModels, LongSupplier nanos) {
    this.mostModels = mostModels;
    this.nanos = nanos;
    this.place =
        () -> models.getAndUpdate(many -> Math.min(many + 1, this.mostModels)) < this.mostModels;
    this.threads = new StreamThreads(nanos);
  }

  /** What the stream threads of the instance have under way. */
  public StreamThreads threads() {
    return threads;
  }

  /** How many models are shown one by one at most. */
  public int mostModels() {
    return mostModels;
  }

  /**
   * A task that closes rounds begins, or begins again, on the calling thread; one task for each
   * number of a partition.
   *
   * @param partition of the topic that the trainer reads
   * @param roundsPaid of the models in its restored, so committed, state
   * @param openSlots slots in the open round of a model, negative where that is not known; asked
   *     right after commits, by the calling thread
   * @param behind whether slots that it was handed wait to be taken; asked by the calling thread
   */
  public void opened(
      int partition,
      Map<String, Long> roundsPaid,
      ToLongFunction<String> openSlots,
      BooleanSupplier behind) {
    PartitionStatus fresh = new PartitionStatus(nanos.getAsLong(), openSlots, behind);
    free(partitions.put(partition, fresh));
    roundsPaid.forEach((modelId, round) -> fresh.known(modelId, round, place));
  }

  /**
   * Whether a task of the calling thread was handed slots that it has not taken yet: it reads them
   * as wall-clock time passes.
   */
  public boolean isBehind(int partition) {
    PartitionStatus ours = mine(partition);
    return ours != null && ours.behind.getAsBoolean();
  }

  /** A task has left the calling thread. */
  public void closed(int partition) {
    PartitionStatus ours = mine(partition);
    if (ours != null && partitions.remove(partition, ours)) {
      free(ours);
    }
  }

  private void free(PartitionStatus gone) {
    if (gone != null) {
      models.addAndGet(-gone.models());
    }
  }

  /** A version has ended; for all to read once it is committed. */
  public void versionClosed(int partition, String modelId, long firstRound, long round) {
    PartitionStatus ours = mine(partition);
    if (ours != null) {
      ours.versionClosed(modelId, firstRound, round);
    }
  }

  /** A version was published; for all to read once it is committed. */
  public void snapshotPublished(int partition, String modelId, long round) {
    PartitionStatus ours = mine(partition);
    if (ours != null) {
      ours.snapshotPublished(modelId, round);
    }
  }

  /**
   * The oldest open round lacks the parts of these source partitions, and of no others; for all to
   * read once the transaction is committed.
   *
   * @param partition of the task that tells it
   * @param missing source partitions; empty where the round waits for nobody
   */
  public void awaiting(int partition, long round, Set<Integer> missing) {
    PartitionStatus ours = mine(partition);
    if (ours != null) {
      ours.awaiting(round, missing, nanos.getAsLong());
    }
  }

  /** The same of a state that is committed already: for all to read at once. */
  public void awaitingSince(int partition, long round, Set<Integer> missing) {
    PartitionStatus ours = mine(partition);
    if (ours != null) {
      ours.awaitingSince(round, missing, nanos.getAsLong());
    }
  }

  private PartitionStatus mine(int partition) {
    PartitionStatus found = partitions.get(partition);
    return found != null && found.owner == Thread.currentThread() ? found : null;
  }

  @Override
  public void transactionBegan() {
    threads.transactions().began();
  }

  @Override
  public void transactionCommitted() {
    threads.transactions().ended();
    threads.transactions().committed();
    long now = nanos.getAsLong();
    for (PartitionStatus each : partitions.values()) {
      if (each.owner == Thread.currentThread()) {
        rounds.addAndGet(each.commit(now, place));
      }
    }
  }

  @Override
  public void transactionLost() {
    threads.transactions().ended();
    for (PartitionStatus each : partitions.values()) {
      if (each.owner == Thread.currentThread()) {
        each.abort();
      }
    }
  }

  /** The models shown one by one, by their ids. */
  public List<ModelStatus> models() {
    long now = nanos.getAsLong();
    List<ModelStatus> all = new ArrayList<>();
    partitions.values().forEach(each -> each.read(now, all::add));
    all.sort(Comparator.comparing(ModelStatus::modelId));
    return all;
  }

  /** Whether there are models beyond those that are shown one by one. */
  public boolean hidesModels() {
    return partitions.values().stream().anyMatch(PartitionStatus::hidesModels);
  }

  /** Rounds that this instance has committed. */
  public long roundsCommitted() {
    return rounds.get();
  }

  /**
   * Since the last round of any model was committed here, or the last task began here; empty where
   * no task is.
   */
  public Optional<Duration> newestRoundAge() {
    long now = nanos.getAsLong();
    return partitions.values().stream()
        .map(each -> Duration.ofNanos(now - each.lastRoundAt()))
        .min(Comparator.naturalOrder());
  }

  /** Who holds the oldest open round up, by partition; empty in layouts in which nobody can. */
  public List<AwaitedPartition> awaited() {
    long now = nanos.getAsLong();
    List<AwaitedPartition> all = new ArrayList<>();
    partitions.values().forEach(each -> each.readAwaited(now, all::add));
    all.sort(Comparator.comparingInt(AwaitedPartition::partition));
    return all;
  }

  /** What the stream threads that are alive have not committed. */
  public List<TransactionStatus> transactions() {
    return threads.transactions().read(TransactionStatus::new);
  }

  /** Looks there from now on for what is waited for. */
  public void waits(Supplier<Optional<RegistryWait.Waiting>> registry) {
    waiting = registry;
  }

  /** The schema registry that this instance waits for, if it does. */
  public Optional<RegistryWait.Waiting> waiting() {
    return waiting.get();
  }
}

package dev.sotto.topology;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions that dead instances left open. Whoever takes over waits for them, and a broker ends them only
 * when their timeout has passed and it looks for such (every 10 s unless told otherwise).
 *
 * <p>Promises nothing that exactness rests on: an instance that was taken for dead and is not loses a transaction, and
 * does its work again. An instance counts as dead when the group has no member of its process; what it is, its
 * transactional ids and its clients are all named by Streams after the application and the process.
 */
final class DeadTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadTransactions.class);
  private static final long PAUSE_MILLIS = 500;
  private static final long PATIENCE_SECONDS = 10;
  private static final String UUID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

  private final Admin admin;
  private final String app;
  private final boolean streamsGroup;
  private final BooleanSupplier settled;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final ScheduledExecutorService timer;

  /**
   * For one application.
   *
   * @param admin closed with this
   * @param streamsGroup whether its group speaks the streams protocol
   * @param settled whether the instance here runs all that it has been given
   */
  DeadTransactions(Admin admin, String app, boolean streamsGroup, BooleanSupplier settled) {
    this.admin = admin;
    this.app = app;
    this.streamsGroup = streamsGroup;
    this.settled = settled;
    this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, app + "-dead-transactions");
      thread.setDaemon(true);
      return thread;
    });
  }

  /** Looks for them from now on, until all runs and none are left. To be called when work was handed out anew. */
  void look() {
    if (looking.compareAndSet(false, true)) {
      again(0);
    }
  }

  private void again(long pause) {
    try {
      timer.schedule(this::step, pause, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("closed", closed);
    }
  }

  private void step() {
    boolean atWork = settled.getAsBoolean();
    try {
      if (end() == 0 && atWork) {
        looking.set(false);
        if (!settled.getAsBoolean()) {
          look();
        }
        return;
      }
    } catch (ExecutionException | TimeoutException failed) {
      if (failed.getCause() instanceof AuthorizationException
          || failed.getCause() instanceof UnsupportedVersionException) {
        LOG.info(
            "takeovers wait for transactions to time out: {}", failed.getCause().toString());
        return;
      }
      LOG.debug("looking for dead transactions failed, and is tried again", failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return;
    }
    again(PAUSE_MILLIS);
  }

  /** Ends what there is, and returns how many. */
  private int end() throws ExecutionException, InterruptedException, TimeoutException {
    // The group is asked last: who has a transaction and is no member then, is none any more.
    List<String> open = get(admin
            .listTransactions(
                new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING)))
            .all())
        .stream()
        .map(TransactionListing::transactionalId)
        .toList();
    Set<String> dead = open.isEmpty() ? Set.of() : dead(app, open, members());
    if (!dead.isEmpty()) {
      get(admin.fenceProducers(dead).all());
      LOG.info("ended {} transactions of instances that are gone", dead.size());
    }
    return dead.size();
  }

  /**
   * The transactional ids of the application whose process is none of the members'.
   *
   * @param open transactional ids, of any application
   * @param members client ids; with one that does not name its process, nobody is taken for dead
   */
  static Set<String> dead(String app, Collection<String> open, Collection<String> members) {
    Pattern member = Pattern.compile(Pattern.quote(app) + "-" + UUID + "-StreamThread-.*");
    List<Matcher> named = members.stream().map(member::matcher).toList();
    if (!named.stream().allMatch(Matcher::matches)) {
      return Set.of();
    }
    Set<String> alive = named.stream().map(each -> each.group(1)).collect(Collectors.toSet());
    Pattern transaction = Pattern.compile(Pattern.quote(app) + "-" + UUID + "-\\d+");
    return open.stream()
        .map(transaction::matcher)
        .filter(each -> each.matches() && !alive.contains(each.group(1)))
        .map(Matcher::group)
        .collect(Collectors.toSet());
  }

  private Set<String> members() throws ExecutionException, InterruptedException, TimeoutException {
    try {
      return streamsGroup
          ? get(admin.describeStreamsGroups(List.of(app)).all()).get(app).members().stream()
              .map(each -> each.clientId())
              .collect(Collectors.toSet())
          : get(admin.describeConsumerGroups(List.of(app)).all()).get(app).members().stream()
              .map(each -> each.clientId())
              .collect(Collectors.toSet());
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof GroupIdNotFoundException) {
        return Set.of();
      }
      throw failed;
    }
  }

  private static <T> T get(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    admin.close(java.time.Duration.ZERO);
  }
}

package dev.sotto.topology.admin;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions that dead instances left open. Whoever takes over waits for them, and a
 * broker ends them only when their timeout has passed and it looks for such (every 10 s unless told
 * otherwise).
 *
 * <p>Promises nothing that exactness rests on: an instance that was taken for dead and is not loses
 * a transaction, and does its work again. An instance counts as dead when the group has no member
 * of its process; what it is, its transactional ids and its clients are all named by Streams after
 * the application and the process.
 */
public final class AbandonedTransactions implements AutoCloseable {

  /**
   * Whether a transaction was open depends on what records held: no line of this class is public.
   */
  private static final Logger LOG =
      LoggerFactory.getLogger("inside." + AbandonedTransactions.class.getName());

  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;
  private static final String UUID = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

  private final TransactionRequests requests;
  private final String app;
  private final BooleanSupplier settled;
  private final ScheduledExecutorService timer;
  private boolean filters = true; // of the timer's thread, as far as is known
  private ScheduledFuture<?> next;
  private long pause;

  /**
   * For one application.
   *
   * @param admin closed with this
   * @param streamsGroup whether its group speaks the streams protocol
   * @param settled whether the instance here runs all that it has been given
   */
  public AbandonedTransactions(
      Admin admin, String app, boolean streamsGroup, BooleanSupplier settled) {
    this(new TransactionRequests.OfAdmin(admin, app, streamsGroup), app, settled);
  }

  AbandonedTransactions(TransactionRequests requests, String app, BooleanSupplier settled) {
    this(requests, app, settled, Executors.newSingleThreadScheduledExecutor(task -> {
      Thread thread = new Thread(task, app + "-dead-transactions");
      thread.setDaemon(true);
      return thread;
    }));
  }

  /** With a timer that is closed with this. */
  AbandonedTransactions(
      TransactionRequests requests,
      String app,
      BooleanSupplier settled,
      ScheduledExecutorService timer) {
    this.requests = requests;
    this.app = app;
    this.settled = settled;
    this.timer = timer;
  }

  /**
   * Looks for them from now on, with growing pauses, until all runs and none are left. To be called
   * when work was handed out anew.
   */
  public synchronized void look() {
    pause = FIRST_PAUSE_MILLIS;
    schedule(0);
  }

  private synchronized void lookAgain() {
    long now = pause;
    pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    schedule(now);
  }

  private void schedule(long millis) {
    try {
      if (next != null) {
        next.cancel(false);
      }
      next = timer.schedule(this::step, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      LOG.debug("closed", closed);
    }
  }

  private void step() {
    boolean atWork = settled.getAsBoolean();
    try {
      if (end() == 0 && atWork && settled.getAsBoolean()) {
        return; // until the next look
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
    lookAgain();
  }

  /** Ends what there is, and returns how many. */
  private int end() throws ExecutionException, InterruptedException, TimeoutException {
    // The group is asked last: who has a transaction and is no member then, is none any more.
    List<String> open = open();
    Set<String> dead = open.isEmpty() ? Set.of() : dead(app, open, requests.members());
    if (!dead.isEmpty()) {
      requests.end(dead);
      LOG.info("ended {} transactions of instances that are gone", dead.size());
    }
    return dead.size();
  }

  /** Brokers choose the application's, where they can: a cluster may have many others. */
  private List<String> open() throws ExecutionException, InterruptedException, TimeoutException {
    if (filters) {
      try {
        return requests.open(transactions(app));
      } catch (ExecutionException failed) {
        if (!(failed.getCause() instanceof UnsupportedVersionException)) {
          throw failed;
        }
        filters = false;
      }
    }
    return requests.open(null);
  }

  /** What Streams calls its transactions; an app.id has no special character but the dot. */
  private static String transactions(String app) {
    return app.replace(".", "\\.") + "-" + UUID + "-[0-9]+";
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
    Pattern transaction = Pattern.compile(transactions(app));
    return open.stream()
        .map(transaction::matcher)
        .filter(each -> each.matches() && !alive.contains(each.group(1)))
        .map(Matcher::group)
        .collect(Collectors.toSet());
  }

  @Override
  public void close() {
    timer.shutdownNow();
    requests.close();
  }
}

package dev.sotto.topology.admin;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/** What {@link AbandonedTransactions} asks of a cluster. */
interface TransactionRequests extends AutoCloseable {
  /**
   * The ids of the transactions that are open.
   *
   * @param pattern that whole ids match, or null for all of the cluster; brokers before 4.1 do not
   *     know patterns
   */
  List<String> open(String pattern)
      throws ExecutionException, InterruptedException, TimeoutException;

  /** The client ids of the group's members; none where there is no group. */
  Set<String> members() throws ExecutionException, InterruptedException, TimeoutException;

  /** Ends the transactions of these ids, and fences their producers. */
  void end(Set<String> ids) throws ExecutionException, InterruptedException, TimeoutException;

  @Override
  void close();

  /** Requests of an admin client, which is closed with them. */
  record OfAdmin(Admin admin, String group, boolean streamsGroup) implements TransactionRequests {
    private static final long PATIENCE_SECONDS = 10;

    @Override
    public List<String> open(String pattern)
        throws ExecutionException, InterruptedException, TimeoutException {
      ListTransactionsOptions wanted =
          new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING));
      if (pattern != null) {
        wanted.filterOnTransactionalIdPattern(pattern);
      }
      return get(admin.listTransactions(wanted).all()).stream()
          .map(TransactionListing::transactionalId)
          .toList();
    }

    @Override
    public Set<String> members() throws ExecutionException, InterruptedException, TimeoutException {
      try {
        return streamsGroup
            ? get(admin.describeStreamsGroups(List.of(group)).all()).get(group).members().stream()
                .map(each -> each.clientId())
                .collect(Collectors.toSet())
            : get(admin.describeConsumerGroups(List.of(group)).all()).get(group).members().stream()
                .map(each -> each.clientId())
                .collect(Collectors.toSet());
      } catch (ExecutionException failed) {
        if (failed.getCause() instanceof GroupIdNotFoundException) {
          return Set.of();
        }
        throw failed;
      }
    }

    @Override
    public void end(Set<String> ids)
        throws ExecutionException, InterruptedException, TimeoutException {
      get(admin.fenceProducers(ids).all());
    }

    private static <T> T get(KafkaFuture<T> future)
        throws ExecutionException, InterruptedException, TimeoutException {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      admin.close(java.time.Duration.ZERO);
    }
  }
}

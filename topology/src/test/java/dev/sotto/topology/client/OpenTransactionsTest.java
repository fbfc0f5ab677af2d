package dev.sotto.topology.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** What a thread leaves behind of a learner that is gone. */
class OpenTransactionsTest {
  /** Thousands of learners may run in one thread, one after the other: an audit's, or replays. */
  @Test
  void aThreadKeepsNothingOfALearnerThatIsGone() {
    WeakReference<OpenTransactions> gone = new WeakReference<>(used());
    System.gc(); // the collector of tests clears such references at once
    assertThat(gone.refersTo(null)).isTrue();
  }

  /** The twin. */
  @Test
  void whatIsStillUsedIsKept() {
    OpenTransactions used = used();
    WeakReference<OpenTransactions> here = new WeakReference<>(used);
    System.gc();
    assertThat(here.refersTo(used)).isTrue();
    assertThat(used.open()).isZero();
  }

  private static OpenTransactions used() {
    OpenTransactions transactions = new OpenTransactions(() -> 0);
    transactions.taken();
    transactions.began();
    transactions.left(1, "task");
    return transactions;
  }
}

package dev.sotto.broker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.internals.Exit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps brokers from ending the process. Kafka ends its process through {@link Exit}, which is one
 * static switch; from the first broker on it is ours for good, since a thread that a broker left
 * behind may still use it later.
 *
 * <p>Whose exit it was follows from the thread group, which threads inherit from the thread that
 * makes them. An exit from a thread of no broker (a shared pool) is handed to all of them.
 *
 * <p>Where the call returns and where it throws: while a broker starts, in the starting thread, it
 * returns, since Kafka's code then cleans up and throws the true cause. Anywhere else it throws,
 * since the code behind an exit does not count on being reached.
 */
final class BrokerExits {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerExits.class);
  private static final Map<ThreadGroup, Consumer<BrokerExit>> LISTENERS = new ConcurrentHashMap<>();
  private static final ThreadLocal<Boolean> STARTING = ThreadLocal.withInitial(() -> false);

  static {
    Exit.setExitProcedure((status, message) -> instead("exit", status, message));
    Exit.setHaltProcedure((status, message) -> instead("halt", status, message));
  }

  private BrokerExits() {}

  /** An exit that did not happen. */
  static final class BrokerExit extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokerExit(String message) {
      super(message);
    }
  }

  /** Tells {@code listener} of exits in threads of {@code group}, until {@link #forget}. */
  static void listen(ThreadGroup group, Consumer<BrokerExit> listener) {
    LISTENERS.put(group, listener);
  }

  static void forget(ThreadGroup group) {
    LISTENERS.remove(group);
  }

  /** Runs the start of a broker in the calling thread. */
  static void whileStarting(Runnable start) {
    STARTING.set(true);
    try {
      start.run();
    } finally {
      STARTING.remove();
    }
  }

  private static void instead(String verb, int status, String message) {
    Thread thread = Thread.currentThread();
    BrokerExit exit = new BrokerExit("the broker wanted to "
        + verb
        + " the process with status "
        + status
        + " in thread "
        + thread.getName()
        + (message == null ? "" : ": " + message));
    if (STARTING.get()) {
      LOG.info(
          "Not ending the process: {}", exit.getMessage()); // whoever starts it hears the cause
    } else {
      LOG.error("Not ending the process: {}", exit.getMessage());
    }
    Consumer<BrokerExit> owner = owner(thread.getThreadGroup());
    if (owner != null) {
      owner.accept(exit);
    } else {
      LISTENERS.values().forEach(listener -> listener.accept(exit));
    }
    if (!STARTING.get()) {
      throw exit;
    }
  }

  private static Consumer<BrokerExit> owner(ThreadGroup group) {
    for (ThreadGroup g = group; g != null; g = g.getParent()) {
      Consumer<BrokerExit> listener = LISTENERS.get(g);
      if (listener != null) {
        return listener;
      }
    }
    return null;
  }
}

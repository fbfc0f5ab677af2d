package dev.sotto.broker;

import dev.sotto.broker.BrokerExits.BrokerExit;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of Kafka's server, from start to stop, in a thread group of its own. */
final class BrokerProcess {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerProcess.class);

  /** A start takes 3 to 5 s; a stop 0.6 s, but a broker in a bad state may wait for minutes. */
  private static final long START_SECONDS = 120;

  private static final long STOP_SECONDS = 30;

  private final ThreadGroup group;
  private final CompletableFuture<BrokerExit> exit = new CompletableFuture<>();
  private volatile KafkaRaftServer server;

  private BrokerProcess(String name) {
    group = new ThreadGroup(name);
  }

  /**
   * Starts Kafka's server with these properties; the folder is formatted already.
   *
   * @throws RuntimeException what Kafka threw, or what it wanted to end the process for
   */
  static BrokerProcess start(String name, Properties properties) {
    BrokerProcess process = new BrokerProcess(name);
    BrokerExits.listen(process.group, process.exit::complete);
    try {
      process.inThread("start", START_SECONDS, () -> process.startHere(properties));
      if (process.exit.isDone()) {
        throw process.exit.join();
      }
      return process;
    } catch (RuntimeException e) {
      process.stop();
      throw e;
    }
  }

  private void startHere(Properties properties) {
    BrokerExits.whileStarting(() -> {
      server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
      server.startup();
    });
  }

  /** The exit that the broker asked for, if any. */
  Optional<RuntimeException> failure() {
    return Optional.ofNullable(exit.getNow(null));
  }

  /** Runs an action, in a thread of its own, once the broker has asked for an exit. */
  void whenFailed(Runnable action) {
    exit.thenAccept(e -> {
      Thread thread = new Thread(action, group.getName() + "-failed");
      thread.setDaemon(true);
      thread.start();
    });
  }

  /** Stops what has been started; at most half a minute, and never throws. */
  void stop() {
    try {
      if (server != null) {
        inThread("stop", STOP_SECONDS, this::stopHere);
      }
    } catch (RuntimeException e) {
      LOG.warn("The embedded broker did not stop cleanly: {}", e.toString(), e);
    } finally {
      BrokerExits.forget(group);
    }
  }

  private void stopHere() {
    server.shutdown();
    server.awaitShutdown();
  }

  /** Runs a step in a thread of our group, so that the threads it makes belong to it. */
  private void inThread(String step, long seconds, Runnable action) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread = new Thread(
        group,
        () -> {
          try {
            action.run();
            done.complete(null);
          } catch (Throwable t) {
            done.completeExceptionally(t);
          }
        },
        group.getName() + "-" + step);
    thread.setDaemon(true);
    thread.start();
    await(step, seconds, done);
  }

  private static void await(String step, long seconds, CompletableFuture<Void> done) {
    try {
      done.orTimeout(seconds, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof TimeoutException) {
        throw new IllegalStateException(
            "the broker's " + step + " must take at most " + seconds + " s, but took longer", e);
      }
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}

package dev.sotto.connectors;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.testbroker.ChildProcess;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.awaitility.Awaitility;

/**
 * A distributed Connect worker with exactly-once on, in a process of its own so that it can be
 * killed; for tests.
 */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final URI rest;
  private final HttpClient client = HttpClient.newHttpClient();

  WorkerProcess(Path folder, String servers) throws Exception {
    this(folder, servers, Map.of());
  }

  /** With settings that differ from those of the tests' other workers. */
  WorkerProcess(Path folder, String servers, Map<String, String> others) throws Exception {
    Properties settings = new Properties();
    settings.putAll(ConnectWorker.commonSettings(servers));
    rest = URI.create("http://127.0.0.1:" + BrokerSettings.freePort());
    settings.setProperty("listeners", rest.toString());
    settings.setProperty("group.id", "sotto-connect");
    settings.setProperty("exactly.once.source.support", "enabled");
    for (String store : new String[] {"config", "offset", "status"}) {
      settings.setProperty(store + ".storage.topic", "connect-" + store);
      settings.setProperty(store + ".storage.replication.factor", "1");
    }
    settings.setProperty("offset.storage.partitions", "1");
    settings.setProperty("status.storage.partitions", "1");
    settings.setProperty("session.timeout.ms", "2000"); // a killed worker is missed soon
    settings.setProperty("heartbeat.interval.ms", "500");
    // A worker starts by reading the offsets topic to its end: it waits there for a dead one's
    // transaction to time out.
    settings.setProperty("producer.transaction.timeout.ms", "5000");
    settings.setProperty("scheduled.rebalance.max.delay.ms", "0");
    settings.putAll(others);
    Path file = folder.resolve("worker.properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      settings.store(out, null);
    }
    process = ChildProcess.of(
            "-Xmx256m", "org.apache.kafka.connect.cli.ConnectDistributed", file.toString())
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("worker.out").toFile())
        .start();
  }

  /** Starts a connector or changes it, as soon as the worker takes requests. */
  void put(String name, String json) {
    HttpRequest request = HttpRequest.newBuilder(rest.resolve("/connectors/" + name + "/config"))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(10))
        .PUT(HttpRequest.BodyPublishers.ofString(json))
        .build();
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .ignoreExceptions()
        .until(() -> accepted(request));
  }

  /**
   * Starts tasks again that have failed, as an operator would: on a machine that stands still for
   * seconds a transaction may time out, and Connect gives its task up.
   */
  void restartFailed(String name) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(
            rest.resolve("/connectors/" + name + "/restart?includeTasks=true&onlyFailed=true"))
        .timeout(Duration.ofSeconds(10))
        .POST(HttpRequest.BodyPublishers.noBody())
        .build();
    try {
      accepted(request);
    } catch (IOException notYet) {
      // the worker is busy, or not up
    }
  }

  /** What the worker says of a connector and its tasks; empty while it does not answer. */
  String status(String name) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(rest.resolve("/connectors/" + name + "/status"))
        .timeout(Duration.ofSeconds(10))
        .build();
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    } catch (IOException notYet) {
      return "";
    }
  }

  /** SIGSTOP: it stands still, and its connections stay open. */
  void freeze() throws Exception {
    signal("-STOP");
  }

  /** SIGCONT. */
  void thaw() throws Exception {
    signal("-CONT");
  }

  private void signal(String signal) throws Exception {
    int code =
        new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    if (code != 0) {
      throw new IllegalStateException("kill " + signal + " must end with 0, but was " + code);
    }
  }

  private boolean accepted(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() / 100 == 2;
  }

  /** SIGKILL: no farewell to the group, no end to the transaction. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

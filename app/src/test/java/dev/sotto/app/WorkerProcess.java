package dev.sotto.app;

import dev.sotto.app.broker.BrokerSettings;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.awaitility.Awaitility;

/** A distributed Connect worker with exactly-once on, in a process of its own so that it can be killed; for tests. */
final class WorkerProcess implements AutoCloseable {
  private final Process process;
  private final URI rest;

  WorkerProcess(Path folder, String servers) throws Exception {
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
    settings.setProperty("scheduled.rebalance.max.delay.ms", "0");
    Path file = folder.resolve("worker.properties");
    try (Writer out = Files.newBufferedWriter(file)) {
      settings.store(out, null);
    }
    process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "org.apache.kafka.connect.cli.ConnectDistributed",
            file.toString())
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("worker.out").toFile())
        .start();
  }

  /** Starts a connector, as soon as the worker takes requests. */
  void put(String name, String json) {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request = HttpRequest.newBuilder(rest.resolve("/connectors/" + name + "/config"))
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(5))
        .PUT(HttpRequest.BodyPublishers.ofString(json))
        .build();
    Awaitility.await().atMost(Duration.ofSeconds(40)).ignoreExceptions().until(() -> {
      int code = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      return code == 200 || code == 201;
    });
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

package dev.sotto.testbroker;

import dev.sotto.broker.BrokerConfig;
import dev.sotto.broker.BrokerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/**
 * A KRaft cluster, every node a broker and a controller in a process of its own, to be killed.
 * Everything is replicated to all nodes and needs all but one of them.
 */
public final class BrokerCluster implements AutoCloseable {
  private static final long START_SECONDS = 90;

  private final Path folder;
  private final List<Properties> nodes;
  private final List<Integer> ports;
  private final Map<String, String> clients;
  private final Process[] processes;

  private BrokerCluster(
      Path folder, List<Properties> nodes, List<Integer> ports, Map<String, String> clients) {
    this.folder = folder;
    this.nodes = nodes;
    this.ports = ports;
    this.clients = clients;
    this.processes = new Process[nodes.size()];
  }

  /**
   * Formats and starts a number of nodes, and waits for all.
   *
   * @param extra broker properties that go before those here
   */
  public static BrokerCluster start(Path folder, int count, Map<String, String> extra)
      throws IOException, InterruptedException {
    return start(folder, count, extra, List.of(), Map.of());
  }

  /**
   * The same for clients that have to log in.
   *
   * @param credentials what formatting stores, as in {@code SCRAM-SHA-512=[name=a,password=b]}
   * @param clients settings of a client that may ask for the cluster's nodes
   */
  public static BrokerCluster start(
      Path folder,
      int count,
      Map<String, String> extra,
      List<String> credentials,
      Map<String, String> clients)
      throws IOException, InterruptedException {
    List<Integer> ports = IntStream.range(0, 2 * count)
        .map(each -> BrokerSettings.freePort())
        .boxed()
        .toList();
    String voters = IntStream.range(0, count)
        .mapToObj(each -> each + "@" + BrokerConfig.HOST + ":" + ports.get(count + each))
        .collect(Collectors.joining(","));
    String clusterId = Uuid.randomUuid().toString();
    List<Properties> nodes = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      Properties all = BrokerConfig.properties(
          folder.resolve("node-" + node).resolve("logs"),
          ports.get(node),
          ports.get(count + node),
          Map.of());
      all.setProperty("node.id", Integer.toString(node));
      all.setProperty("controller.quorum.voters", voters);
      replicate(all, count);
      all.putAll(extra);
      format(all, folder.resolve("node-" + node), clusterId, credentials);
      nodes.add(all);
    }
    BrokerCluster cluster = new BrokerCluster(folder, nodes, ports.subList(0, count), clients);
    try {
      for (int node = 0; node < count; node++) {
        cluster.begin(node);
      }
      cluster.awaitAll();
    } catch (IOException | InterruptedException | RuntimeException failed) {
      cluster.close();
      throw failed;
    }
    return cluster;
  }

  private static void replicate(Properties all, int count) {
    String replicas = Integer.toString(count);
    String inSync = Integer.toString(Math.max(1, count - 1));
    all.setProperty("default.replication.factor", replicas);
    all.setProperty("min.insync.replicas", inSync);
    for (String topic :
        List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
      all.setProperty(topic + ".replication.factor", replicas);
      all.setProperty(topic + ".num.partitions", replicas); // a coordinator on every node
    }
    all.setProperty("transaction.state.log.min.isr", inSync);
    all.setProperty("share.coordinator.state.topic.min.isr", inSync);
  }

  private static void format(
      Properties all, Path folder, String clusterId, List<String> credentials) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve("broker.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      all.store(writer, null);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      List<String> words =
          new ArrayList<>(List.of("format", "-t", clusterId, "-c", file.toString()));
      credentials.forEach(each -> words.addAll(List.of("--add-scram", each)));
      int code = StorageTool.execute(words.toArray(String[]::new), out);
      if (code != 0) {
        throw new IOException("formatting ended with " + code + ": " + said);
      }
    }
  }

  private void begin(int node) throws IOException {
    Path place = folder.resolve("node-" + node);
    processes[node] = ChildProcess.of(
            "-Xmx256m",
            "-Dsotto.log.dir=" + place.resolve("said"),
            "-Dlogback.configurationFile=logback.xml",
            "kafka.Kafka",
            place.resolve("broker.properties").toString())
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(place.resolve("broker.out").toFile()))
        .start();
  }

  /** Waits until the cluster names every node. */
  private void awaitAll() throws InterruptedException {
    long deadline = System.nanoTime() + START_SECONDS * 1_000_000_000L;
    Map<String, Object> settings = new HashMap<>(clients);
    settings.put("bootstrap.servers", bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      while (alive(admin) < nodes.size()) {
        for (int node = 0; node < nodes.size(); node++) {
          if (!processes[node].isAlive()) {
            throw new IllegalStateException(
                "node " + node + " ended with " + processes[node].exitValue() + "; see " + folder);
          }
        }
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException("waited " + START_SECONDS + " s; see " + folder);
        }
        Thread.sleep(100);
      }
    }
  }

  private static int alive(Admin admin) throws InterruptedException {
    try {
      return admin.describeCluster().nodes().get().size();
    } catch (ExecutionException notYet) {
      return 0;
    }
  }

  /** Every node, whether it runs or not. */
  public String bootstrapServers() {
    return ports.stream()
        .map(port -> BrokerConfig.HOST + ":" + port)
        .collect(Collectors.joining(","));
  }

  /** SIGKILL. */
  public void kill(int node) throws InterruptedException {
    processes[node].destroyForcibly().waitFor();
  }

  /** SIGTERM, and the end of it. */
  public void stop(int node) throws InterruptedException {
    processes[node].destroy();
    processes[node].waitFor();
  }

  /** Starts a node that was killed or stopped, and waits until the cluster has it back. */
  public void restart(int node) throws IOException, InterruptedException {
    begin(node);
    awaitAll();
  }

  @Override
  public void close() {
    for (Process process : processes) {
      if (process != null) {
        process.destroyForcibly();
      }
    }
    for (Process process : processes) {
      if (process != null) {
        process.onExit().join();
      }
    }
  }
}

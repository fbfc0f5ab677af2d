package dev.sotto.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A real broker in a process of its own, so that its processor time is not mixed with the clients'.
 */
final class BenchmarkBroker implements AutoCloseable {
  private final Process process;
  private final Admin admin;
  private final String bootstrapServers;

  private BenchmarkBroker(Process process, String bootstrapServers) {
    this.process = process;
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  static BenchmarkBroker start() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms1g", "-Xmx3g", "-XX:+ExitOnOutOfMemoryError"));
    String logs = System.getProperty("sotto.log.dir");
    if (logs != null) {
      command.add("-Dsotto.log.dir=" + logs);
    }
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), BrokerMain.class.getName()));
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String address = out.readLine();
    if (address == null) {
      process.destroyForcibly();
      throw new IOException("the broker must start, but its process ended first");
    }
    return new BenchmarkBroker(process, address);
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  /** Processor time that the broker has used so far; counted by the system in steps of 10 ms. */
  long cpuNanos() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
  }

  /** Makes a topic. */
  void create(String topic, int partitions) throws InterruptedException, ExecutionException {
    create(topic, partitions, Map.of());
  }

  void create(String topic, int partitions, Map<String, String> config)
      throws InterruptedException, ExecutionException {
    admin
        .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
        .all()
        .get();
  }

  /** Deletes the topics whose names begin so. */
  void deleteAll(String beginning) throws InterruptedException, ExecutionException {
    Collection<String> topics = admin.listTopics().names().get();
    admin
        .deleteTopics(topics.stream().filter(each -> each.startsWith(beginning)).toList())
        .all()
        .get();
  }

  /** What the partitions of a topic take on disk, in bytes; 0 where there is no such topic. */
  long bytes(String topic) throws InterruptedException, ExecutionException {
    return admin.describeLogDirs(List.of(node())).allDescriptions().get().values().stream()
        .flatMap(folders -> folders.values().stream())
        .flatMap(folder -> folder.replicaInfos().entrySet().stream())
        .filter(each -> each.getKey().topic().equals(topic))
        .mapToLong(each -> each.getValue().size())
        .sum();
  }

  private int node() throws InterruptedException, ExecutionException {
    return admin.describeCluster().nodes().get().iterator().next().id();
  }

  /** Stops the broker, which deletes its data. */
  @Override
  public void close() {
    admin.close();
    try {
      process.getOutputStream().close(); // the end of its input is its sign to stop
      if (!process.waitFor(40, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException gone) {
      process.destroyForcibly();
    } catch (InterruptedException stop) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

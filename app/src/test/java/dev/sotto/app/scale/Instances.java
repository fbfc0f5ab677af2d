package dev.sotto.app.scale;

import dev.sotto.app.Main;
import dev.sotto.app.crash.LearnerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Processes of {@code sotto run}, each with a state folder of its own, and who of them does what.
 */
final class Instances {
  private static final int TOLD_TO_STOP = 143;

  private final Admin admin;
  private final Path folder;
  private final Path config;
  private final String app;
  private final String protocol;
  private final String heap;
  private final Map<Integer, LearnerProcess> running = new TreeMap<>();
  private int made;

  Instances(Admin admin, Path folder, Path config, String app, String protocol) {
    this(admin, folder, config, app, protocol, "256m");
  }

  Instances(Admin admin, Path folder, Path config, String app, String protocol, String heap) {
    this.admin = admin;
    this.folder = folder;
    this.config = config;
    this.app = app;
    this.protocol = protocol;
    this.heap = heap;
  }

  /** Starts one more, and says which. */
  int add() throws IOException {
    int number = made++;
    start(number);
    return number;
  }

  /** Starts one that was killed or stopped, on its own state folder. */
  void start(int number) throws IOException {
    running.put(
        number,
        LearnerProcess.launch(
            folder,
            "instance-" + number,
            "-Xmx" + heap,
            "-XX:TieredStopAtLevel=4",
            "-Xlog:gc:file=" + collections(number),
            Main.class.getName(),
            "run",
            "-c",
            config.toString(),
            "--set",
            "state.dir=" + state(number)));
  }

  private Path state(int number) {
    return folder.resolve("state-" + number);
  }

  /** One of those that run. */
  int any(Random random) {
    return List.copyOf(running.keySet()).get(random.nextInt(running.size()));
  }

  /** SIGKILL. What it wrote of its heap goes too. */
  void kill(int number) throws InterruptedException, IOException {
    running.remove(number).kill();
    Files.deleteIfExists(collections(number));
  }

  private Path collections(int number) {
    return folder.resolve(app + "-" + number + ".gc");
  }

  /** SIGTERM. */
  void stop(int number) throws InterruptedException {
    LearnerProcess process = running.remove(number);
    process.stop();
    if (process.exitCode() != TOLD_TO_STOP) {
      throw new AssertionError(
          "instance " + number + " ended with " + process.exitCode() + "; see " + folder);
    }
  }

  void stopAll() throws InterruptedException {
    for (int number : Set.copyOf(running.keySet())) {
      stop(number);
    }
  }

  void killAll() throws InterruptedException {
    for (LearnerProcess process : running.values()) {
      process.kill();
    }
  }

  /** Fails if one has ended by itself. */
  void requireAlive() {
    running.forEach((number, process) -> {
      if (!process.isAlive()) {
        throw new AssertionError(
            "instance " + number + " ended with " + process.exitCode() + "; see " + folder);
      }
    });
  }

  /** The number of members of the group. */
  long count() throws Exception {
    return members().size();
  }

  /** How many have a task of their own, not only copies of others'. */
  long working() throws Exception {
    return members().values().stream().filter(each -> !each.isEmpty()).count();
  }

  /** The instance that reads a partition, if any does. */
  int holder(String topic, int partition) throws Exception {
    String wanted = topic + "-" + partition;
    for (var member : members().entrySet()) {
      if (member.getValue().contains(wanted)) {
        for (int number : running.keySet()) {
          if (member.getKey().contains(processId(number))) {
            return number;
          }
        }
      }
    }
    return -1;
  }

  /** The partitions that each member of the group reads, by the member's client id. */
  private Map<String, Set<String>> members() throws Exception {
    try {
      return protocol.equals("streams") ? streamsMembers() : classicMembers();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof GroupIdNotFoundException) {
        return Map.of(); // nobody has joined it yet
      }
      throw failed;
    }
  }

  private Map<String, Set<String>> streamsMembers() throws Exception {
    var group = admin.describeStreamsGroups(List.of(app)).all().get().get(app);
    Map<String, List<String>> topics = group.subtopologies().stream()
        .collect(Collectors.toMap(each -> each.subtopologyId(), each -> each.sourceTopics()));
    return group.members().stream()
        .collect(Collectors.toMap(
            each -> each.clientId(),
            each -> each.assignment().activeTasks().stream()
                .flatMap(task -> task.partitions().stream()
                    .flatMap(partition -> topics.get(task.subtopologyId()).stream()
                        .map(topic -> topic + "-" + partition)))
                .collect(Collectors.toSet()),
            (one, other) -> one.isEmpty() ? other : one));
  }

  private Map<String, Set<String>> classicMembers() throws Exception {
    return admin.describeConsumerGroups(List.of(app)).all().get().get(app).members().stream()
        .collect(Collectors.toMap(
            each -> each.clientId(),
            each -> each.assignment().topicPartitions().stream()
                .map(Object::toString)
                .collect(Collectors.toSet()),
            (one, other) -> one.isEmpty() ? other : one));
  }

  /** The id that Streams keeps in the state folder, and puts into the names of its clients. */
  private String processId(int number) {
    Path file = state(number).resolve(app).resolve("kafka-streams-process-metadata");
    try {
      String json = Files.readString(file);
      return json.replaceAll(".*\"processId\"\\s*:\\s*\"([^\"]+)\".*", "$1");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}

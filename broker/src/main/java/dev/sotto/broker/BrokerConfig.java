package dev.sotto.broker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** The properties of a single-node KRaft broker, and the formatting of its folder. */
public final class BrokerConfig {
  public static final String HOST = "127.0.0.1";

  /** Node ids differ within one process, since metrics and management beans are named by them. */
  private static final AtomicInteger NEXT_NODE = new AtomicInteger(1);

  private static final String META = "meta.properties";

  private BrokerConfig() {}

  /** All properties of one attempt to start: ours, the extra ones, and defaults below both. */
  public static Properties properties(
      Path logs, int clientPort, int controllerPort, Map<String, String> extra) {
    Properties all = defaults();
    all.putAll(extra);
    String node = meta(logs).getProperty("node.id");
    if (node == null) {
      node = Integer.toString(NEXT_NODE.getAndIncrement());
    }
    String client = "CLIENT://" + HOST + ":" + clientPort;
    all.setProperty("process.roles", "broker,controller");
    all.setProperty("node.id", node);
    all.setProperty("controller.quorum.voters", node + "@" + HOST + ":" + controllerPort);
    all.setProperty("controller.listener.names", "CONTROLLER");
    all.setProperty("inter.broker.listener.name", "CLIENT");
    all.setProperty("listeners", client + ",CONTROLLER://" + HOST + ":" + controllerPort);
    all.setProperty("advertised.listeners", client);
    all.setProperty("log.dirs", logs.toString());
    return all;
  }

  private static Properties defaults() {
    Properties all = new Properties();
    all.setProperty("listener.security.protocol.map", "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    all.setProperty("auto.create.topics.enable", "false");
    all.setProperty("default.replication.factor", "1");
    all.setProperty("min.insync.replicas", "1");
    // One node holds every internal topic; 50 partitions each would slow the first consumer down.
    all.setProperty("offsets.topic.replication.factor", "1");
    all.setProperty("offsets.topic.num.partitions", "1");
    all.setProperty("transaction.state.log.replication.factor", "1");
    all.setProperty("transaction.state.log.min.isr", "1");
    all.setProperty("transaction.state.log.num.partitions", "1");
    all.setProperty("share.coordinator.state.topic.replication.factor", "1");
    all.setProperty("share.coordinator.state.topic.min.isr", "1");
    all.setProperty("share.coordinator.state.topic.num.partitions", "1");
    all.setProperty("group.initial.rebalance.delay.ms", "0");
    // Smaller buffers than a server's: 16 MiB to clean compacted logs, 8 MiB segments of metadata.
    all.setProperty("log.cleaner.dedupe.buffer.size", "16777216");
    all.setProperty("metadata.log.segment.bytes", "8388608");
    return all;
  }

  /**
   * Formats the folder for these properties, with the newest stable feature versions; a formatted
   * one stays as it is, with its cluster id.
   */
  public static void format(Path logs, Properties properties) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code;
    try {
      Files.createDirectories(logs);
      // A temporary file is readable by its owner only: the properties may hold passwords.
      Path file = Files.createTempFile(logs.getParent(), "broker", ".properties");
      try {
        try (Writer writer = Files.newBufferedWriter(file)) {
          properties.store(writer, null);
        }
        String cluster = meta(logs).getProperty("cluster.id", Uuid.randomUuid().toString());
        String[] arguments = {"format", "-t", cluster, "-c", file.toString(), "--ignore-formatted"};
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
          code = StorageTool.execute(arguments, out);
        }
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the broker's folder must be writable, but was " + logs, e);
    }
    if (code != 0) {
      throw new IllegalStateException(
          "the broker's folder must be formatted, but the storage tool ended with "
              + code
              + ": "
              + said.toString(StandardCharsets.UTF_8).strip());
    }
  }

  private static Properties meta(Path logs) {
    Properties meta = new Properties();
    Path file = logs.resolve(META);
    if (Files.exists(file)) {
      try (var reader = Files.newBufferedReader(file)) {
        meta.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(file + " must be readable, but was not", e);
      }
    }
    return meta;
  }
}

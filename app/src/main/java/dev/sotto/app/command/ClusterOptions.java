package dev.sotto.app.command;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import picocli.CommandLine.Option;

/** Where a reading command finds what a learner has published. */
final class ClusterOptions {
  @Option(
      names = "--bootstrap-server",
      required = true,
      paramLabel = "HOST:PORT",
      description = "The brokers to connect to.")
  private String bootstrapServer;

  @Option(
      names = "--app-id",
      required = true,
      paramLabel = "ID",
      description = "The learner's app.id: its topics begin with it.")
  private String appId;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      description = "A properties file with Kafka client settings (security and the like).")
  private Path commandConfig;

  String appId() {
    return appId;
  }

  Map<String, String> clients() {
    Map<String, String> clients = new HashMap<>();
    if (commandConfig != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(commandConfig)) {
        properties.load(reader);
      } catch (IOException unreadable) {
        throw new StartFailure(
            ExitCode.CONFIGURATION,
            "--command-config " + commandConfig + " cannot be read: " + unreadable,
            unreadable);
      }
      properties.forEach((name, value) -> clients.put(name.toString(), value.toString()));
    }
    clients.put("bootstrap.servers", bootstrapServer);
    return clients;
  }
}

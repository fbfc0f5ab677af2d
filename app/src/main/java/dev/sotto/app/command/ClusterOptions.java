package dev.sotto.app.command;

import java.util.Map;
import picocli.CommandLine.Mixin;
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

  @Mixin
  private ClientProperties clientProperties;

  String appId() {
    return appId;
  }

  Map<String, String> clients() {
    Map<String, String> clients = clientProperties.read();
    clients.put("bootstrap.servers", bootstrapServer);
    return clients;
  }
}

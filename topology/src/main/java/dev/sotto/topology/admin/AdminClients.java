package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.settings.ServiceSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Makes admin clients out of the settings of all clients. */
public final class AdminClients {
  private static final String ADMIN = "admin.";
  private static final List<String> OTHERS = List.of(
      "consumer.",
      "producer.",
      "main.consumer.",
      "restore.consumer.",
      "global.consumer.",
      "topic.");

  private AdminClients() {}

  /** An admin client with the settings of a service. */
  public static Admin of(ServiceSettings service) {
    return of(service.clients());
  }

  /**
   * An admin client with these client settings.
   *
   * @throws TransientException where none can be made of them
   */
  public static Admin of(Map<String, String> clients) {
    Map<String, Object> config = settings(clients);
    config.put("enable.metrics.push", "false");
    config.putIfAbsent("default.api.timeout.ms", "15000");
    config.putIfAbsent("request.timeout.ms", "10000");
    try {
      return Admin.create(config);
    } catch (KafkaException wrong) {
      Throwable root = wrong.getCause() == null ? wrong : wrong.getCause();
      throw new TransientException(
          FailureKind.UNREACHABLE,
          "no client could be made for bootstrap.servers " + clients.get("bootstrap.servers") + ": "
              + root.getMessage(),
          wrong);
    }
  }

  /**
   * What is set for all clients, then what is set for admin clients alone; nothing of other
   * clients.
   */
  static Map<String, Object> settings(Map<String, String> clients) {
    Map<String, Object> config = new HashMap<>();
    Map<String, Object> own = new HashMap<>();
    clients.forEach((name, value) -> {
      if (name.startsWith(ADMIN)) {
        own.put(name.substring(ADMIN.length()), value);
      } else if (OTHERS.stream().noneMatch(name::startsWith)) {
        config.put(name, value);
      }
    });
    config.putAll(own);
    return config;
  }
}

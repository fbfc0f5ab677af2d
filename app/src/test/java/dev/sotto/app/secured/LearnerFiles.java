package dev.sotto.app.secured;

import dev.sotto.app.crash.EventWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/**
 * What the operator of a secured learner writes: its configuration, in which no secret stands, and
 * the file with its user and password.
 */
record LearnerFiles(SecuredCluster cluster, Path folder, String app) {
  Path yaml() {
    return folder.resolve(app + ".yaml");
  }

  Path key() {
    return folder.resolve(app + ".key");
  }

  private Path secrets() {
    return folder.resolve(app + "-secrets.properties");
  }

  /** Writes who it is. */
  void keep(String user, String password) throws IOException {
    Files.writeString(secrets(), "user=" + user + "\npassword=" + password + "\n");
  }

  /** Writes what it is. */
  void configure(String layout, String topic, int batch, String more) throws IOException {
    StringBuilder text = new StringBuilder("""
        app.id: %s
        layout: %s
        model.id.source: %s
        events.topic: %s
        events.format: example
        features.dimension: %d
        loss: logistic
        batch.size: %d
        release.every.slots: 1
        privacy.epsilon: 4
        privacy.delta: 1e-6
        privacy.horizon.rounds: endless
        noise.key.file: %s
        state.dir: %s
        topics.replication.factor: 3
        kafka.num.standby.replicas: 1
        kafka.consumer.session.timeout.ms: 10000
        kafka.consumer.heartbeat.interval.ms: 2000
        %s
        """.formatted(
            app,
            layout,
            layout.equals("direct") ? "partition" : "constant",
            topic,
            EventWriter.DIMENSION,
            batch,
            key(),
            folder.resolve(app + "-state"),
            more));
    clients()
        .forEach((name, value) -> text.append(
            (name.equals("bootstrap.servers") ? "" : "kafka.") + name + ": '" + value + "'\n"));
    Files.writeString(yaml(), text);
  }

  /** User, password and authority are named by where they are kept. */
  private Map<String, String> clients() {
    Map<String, String> clients =
        cluster.as("${secrets:" + secrets() + ":user}", "${secrets:" + secrets() + ":password}");
    Path authority = Path.of(clients.remove("ssl.truststore.location"));
    clients.put("ssl.truststore.certificates", kept(authority));
    clients.put("config.providers", "secrets,files");
    clients.put("config.providers.secrets.class", FileConfigProvider.class.getName());
    clients.put("config.providers.files.class", DirectoryConfigProvider.class.getName());
    return clients;
  }

  /** What stands for the contents of a file. */
  static String kept(Path file) {
    return "${files:" + file.getParent() + ":" + file.getFileName() + "}";
  }

  /** The settings of its clients as a file for {@code --command-config}. */
  Path clientSettings() throws IOException {
    Path file = folder.resolve(app + "-clients.properties");
    Properties all = new Properties();
    all.putAll(clients());
    all.remove("bootstrap.servers");
    try (Writer writer = Files.newBufferedWriter(file)) {
      all.store(writer, null);
    }
    return file;
  }
}

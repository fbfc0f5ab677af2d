package dev.sotto.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.cli.ConnectStandalone;
import org.apache.kafka.connect.runtime.Connect;
import org.apache.kafka.connect.runtime.Herder.Created;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorInfo;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorOffsets;
import org.apache.kafka.connect.runtime.rest.entities.Message;
import org.apache.kafka.connect.runtime.standalone.StandaloneHerder;
import org.apache.kafka.connect.util.FutureCallback;

/** A standalone Connect worker in this process, for tests; its offsets live in a file. */
final class ConnectWorker implements AutoCloseable {
  private final Connect<StandaloneHerder> connect;

  ConnectWorker(String servers, String offsetFile) {
    Map<String, String> settings = new HashMap<>(commonSettings(servers));
    settings.put("offset.storage.file.filename", offsetFile);
    settings.put("listeners", "http://127.0.0.1:0");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      connect = new ConnectStandalone().startConnect(settings);
    } finally {
      Thread.currentThread().setContextClassLoader(before); // Connect puts its own there
    }
  }

  /** What every kind of worker here is told. */
  static Map<String, String> commonSettings(String servers) {
    String bytes = "org.apache.kafka.connect.converters.ByteArrayConverter";
    return Map.of(
        "bootstrap.servers", servers,
        "key.converter", bytes,
        "value.converter", bytes,
        "offset.flush.interval.ms", "200",
        "offset.flush.timeout.ms", "120000",
        "task.shutdown.graceful.timeout.ms", "120000",
        "plugin.discovery", "service_load");
  }

  /** Starts a connector; refused settings are a failure that says why. */
  void put(String name, Map<String, String> settings) throws Exception {
    Map<String, String> all = new HashMap<>(settings);
    all.put("name", name);
    var done = new FutureCallback<Created<ConnectorInfo>>();
    connect.herder().putConnectorConfig(name, all, false, done);
    assertThat(done.get(120, TimeUnit.SECONDS).created()).isTrue();
  }

  /** How many tasks a connector has. */
  int tasks(String name) {
    return connect.herder().connectorStatus(name).tasks().size();
  }

  /**
   * Stops a connector, moves the offset of its one file to a line, and lets it go on: what an
   * operator does by REST.
   */
  void replayFrom(String name, long line) throws Exception {
    var stopped = new FutureCallback<Void>();
    connect.herder().stopConnector(name, stopped);
    stopped.get(120, TimeUnit.SECONDS);
    var known = new FutureCallback<ConnectorOffsets>();
    connect.herder().connectorOffsets(name, known);
    var found = known.get(120, TimeUnit.SECONDS).offsets();
    assertThat(found).hasSize(1);
    var moved = new FutureCallback<Message>();
    connect
        .herder()
        .alterConnectorOffsets(name, Map.of(found.get(0).partition(), Map.of("line", line)), moved);
    moved.get(120, TimeUnit.SECONDS);
    connect.herder().resumeConnector(name);
  }

  @Override
  public void close() {
    connect.stop();
    connect.awaitStop();
  }
}

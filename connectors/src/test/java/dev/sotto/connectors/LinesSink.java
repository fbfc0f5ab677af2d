package dev.sotto.connectors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/** A sink that knows nothing of Sotto: a line of text for each value, in the file of its setting. */
public final class LinesSink extends SinkConnector {
  private static final String FILE = "file";

  private Map<String, String> settings;

  @Override
  public void start(Map<String, String> given) {
    settings = given;
  }

  @Override
  public Class<? extends Task> taskClass() {
    return Lines.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int most) {
    return List.of(settings);
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return new ConfigDef().define(FILE, ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "file");
  }

  @Override
  public String version() {
    return "1";
  }

  /** Appends the lines. */
  public static final class Lines extends SinkTask {
    private Path file;

    @Override
    public void start(Map<String, String> settings) {
      file = Path.of(settings.get(FILE));
    }

    @Override
    public void put(Collection<SinkRecord> records) {
      List<String> lines =
          records.stream().map(each -> String.valueOf(each.value())).toList();
      try {
        Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
      return "1";
    }
  }
}

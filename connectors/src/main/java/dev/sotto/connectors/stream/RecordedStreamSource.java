package dev.sotto.connectors.stream;

import dev.sotto.connectors.BuildVersion;
import dev.sotto.connectors.ConnectorSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Plays recorded streams, files with one record a line, into a topic: every line once, unchanged,
 * in its order.
 *
 * <p>One task plays all files. Each line carries the position after it, so that a worker with
 * exactly-once on commits both together. A malformed line is sent as well: it takes a slot at the
 * learner.
 */
public final class RecordedStreamSource extends SourceConnector {
  private Map<String, String> properties;
  private EndOfFilesMonitor watch;

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public ConfigDef config() {
    return RecordedStreamConfig.TABLE;
  }

  @Override
  public Config validate(Map<String, String> properties) {
    return ConnectorSettings.add(
        super.validate(properties), properties, ConnectorSettings.converterFaults(properties));
  }

  @Override
  public void start(Map<String, String> properties) {
    ConnectorSettings.refuse(ConnectorSettings.converterFaults(properties));
    RecordedStreamConfig config = RecordedStreamConfig.of(properties);
    for (Path file : config.files()) {
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        throw new ConnectException(
            RecordedStreamConfig.FILES + " must name readable files, but " + file + " is none");
      }
    }
    this.properties = Map.copyOf(properties);
    if (config.stopAtEnd()) {
      watch = new EndOfFilesMonitor(config, context());
    }
  }

  @Override
  public Class<? extends Task> taskClass() {
    return RecordedStreamTask.class;
  }

  /**
   * One task whatever is allowed; none once everything has been played and the task is not to stay.
   */
  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return watch != null && watch.ended() ? List.of() : List.of(properties);
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> properties) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  /**
   * Lets an operator replay on purpose: the offset of each file may be removed (from the
   * beginning), or be moved to any line of a file that is configured.
   *
   * @throws ConnectException if a partition is not a file's, or no line begins at the offset
   */
  @Override
  public boolean alterOffsets(
      Map<String, String> properties, Map<Map<String, ?>, Map<String, ?>> offsets) {
    RecordedStreamConfig config = RecordedStreamConfig.of(properties);
    Map<Object, StreamFile> files = new HashMap<>();
    if (offsets.values().stream().anyMatch(offset -> offset != null)) {
      config.files().stream().map(StreamFile::of).forEach(each -> files.put(each.identity(), each));
    }
    offsets.forEach((partition, offset) -> {
      if (partition == null
          || partition.size() != 1
          || !(partition.get(StreamFile.FILE) instanceof String identity)) {
        throw new ConnectException("a source partition must have the one field " + StreamFile.FILE
            + ", but was " + partition);
      }
      if (offset != null) {
        requireLine(files.get(identity), identity, FilePosition.of(offset), config);
      }
    });
    return true;
  }

  private static void requireLine(
      StreamFile file, String identity, FilePosition position, RecordedStreamConfig config) {
    if (file == null) {
      throw new ConnectException(
          "a source partition must be a configured file, as it is now, to be moved to "
              + position.offset() + ", but was " + identity);
    }
    FilePosition found = file.at(position.line(), config.maxLineBytes());
    if (position.knowsBytes() && position.bytes() != found.bytes()) {
      throw new ConnectException("byte must be " + found.bytes() + ", where line " + position.line()
          + " of " + identity + " begins, or be left out, but was " + position.bytes());
    }
  }

  @Override
  public void stop() {
    if (watch != null) {
      watch.close();
      watch = null;
    }
  }
}

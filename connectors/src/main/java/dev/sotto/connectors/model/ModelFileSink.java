package dev.sotto.connectors.model;

import dev.sotto.connectors.BuildVersion;
import dev.sotto.connectors.ConnectorSettings;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/**
 * Keeps a file with the newest published version of every model of a snapshots topic: whole,
 * verified, and replaced in one step, so that a reader sees a version or the one before, never half
 * of one.
 *
 * <p>Reads committed records only, and refuses to run where it can tell that it would not.
 */
public final class ModelFileSink extends SinkConnector {
  private Map<String, String> properties;

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public ConfigDef config() {
    return ModelFileConfig.TABLE;
  }

  @Override
  public Config validate(Map<String, String> properties) {
    return ConnectorSettings.add(
        super.validate(properties), properties, ModelFileConfig.faults(properties));
  }

  @Override
  public void start(Map<String, String> properties) {
    ConnectorSettings.refuse(ModelFileConfig.faults(properties));
    ModelFileConfig.of(properties);
    this.properties = Map.copyOf(properties);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return ModelFileTask.class;
  }

  /**
   * As many tasks as are allowed: a model lives in one partition, so no two write the same file.
   */
  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    ConnectorSettings.refuse(ModelFileConfig.faults(properties));
    return Collections.nCopies(maxTasks, properties);
  }

  @Override
  public void stop() {
    // holds nothing
  }
}

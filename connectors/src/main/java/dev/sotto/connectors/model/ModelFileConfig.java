package dev.sotto.connectors.model;

import dev.sotto.connectors.ConnectorSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Type;

/**
 * Where a {@link ModelFileSink} writes.
 *
 * @param directory made if it is not there
 * @param onnx whether a file of ONNX is written for each model too
 */
record ModelFileConfig(Path directory, boolean onnx) {
  static final String ONNX = "onnx";
  static final String DIRECTORY = "directory";
  static final String COMMITTED_BY_WORKER = "worker.reads.committed";
  static final String ISOLATION = "consumer.override.isolation.level";
  private static final String COMMITTED = "read_committed";

  static final ConfigDef TABLE = new ConfigDef()
      .define(
          DIRECTORY,
          Type.STRING,
          ConfigDef.NO_DEFAULT_VALUE,
          new NonEmptyString(),
          Importance.HIGH,
          "The folder of the model files; made if it is not there. Belongs to one connector.")
      .define(
          ONNX,
          Type.BOOLEAN,
          false,
          Importance.MEDIUM,
          "Also writes each model as <model>.onnx, for ONNX Runtime: the vector after the feature"
              + " map goes in, sparse from 4096 coordinates on. The JSON has its SHA-256. A model"
              + " whose loss is not one of Sotto's own cannot be written so, and stops the task.")
      .define(
          COMMITTED_BY_WORKER,
          Type.BOOLEAN,
          false,
          Importance.LOW,
          "Says that the worker's own properties have consumer.isolation.level=read_committed,"
              + " which a connector cannot"
              + " see: for workers that forbid overrides. Otherwise " + ISOLATION + "=" + COMMITTED
              + " is required.");

  static ModelFileConfig of(Map<String, String> properties) {
    Map<String, Object> read = ConnectorSettings.read(TABLE, properties);
    return new ModelFileConfig(Path.of((String) read.get(DIRECTORY)), (Boolean) read.get(ONNX));
  }

  /** Faults that span several properties, by name. */
  static Map<String, String> faults(Map<String, String> properties) {
    Map<String, String> faults = new LinkedHashMap<>(ConnectorSettings.converterFaults(properties));
    String isolation = properties.get(ISOLATION);
    boolean byWorker = Boolean.parseBoolean(properties.get(COMMITTED_BY_WORKER));
    if (!COMMITTED.equals(isolation) && !(isolation == null && byWorker)) {
      faults.put(
          ISOLATION,
          ISOLATION + " must be " + COMMITTED
              + ", since what a transaction has not committed is not published, but was "
              + isolation);
    }
    return faults;
  }
}

package dev.sotto.connectors.record;

import dev.sotto.connectors.BuildVersion;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.avro.UnreadableRecordException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Makes flat structs of the values of the topics {@code <app>.snapshots}, {@code <app>.ledger} and
 * {@code <app>.metrics}: a column for each field, with its documentation. Records that older
 * versions have written get the newest schema.
 *
 * <p>It has no state, so it cannot put weights together: a chunk of them becomes a struct without
 * them, which {@link PublishedVersionKey} drops. Sinks only: it writes nothing.
 */
public final class PublishedRecordConverter implements Converter, Versioned {
  static final String ISOLATION = "consumer.isolation.level";
  private static final String COMMITTED = "read_committed";

  static final ConfigDef TABLE = new ConfigDef()
      .define(
          ISOLATION,
          Type.STRING,
          ConfigDef.NO_DEFAULT_VALUE,
          ValidString.in(COMMITTED),
          Importance.HIGH,
          "Says that the connector's consumer reads committed records only, which a converter"
              + " cannot see: what a transaction has not committed is not covered by any"
              + " guarantee. It changes nothing: set consumer.override.isolation.level="
              + COMMITTED + " for the connector, or consumer.isolation.level=" + COMMITTED
              + " for the worker.");

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public ConfigDef config() {
    return TABLE;
  }

  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    if (isKey) {
      throw new ConfigException("key.converter must not be " + getClass().getName()
          + ", since keys are no such records; set"
          + " org.apache.kafka.connect.converters.ByteArrayConverter");
    }
    TABLE.parse(settings);
  }

  @Override
  public SchemaAndValue toConnectData(String topic, byte[] value) {
    if (value == null) {
      return SchemaAndValue.NULL;
    }
    byte[] header = Arrays.copyOf(value, Math.min(value.length, SingleObject.HEADER));
    FlatRecord record = PublishedKind.startingWith(ByteBuffer.wrap(header))
        .orElseThrow(() -> new DataException(
            "every value of " + topic + " must be a model version, a ledger entry or metrics that"
                + " this version of the plug-in knows, but one begins with "
                + HexFormat.ofDelimiter(" ").withUpperCase().formatHex(header)
                + "; check the topic's name, and upgrade the plug-in before the learner"))
        .record();
    try {
      return new SchemaAndValue(record.schema(), record.read(value));
    } catch (UnreadableRecordException damaged) {
      throw new DataException("a value of " + topic + ": " + damaged.getMessage(), damaged);
    }
  }

  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new DataException(getClass().getName()
        + " reads what the learner has published and cannot write to " + topic
        + "; set another value.converter for sources");
  }
}

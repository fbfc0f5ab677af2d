package dev.sotto.connectors.record;

import dev.sotto.connectors.BuildVersion;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.transforms.Transformation;

/**
 * Gives every struct of {@link PublishedRecordConverter} the key {@code (model_id, run_id,
 * version)}, the same for a version, its ledger entry and the metrics of the window that ends with
 * it: a sink that upserts by the key stores each once, however often it is delivered.
 *
 * <p>Chunks of weights are dropped, and so are tombstones: what has been published stays published.
 */
public final class PublishedVersionKey<R extends ConnectRecord<R>> implements Transformation<R> {
  static final Schema KEY = SchemaBuilder.struct()
      .name("dev.sotto.PublishedVersionKey")
      .doc("One version of one run of a model.")
      .field("model_id", text("The model."))
      .field("run_id", text("16 bytes that name the run. In hexadecimal."))
      .field("version", SchemaBuilder.int64().doc("Rounds done.").build())
      .build();

  private static final ConfigDef TABLE = new ConfigDef();

  /** Wants no settings. */
  public PublishedVersionKey() {}

  private static Schema text(String documentation) {
    return SchemaBuilder.string().doc(documentation).build();
  }

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public ConfigDef config() {
    return TABLE;
  }

  @Override
  public void configure(Map<String, ?> settings) {
    // there are none
  }

  @Override
  public R apply(R record) {
    if (record.value() == null) {
      return null;
    }
    PublishedKind kind = kind(record);
    if (kind == PublishedKind.CHUNK) {
      return null;
    }
    Struct value = (Struct) record.value();
    Struct key = new Struct(KEY)
        .put("model_id", value.getString("model_id"))
        .put("run_id", value.getString("run_id"))
        .put("version", kind.version(value));
    return record.newRecord(
        record.topic(),
        record.kafkaPartition(),
        KEY,
        key,
        record.valueSchema(),
        value,
        record.timestamp());
  }

  private static PublishedKind kind(ConnectRecord<?> record) {
    String found = record.value() instanceof Struct struct
        ? struct.schema().name()
        : record.value().getClass().getName();
    return PublishedKind.ofSchema(found)
        .orElseThrow(() ->
            new DataException("value.converter must be " + PublishedRecordConverter.class.getName()
                + " for " + PublishedVersionKey.class.getName() + ", but made a " + found));
  }

  @Override
  public void close() {
    // holds nothing
  }
}

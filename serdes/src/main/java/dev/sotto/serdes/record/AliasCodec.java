package dev.sotto.serdes.record;

import dev.sotto.serdes.avro.SingleObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;

/** The codec of aliases. */
public final class AliasCodec {
  public static final RecordCodec<ModelAlias> ALIAS =
      new RecordCodec<>(SingleObject.of("ModelAlias"), AliasCodec::write, AliasCodec::alias);

  private static final int TARGET = 1; // in the union with null

  private AliasCodec() {}

  private static void write(ModelAlias alias, RecordFields to) {
    Schema list = to.record().getSchema().getField("earlier").schema();
    var earlier = new GenericData.Array<GenericRecord>(alias.earlier().size(), list);
    alias.earlier().forEach(each -> earlier.add(change(each, list.getElementType())));
    to.put("alias", alias.alias())
        .put("newest", change(alias.newest(), list.getElementType()))
        .put("earlier", earlier);
  }

  private static GenericRecord change(AliasChange change, Schema schema) {
    Schema target = schema.getField("target").schema().getTypes().get(TARGET);
    return new RecordFields(new GenericData.Record(schema))
        .put("number", change.number())
        .put(
            "target", (Object) change.target().map(each -> target(each, target)).orElse(null))
        .put("restores", change.restores())
        .put("by", change.by())
        .put("note", change.note())
        .put("time", change.time())
        .record();
  }

  private static GenericRecord target(AliasTarget target, Schema schema) {
    return new RecordFields(new GenericData.Record(schema))
        .put("modelId", target.modelId())
        .put("runId", target.runId())
        .put("version", target.version())
        .record();
  }

  private static ModelAlias alias(RecordFields from) {
    List<AliasChange> earlier = new ArrayList<>();
    for (Object each : (List<?>) from.record().get("earlier")) {
      earlier.add(change((GenericRecord) each));
    }
    return new ModelAlias(
        from.text("alias"), change((GenericRecord) from.record().get("newest")), earlier);
  }

  private static AliasChange change(GenericRecord record) {
    var from = new RecordFields(record);
    Optional<AliasTarget> target = Optional.ofNullable((GenericRecord) record.get("target"))
        .map(RecordFields::new)
        .map(each ->
            new AliasTarget(each.text("modelId"), each.bytes("runId"), each.number("version")));
    return new AliasChange(
        from.number("number"),
        target,
        from.number("restores"),
        from.text("by"),
        from.text("note"),
        from.number("time"));
  }
}

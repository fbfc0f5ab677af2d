package dev.sotto.topology.live;

import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.testing.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The same events with ids of a registry and in Avro's single-object encoding; after them one with
 * an id that no registry has.
 *
 * @param framed with ids
 * @param twins without
 */
public record TwinEvents(List<byte[]> framed, List<byte[]> twins) {
  public static final Schema OLD = SchemaBuilder.record("E")
      .fields()
      .requiredDouble("x")
      .requiredInt("label")
      .endRecord();
  public static final Schema NEW = SchemaBuilder.record("E")
      .fields()
      .requiredInt("label")
      .optionalString("note")
      .requiredFloat("x")
      .endRecord();
  public static final FeatureMap MAP = FeatureMap.builder()
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .label("label", new LabelRule.AsItIs())
      .build();
  private static final int BOGUS = 999_999;

  /** The framed events as records: of every second one the id stands in a header. */
  public List<ProducerRecord<byte[], byte[]>> records(String topic) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (byte[] each : framed) {
      boolean header = records.size() % 2 == 1;
      byte[] value = header ? Arrays.copyOfRange(each, 5, each.length) : each;
      ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, value);
      if (header) {
        record.headers().add("__value_schema_id", Arrays.copyOf(each, 5));
      }
      records.add(record);
    }
    return records;
  }

  /**
   * Events of both schemas in a random order.
   *
   * @param onlyOld so many of them, at the beginning, have the old schema
   */
  public static TwinEvents of(int events, int onlyOld, int oldId, int newId) throws IOException {
    TwinEvents made = new TwinEvents(new ArrayList<>(), new ArrayList<>());
    Random random = Seed.random(7);
    for (int i = 0; i <= events; i++) {
      Schema schema = random.nextBoolean() || i < onlyOld ? OLD : NEW;
      GenericRecord event = new GenericData.Record(schema);
      float x = 2 * random.nextFloat() - 1;
      event.put("x", schema == OLD ? (Object) (double) x : (Object) x);
      event.put("label", random.nextInt(2));
      var body = new ByteArrayOutputStream();
      BinaryEncoder out = EncoderFactory.get().binaryEncoder(body, null);
      new GenericDatumWriter<GenericRecord>(schema).write(event, out);
      out.flush();
      int id = i == events ? BOGUS : schema == OLD ? oldId : newId;
      made.framed.add(ByteBuffer.allocate(5 + body.size())
          .put((byte) 0)
          .putInt(id)
          .put(body.toByteArray())
          .array());
      ByteBuffer one =
          new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(event);
      byte[] twin = new byte[one.remaining()];
      one.get(twin);
      made.twins.add(twin);
    }
    return made;
  }
}
